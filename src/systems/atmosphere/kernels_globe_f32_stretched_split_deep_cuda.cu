#include "systems/atmosphere/globe_tile_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
void use_globe_tile<float, GlobeVariant::stretched_split_deep>(GlobeKernels& kernels,
                                                               Choices choices) {
  set_globe_tile<float, GlobeVariant::stretched_split_deep>(kernels, choices);
}
}  // namespace watersmeet::atmosphere
