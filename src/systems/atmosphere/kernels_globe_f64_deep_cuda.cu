#include "systems/atmosphere/globe_kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
GlobeKernels cuda_globe_kernels<double, GlobeVariant::deep>() {
  return GlobeCudaLoops<double, GlobeVariant::deep>::table();
}
}  // namespace watersmeet::atmosphere
