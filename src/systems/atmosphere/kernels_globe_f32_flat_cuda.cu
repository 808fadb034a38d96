#include "systems/atmosphere/globe_sweeps_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
void use_globe_sweeps<float, GlobeVariant::flat>(GlobeKernels& kernels) {
  GlobeSweeps<float, GlobeVariant::flat>::put_into(kernels);
}
}  // namespace watersmeet::atmosphere
