#include "systems/atmosphere/globe_tile_cuda.hpp"

namespace watersmeet::atmosphere {
template void use_stretched_globe<float>(GlobeKernels&, GlobeVariant, Choices);
}  // namespace watersmeet::atmosphere
