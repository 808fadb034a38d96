// Choice of the compiled loops.
#include "systems/isothermal/kernels.hpp"

#include "core/error.hpp"

namespace watersmeet::isothermal {

const char* name_of(Schedule schedule) { return schedule == Schedule::ring ? "ring" : "direct"; }

Kernels cpu_kernels(Precision precision, Method method, bool extended) {
  return precision == Precision::double_ ? cpu_kernels_f64(method, extended)
                                         : cpu_kernels_f32(method, extended);
}

Kernels cuda_kernels(Precision precision, Method method, bool extended, Schedule schedule) {
#if defined(WATERSMEET_CUDA)
  return precision == Precision::double_ ? cuda_kernels_f64(method, extended, schedule)
                                         : cuda_kernels_f32(method, extended, schedule);
#else
  (void)precision, (void)method, (void)extended, (void)schedule;
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
#endif
}

}  // namespace watersmeet::isothermal
