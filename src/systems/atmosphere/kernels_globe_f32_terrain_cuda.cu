#include "systems/atmosphere/globe_kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
GlobeKernels cuda_globe_kernels<float, GlobeVariant::terrain>() {
  return GlobeCudaLoops<float, GlobeVariant::terrain>::table();
}
}  // namespace watersmeet::atmosphere
