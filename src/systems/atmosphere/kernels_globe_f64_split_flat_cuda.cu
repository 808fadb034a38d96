#include "systems/atmosphere/globe_sweeps_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
void use_globe_sweeps<double, GlobeVariant::split_flat>(GlobeKernels& kernels) {
  GlobeSweeps<double, GlobeVariant::split_flat>::put_into(kernels);
}
}  // namespace watersmeet::atmosphere
