#include "systems/atmosphere/globe_kernels_cpu.hpp"

namespace watersmeet::atmosphere {
GlobeKernels cpu_globe_kernels_f64(GlobeVariant variant, Choices choices) {
  return GlobeCpuLoops<double>::table(variant, choices);
}
}  // namespace watersmeet::atmosphere
