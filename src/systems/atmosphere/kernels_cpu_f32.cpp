#include "systems/atmosphere/kernels_cpu.hpp"

namespace watersmeet::atmosphere {
Kernels cpu_kernels_f32(Variant variant, Choices choices) {
  return CpuLoops<float>::table(variant, choices);
}
}  // namespace watersmeet::atmosphere
