#include "systems/atmosphere/globe_kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
GlobeKernels cuda_globe_kernels<double>() {
  return GlobeCudaLoops<double>::table();
}
}  // namespace watersmeet::atmosphere
