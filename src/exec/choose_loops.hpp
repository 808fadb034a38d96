#pragma once
// Picks the compiled loops of a back end and precision: Variants<BackEnd, R>::make(arguments...). For the loops.cpp of a system, the files
// that know whether this build has CUDA.

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/types.hpp"
#include "exec/back_end.hpp"

namespace watersmeet::exec {

// Error{unsupported} where CUDA is asked for and the build has none.
template <template <class BackEnd, class R> class Variants, class... Arguments>
auto choose_loops(Backend backend, Precision precision, const Arguments&... arguments) {
  const bool wide = precision == Precision::double_;
  if (backend == Backend::cpu) {
    return wide ? Variants<OnCpu, double>::make(arguments...)
                : Variants<OnCpu, float>::make(arguments...);
  }
#if defined(WATERSMEET_CUDA)
  return wide ? Variants<OnCuda, double>::make(arguments...)
              : Variants<OnCuda, float>::make(arguments...);
#else
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
#endif
}

// The loops of variants that are built for CUDA alone.
template <template <class BackEnd, class R> class Variants, class... Arguments>
auto choose_cuda_loops([[maybe_unused]] Precision precision,
                       [[maybe_unused]] const Arguments&... arguments)
    -> decltype(Variants<OnCuda, double>::make(arguments...)) {
#if defined(WATERSMEET_CUDA)
  return precision == Precision::double_ ? Variants<OnCuda, double>::make(arguments...)
                                         : Variants<OnCuda, float>::make(arguments...);
#else
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
#endif
}

}  // namespace watersmeet::exec
