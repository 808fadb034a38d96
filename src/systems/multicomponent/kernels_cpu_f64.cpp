#include "systems/multicomponent/kernels_cpu.hpp"

namespace watersmeet::multicomponent {
Kernels cpu_kernels_f64(Variant variant) { return CpuLoops<double>::table(variant); }
}  // namespace watersmeet::multicomponent
