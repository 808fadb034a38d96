// Choice of the compiled loops.
#include "systems/multicomponent/kernels.hpp"

#include "core/error.hpp"

namespace watersmeet::multicomponent {

const char* name_of(Schedule schedule) { return schedule == Schedule::sweeps ? "sweeps" : "tile"; }

Kernels cpu_kernels(Precision precision, Variant variant) {
  return precision == Precision::double_ ? cpu_kernels_f64(variant) : cpu_kernels_f32(variant);
}

Kernels cuda_kernels(Precision precision, Variant variant, Schedule schedule) {
#if defined(WATERSMEET_CUDA)
  return precision == Precision::double_ ? cuda_kernels_f64(variant, schedule)
                                         : cuda_kernels_f32(variant, schedule);
#else
  (void)precision, (void)variant, (void)schedule;
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
#endif
}

}  // namespace watersmeet::multicomponent
