#include "systems/atmosphere/globe_kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
GlobeKernels cuda_globe_kernels<double, GlobeVariant::flat>() {
  return GlobeCudaLoops<double, GlobeVariant::flat>::table();
}
}  // namespace watersmeet::atmosphere
