#include "systems/atmosphere/globe_kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
GlobeKernels cuda_globe_kernels<double, GlobeVariant::split_deep>() {
  return GlobeCudaLoops<double, GlobeVariant::split_deep>::table();
}
}  // namespace watersmeet::atmosphere
