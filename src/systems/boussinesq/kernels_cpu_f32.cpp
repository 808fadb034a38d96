#include "systems/boussinesq/kernels_cpu.hpp"

namespace watersmeet::boussinesq {
Kernels cpu_kernels_f32(int variables, Advection advection) {
  return CpuLoops<float>::table(variables, advection);
}
}  // namespace watersmeet::boussinesq
