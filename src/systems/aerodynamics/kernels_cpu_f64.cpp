#include "systems/aerodynamics/kernels_cpu.hpp"

namespace watersmeet::aerodynamics {
Kernels cpu_kernels_f64() { return CpuLoops<double>::table(); }
}  // namespace watersmeet::aerodynamics
