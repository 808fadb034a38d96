// Choice of the compiled loops.
#include "systems/boussinesq/kernels.hpp"

#include "core/error.hpp"

namespace watersmeet::boussinesq {

const char* name_of(Schedule schedule) { return schedule == Schedule::ring ? "ring" : "direct"; }

Kernels cpu_kernels(Precision precision, int variables, Advection advection) {
  return precision == Precision::double_ ? cpu_kernels_f64(variables, advection)
                                         : cpu_kernels_f32(variables, advection);
}

Kernels cuda_kernels(Precision precision, int variables, Advection advection, Schedule schedule) {
#if defined(WATERSMEET_CUDA)
  return precision == Precision::double_ ? cuda_kernels_f64(variables, advection, schedule)
                                         : cuda_kernels_f32(variables, advection, schedule);
#else
  (void)precision, (void)variables, (void)advection, (void)schedule;
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
#endif
}

}  // namespace watersmeet::boussinesq
