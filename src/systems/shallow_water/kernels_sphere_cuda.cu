#include "systems/shallow_water/sphere_kernels_cuda.hpp"

namespace watersmeet::shallow_water {
SphereKernels cuda_sphere_kernels_f32(Variant variant) {
  return SphereCudaLoops<float>::table(variant);
}
SphereKernels cuda_sphere_kernels_f64(Variant variant) {
  return SphereCudaLoops<double>::table(variant);
}
}  // namespace watersmeet::shallow_water
