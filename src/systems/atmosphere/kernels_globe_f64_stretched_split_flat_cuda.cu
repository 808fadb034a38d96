#include "systems/atmosphere/globe_tile_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
void use_globe_tile<double, GlobeVariant::stretched_split_flat>(GlobeKernels& kernels,
                                                                Choices choices) {
  set_globe_tile<double, GlobeVariant::stretched_split_flat>(kernels, choices);
}
}  // namespace watersmeet::atmosphere
