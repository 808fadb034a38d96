#include "systems/atmosphere/globe_kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
GlobeKernels cuda_globe_kernels<float, GlobeVariant::deep>() {
  return GlobeCudaLoops<float, GlobeVariant::deep>::table();
}
}  // namespace watersmeet::atmosphere
