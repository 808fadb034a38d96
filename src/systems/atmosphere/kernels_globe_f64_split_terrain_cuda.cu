#include "systems/atmosphere/globe_kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
GlobeKernels cuda_globe_kernels<double, GlobeVariant::split_terrain>() {
  return GlobeCudaLoops<double, GlobeVariant::split_terrain>::table();
}
}  // namespace watersmeet::atmosphere
