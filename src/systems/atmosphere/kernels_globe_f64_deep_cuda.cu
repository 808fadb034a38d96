#include "systems/atmosphere/globe_sweeps_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
void use_globe_sweeps<double, GlobeVariant::deep>(GlobeKernels& kernels) {
  GlobeSweeps<double, GlobeVariant::deep>::put_into(kernels);
}
}  // namespace watersmeet::atmosphere
