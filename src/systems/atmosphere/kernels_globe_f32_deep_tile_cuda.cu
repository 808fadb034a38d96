#include "systems/atmosphere/globe_tile_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
void use_globe_tile<float, GlobeVariant::deep>(GlobeKernels& kernels, Choices choices) {
  set_globe_tile<float, GlobeVariant::deep>(kernels, choices);
}
}  // namespace watersmeet::atmosphere
