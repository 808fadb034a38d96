#include "systems/shallow_water/sphere_kernels_cpu.hpp"

namespace watersmeet::shallow_water {
SphereKernels cpu_sphere_kernels_f32(Variant variant) {
  return SphereCpuLoops<float>::table(variant);
}
}  // namespace watersmeet::shallow_water
