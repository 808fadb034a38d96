#include "systems/atmosphere/globe_kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
GlobeKernels cuda_globe_kernels<float, GlobeVariant::flat>() {
  return GlobeCudaLoops<float, GlobeVariant::flat>::table();
}
}  // namespace watersmeet::atmosphere
