#include "systems/atmosphere/globe_kernels_cpu.hpp"

namespace watersmeet::atmosphere {
GlobeKernels cpu_globe_kernels_f32(GlobeVariant variant, Choices choices) {
  return GlobeCpuLoops<float>::table(variant, choices);
}
}  // namespace watersmeet::atmosphere
