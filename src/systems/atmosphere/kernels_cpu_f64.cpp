#include "systems/atmosphere/kernels_cpu.hpp"

namespace watersmeet::atmosphere {
Kernels cpu_kernels_f64(Variant variant) { return CpuLoops<double>::table(variant); }
}  // namespace watersmeet::atmosphere
