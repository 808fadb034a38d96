// Choice of the compiled loops.
#include "systems/aerodynamics/derive.hpp"

#include "core/error.hpp"

namespace watersmeet::aerodynamics {

void derive(Precision precision, const DeriveCall& call) {
  const bool twice = precision == Precision::double_;
  if (call.queue.backend == Backend::cpu) {
    (twice ? derive_cpu_f64 : derive_cpu_f32)(call);
    return;
  }
#if defined(WATERSMEET_CUDA)
  (twice ? derive_cuda_f64 : derive_cuda_f32)(call);
#else
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
#endif
}

}  // namespace watersmeet::aerodynamics
