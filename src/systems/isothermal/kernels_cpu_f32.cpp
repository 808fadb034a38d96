#include "systems/isothermal/kernels_cpu.hpp"

namespace watersmeet::isothermal {
Kernels cpu_kernels_f32(Method method, bool extended) {
  return CpuLoops<float>::table(method, extended);
}
}  // namespace watersmeet::isothermal
