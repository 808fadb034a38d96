#include "systems/aerodynamics/kernels_cpu.hpp"

namespace watersmeet::aerodynamics {
Kernels cpu_kernels_f32() { return CpuLoops<float>::table(); }
}  // namespace watersmeet::aerodynamics
