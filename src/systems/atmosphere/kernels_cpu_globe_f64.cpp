#include "systems/atmosphere/globe_kernels_cpu.hpp"

namespace watersmeet::atmosphere {
GlobeKernels cpu_globe_kernels_f64(GlobeVariant variant) {
  return GlobeCpuLoops<double>::table(variant);
}
}  // namespace watersmeet::atmosphere
