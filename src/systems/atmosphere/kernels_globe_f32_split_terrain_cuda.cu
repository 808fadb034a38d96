#include "systems/atmosphere/globe_sweeps_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
void use_globe_sweeps<float, GlobeVariant::split_terrain>(GlobeKernels& kernels) {
  GlobeSweeps<float, GlobeVariant::split_terrain>::put_into(kernels);
}
}  // namespace watersmeet::atmosphere
