#include "systems/multicomponent/kernels_cpu.hpp"

namespace watersmeet::multicomponent {
Kernels cpu_kernels_f32(Variant variant) { return CpuLoops<float>::table(variant); }
}  // namespace watersmeet::multicomponent
