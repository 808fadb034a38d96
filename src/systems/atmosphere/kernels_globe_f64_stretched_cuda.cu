#include "systems/atmosphere/globe_tile_cuda.hpp"

namespace watersmeet::atmosphere {
template void use_stretched_globe<double>(GlobeKernels&, GlobeVariant, Choices);
}  // namespace watersmeet::atmosphere
