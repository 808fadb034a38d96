#include "systems/atmosphere/tile_cuda.hpp"

namespace watersmeet::atmosphere {
template void use_tile<float>(Kernels&, Variant, Choices);
}  // namespace watersmeet::atmosphere
