#include "systems/atmosphere/globe_kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
GlobeKernels cuda_globe_kernels<float, GlobeVariant::split_deep>() {
  return GlobeCudaLoops<float, GlobeVariant::split_deep>::table();
}
}  // namespace watersmeet::atmosphere
