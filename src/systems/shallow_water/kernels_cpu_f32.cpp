#include "systems/shallow_water/kernels_cpu.hpp"

namespace watersmeet::shallow_water {
Kernels cpu_kernels_f32(Variant variant) { return CpuLoops<float>::table(variant); }
}  // namespace watersmeet::shallow_water
