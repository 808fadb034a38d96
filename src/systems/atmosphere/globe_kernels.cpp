// Choice of the compiled loops on a cubed sphere.
#include "systems/atmosphere/globe_kernels.hpp"

#include "core/error.hpp"

namespace watersmeet::atmosphere {

#if defined(WATERSMEET_CUDA)
namespace {
template <class R>
GlobeKernels cuda_kernels_of(GlobeVariant variant, Schedule schedule, Choices choices) {
  GlobeKernels kernels = cuda_globe_kernels<R>();
  if (equal_levels(variant)) {
    use_globe_sweeps<R>(kernels, variant);
    if (schedule == Schedule::tile) use_globe_tile<R>(kernels, variant, choices);
  } else {
    use_stretched_globe<R>(kernels, variant, choices);
  }
  return kernels;
}
}  // namespace
#endif

GlobeKernels cpu_globe_kernels(Precision precision, GlobeVariant variant, Choices choices) {
  const bool is_double = precision == Precision::double_;
  GlobeKernels kernels = is_double ? cpu_globe_kernels_f64() : cpu_globe_kernels_f32();
  const auto put = equal_levels(variant) ? is_double ? use_equal_levels_f64 : use_equal_levels_f32
                   : is_double           ? use_stretched_levels_f64
                                         : use_stretched_levels_f32;
  put(kernels, variant, choices);
  return kernels;
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
