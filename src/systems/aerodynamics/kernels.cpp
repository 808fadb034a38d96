// Choice of the compiled loops.
#include "systems/aerodynamics/kernels.hpp"

#include "core/error.hpp"

namespace watersmeet::aerodynamics {

Kernels kernels_of(Backend backend, Precision precision) {
  const bool wide = precision == Precision::double_;
  if (backend == Backend::cpu) return wide ? cpu_kernels_f64() : cpu_kernels_f32();
#if defined(WATERSMEET_CUDA)
  return wide ? cuda_kernels_f64() : cuda_kernels_f32();
#else
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
#endif
}

}  // namespace watersmeet::aerodynamics
