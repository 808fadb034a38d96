#include "systems/atmosphere/globe_kernels_cpu.hpp"

namespace watersmeet::atmosphere {
void use_stretched_levels_f32(GlobeKernels& kernels, GlobeVariant variant, Choices choices) {
  GlobeCpuLoops<float>::put_into<false>(kernels, variant, choices);
}
}  // namespace watersmeet::atmosphere
