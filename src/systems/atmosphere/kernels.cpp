// Choice of the compiled loops.
#include "systems/atmosphere/kernels.hpp"

#include "core/error.hpp"

namespace watersmeet::atmosphere {

#if defined(WATERSMEET_CUDA)
namespace {
template <class R>
Kernels cuda_kernels_of(Variant variant, Schedule schedule, Choices choices) {
  Kernels kernels = cuda_kernels<R>(variant);
  if (schedule == Schedule::tile) {
    require(variant == Variant::flat || variant == Variant::terrain,
            "viscosity and split flows go by sweeps");
    use_tile<R>(kernels, variant, choices);
  }
  return kernels;
}
}  // namespace
#endif

const char* name_of(Schedule schedule) { return schedule == Schedule::sweeps ? "sweeps" : "tile"; }

Kernels cpu_kernels(Precision precision, Variant variant, Choices choices) {
  return precision == Precision::double_ ? cpu_kernels_f64(variant, choices)
                                         : cpu_kernels_f32(variant, choices);
}

Kernels cuda_kernels(Precision precision, Variant variant, Schedule schedule, Choices choices) {
#if defined(WATERSMEET_CUDA)
  return precision == Precision::double_ ? cuda_kernels_of<double>(variant, schedule, choices)
                                         : cuda_kernels_of<float>(variant, schedule, choices);
#else
  (void)precision, (void)variant, (void)schedule, (void)choices;
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
#endif
}

}  // namespace watersmeet::atmosphere
