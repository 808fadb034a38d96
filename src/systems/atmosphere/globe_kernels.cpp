// Choice of the compiled loops on a cubed sphere.
#include "systems/atmosphere/globe_kernels.hpp"

#include "core/error.hpp"

namespace watersmeet::atmosphere {

#if defined(WATERSMEET_CUDA)
namespace {
template <class R, GlobeVariant variant>
GlobeKernels tiled_where(Schedule schedule, Choices choices) {
  GlobeKernels kernels = cuda_globe_kernels<R, variant>();
  if (schedule == Schedule::tile) use_globe_tile<R, variant>(kernels, choices);
  return kernels;
}
template <class R>
GlobeKernels cuda_kernels_of(GlobeVariant variant, Schedule schedule, Choices choices) {
  using enum GlobeVariant;
  if (variant == flat) return tiled_where<R, flat>(schedule, choices);
  if (variant == terrain) return tiled_where<R, terrain>(schedule, choices);
  if (variant == split_flat) return tiled_where<R, split_flat>(schedule, choices);
  if (variant == split_terrain) return tiled_where<R, split_terrain>(schedule, choices);
  return variant == deep ? tiled_where<R, deep>(schedule, choices)
                         : tiled_where<R, split_deep>(schedule, choices);
}
}  // namespace
#endif

GlobeKernels cpu_globe_kernels(Precision precision, GlobeVariant variant, Choices choices) {
  return precision == Precision::double_ ? cpu_globe_kernels_f64(variant, choices)
                                         : cpu_globe_kernels_f32(variant, choices);
}

GlobeKernels cuda_globe_kernels(Precision precision, GlobeVariant variant, Schedule schedule,
                                Choices choices) {
#if defined(WATERSMEET_CUDA)
  return precision == Precision::double_ ? cuda_kernels_of<double>(variant, schedule, choices)
                                         : cuda_kernels_of<float>(variant, schedule, choices);
#else
  (void)precision, (void)variant, (void)schedule, (void)choices;
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
#endif
}

}  // namespace watersmeet::atmosphere
