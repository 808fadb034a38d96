#include "systems/atmosphere/globe_kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
GlobeKernels cuda_globe_kernels<float>() {
  return GlobeCudaLoops<float>::table();
}
}  // namespace watersmeet::atmosphere
