#include "systems/shallow_water/kernels_cpu.hpp"

namespace watersmeet::shallow_water {
Kernels cpu_kernels_f64(Variant variant) { return CpuLoops<double>::table(variant); }
}  // namespace watersmeet::shallow_water
