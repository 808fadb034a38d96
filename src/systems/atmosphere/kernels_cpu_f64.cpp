#include "systems/atmosphere/kernels_cpu.hpp"

namespace watersmeet::atmosphere {
Kernels cpu_kernels_f64(Variant variant, Choices choices) {
  return CpuLoops<double>::table(variant, choices);
}
}  // namespace watersmeet::atmosphere
