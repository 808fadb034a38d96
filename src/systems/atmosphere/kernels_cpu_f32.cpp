#include "systems/atmosphere/kernels_cpu.hpp"

namespace watersmeet::atmosphere {
Kernels cpu_kernels_f32(Variant variant) { return CpuLoops<float>::table(variant); }
}  // namespace watersmeet::atmosphere
