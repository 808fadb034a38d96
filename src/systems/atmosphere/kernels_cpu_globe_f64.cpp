#include "systems/atmosphere/globe_kernels_cpu.hpp"

namespace watersmeet::atmosphere {
GlobeKernels cpu_globe_kernels_f64() { return GlobeCpuLoops<double>::table(); }
void use_equal_levels_f64(GlobeKernels& kernels, GlobeVariant variant, Choices choices) {
  GlobeCpuLoops<double>::put_into<true>(kernels, variant, choices);
}
}  // namespace watersmeet::atmosphere
