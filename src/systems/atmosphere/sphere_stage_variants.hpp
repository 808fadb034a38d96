#pragma once
// The stage on a sphere with equally thick levels on the CPU, and by sweeps on CUDA: the variants that are built.
// Included by the files that the build makes of it.

#include "exec/face_loops.hpp"
#include "systems/atmosphere/stage.hpp"

namespace watersmeet::atmosphere {

template <class BackEnd, class R>
exec::StageLaunch SphereStageVariants<BackEnd, R>::make(const Traits& traits,
                                                        const SphereCase& of) {
  if constexpr (BackEnd::device) {
    return face_stage<BackEnd, R, sphere_sweeps>(traits, of);
  } else {
    return face_stage<BackEnd, R, sphere_cpu>(traits, of);
  }
}

}  // namespace watersmeet::atmosphere
