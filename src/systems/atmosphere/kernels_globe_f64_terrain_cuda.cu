#include "systems/atmosphere/globe_kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
GlobeKernels cuda_globe_kernels<double, GlobeVariant::terrain>() {
  return GlobeCudaLoops<double, GlobeVariant::terrain>::table();
}
}  // namespace watersmeet::atmosphere
