#pragma once
// The stage in a box on the CPU, and by sweeps on CUDA: the variants that are built.
// Included by the files that the build makes of it.

#include "exec/face_loops.hpp"
#include "systems/atmosphere/stage.hpp"

namespace watersmeet::atmosphere {

template <class BackEnd, class R>
exec::StageLaunch BoxStageVariants<BackEnd, R>::make(const Traits& traits, const BoxCase& of) {
  if constexpr (BackEnd::device) {
    return face_stage<BackEnd, R, box_sweeps>(traits, of);
  } else {
    return face_stage<BackEnd, R, box_cpu>(traits, of);
  }
}

}  // namespace watersmeet::atmosphere
