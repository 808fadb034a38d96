#include "systems/atmosphere/globe_sweeps_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
void use_globe_sweeps<double, GlobeVariant::terrain>(GlobeKernels& kernels) {
  GlobeSweeps<double, GlobeVariant::terrain>::put_into(kernels);
}
}  // namespace watersmeet::atmosphere
