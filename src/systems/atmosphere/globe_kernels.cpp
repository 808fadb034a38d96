// Choice of the compiled loops on a cubed sphere.
#include "systems/atmosphere/globe_kernels.hpp"

#include "core/error.hpp"

namespace watersmeet::atmosphere {

#if defined(WATERSMEET_CUDA)
namespace {
template <class R>
GlobeKernels cuda_kernels_of(GlobeVariant variant) {
  if (variant == GlobeVariant::flat) return cuda_globe_kernels<R, GlobeVariant::flat>();
  if (variant == GlobeVariant::terrain) return cuda_globe_kernels<R, GlobeVariant::terrain>();
  if (variant == GlobeVariant::split_flat) return cuda_globe_kernels<R, GlobeVariant::split_flat>();
  if (variant == GlobeVariant::split_terrain) {
    return cuda_globe_kernels<R, GlobeVariant::split_terrain>();
  }
  if (variant == GlobeVariant::deep) return cuda_globe_kernels<R, GlobeVariant::deep>();
  return cuda_globe_kernels<R, GlobeVariant::split_deep>();
}
}  // namespace
#endif

GlobeKernels cpu_globe_kernels(Precision precision, GlobeVariant variant) {
  return precision == Precision::double_ ? cpu_globe_kernels_f64(variant)
                                         : cpu_globe_kernels_f32(variant);
}

GlobeKernels cuda_globe_kernels(Precision precision, GlobeVariant variant) {
#if defined(WATERSMEET_CUDA)
  return precision == Precision::double_ ? cuda_kernels_of<double>(variant)
                                         : cuda_kernels_of<float>(variant);
#else
  (void)precision, (void)variant;
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
#endif
}

}  // namespace watersmeet::atmosphere
