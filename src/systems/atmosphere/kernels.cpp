// Choice of the compiled loops.
#include "systems/atmosphere/kernels.hpp"

#include "core/error.hpp"

namespace watersmeet::atmosphere {

#if defined(WATERSMEET_CUDA)
namespace {
template <class R>
Kernels cuda_kernels_of(Variant variant) {
  if (variant == Variant::flat) return cuda_kernels<R, Variant::flat>();
  if (variant == Variant::terrain) return cuda_kernels<R, Variant::terrain>();
  return cuda_kernels<R, Variant::viscous>();
}
}  // namespace
#endif

Kernels cpu_kernels(Precision precision, Variant variant) {
  return precision == Precision::double_ ? cpu_kernels_f64(variant) : cpu_kernels_f32(variant);
}

Kernels cuda_kernels(Precision precision, Variant variant) {
#if defined(WATERSMEET_CUDA)
  return precision == Precision::double_ ? cuda_kernels_of<double>(variant)
                                         : cuda_kernels_of<float>(variant);
#else
  (void)precision, (void)variant;
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
#endif
}

}  // namespace watersmeet::atmosphere
