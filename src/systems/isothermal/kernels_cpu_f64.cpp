#include "systems/isothermal/kernels_cpu.hpp"

namespace watersmeet::isothermal {
Kernels cpu_kernels_f64(Method method, bool extended) {
  return CpuLoops<double>::table(method, extended);
}
}  // namespace watersmeet::isothermal
