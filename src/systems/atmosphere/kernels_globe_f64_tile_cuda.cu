#include "systems/atmosphere/globe_tile_cuda.hpp"

namespace watersmeet::atmosphere {
template void use_globe_tile<double>(GlobeKernels&, GlobeVariant, Choices);
}  // namespace watersmeet::atmosphere
