#include "systems/atmosphere/globe_kernels_cuda.hpp"
#include "systems/atmosphere/globe_sweeps_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
GlobeKernels cuda_globe_kernels<float>() {
  return GlobeCudaLoops<float>::table();
}
template void use_globe_sweeps<float>(GlobeKernels&, GlobeVariant);
}  // namespace watersmeet::atmosphere
