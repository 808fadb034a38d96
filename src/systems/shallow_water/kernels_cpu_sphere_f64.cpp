#include "systems/shallow_water/sphere_kernels_cpu.hpp"

namespace watersmeet::shallow_water {
SphereKernels cpu_sphere_kernels_f64(Variant variant) {
  return SphereCpuLoops<double>::table(variant);
}
}  // namespace watersmeet::shallow_water
