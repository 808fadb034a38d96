#include "systems/atmosphere/globe_kernels_cpu.hpp"

namespace watersmeet::atmosphere {
GlobeKernels cpu_globe_kernels_f32() { return GlobeCpuLoops<float>::table(); }
void use_equal_levels_f32(GlobeKernels& kernels, GlobeVariant variant, Choices choices) {
  GlobeCpuLoops<float>::put_into<true>(kernels, variant, choices);
}
}  // namespace watersmeet::atmosphere
