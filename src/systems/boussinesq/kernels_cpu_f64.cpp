#include "systems/boussinesq/kernels_cpu.hpp"

namespace watersmeet::boussinesq {
Kernels cpu_kernels_f64(int variables, Advection advection) {
  return CpuLoops<double>::table(variables, advection);
}
}  // namespace watersmeet::boussinesq
