// Choice of the compiled loops.
#include "systems/shallow_water/kernels.hpp"

#include "core/error.hpp"
#include "systems/shallow_water/sphere_kernels.hpp"

namespace watersmeet::shallow_water {

Kernels cpu_kernels(Precision precision, Variant variant) {
  return precision == Precision::double_ ? cpu_kernels_f64(variant) : cpu_kernels_f32(variant);
}

Kernels cuda_kernels(Precision precision, Variant variant) {
#if defined(WATERSMEET_CUDA)
  return precision == Precision::double_ ? cuda_kernels_f64(variant) : cuda_kernels_f32(variant);
#else
  (void)precision, (void)variant;
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
#endif
}

SphereKernels cpu_sphere_kernels(Precision precision, Variant variant) {
  return precision == Precision::double_ ? cpu_sphere_kernels_f64(variant)
                                         : cpu_sphere_kernels_f32(variant);
}

SphereKernels cuda_sphere_kernels(Precision precision, Variant variant) {
#if defined(WATERSMEET_CUDA)
  return precision == Precision::double_ ? cuda_sphere_kernels_f64(variant)
                                         : cuda_sphere_kernels_f32(variant);
#else
  (void)precision, (void)variant;
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
#endif
}

}  // namespace watersmeet::shallow_water
