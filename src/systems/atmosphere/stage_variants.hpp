#pragma once
// The stage on the CPU, and by sweeps on CUDA: the variants that are built. Included by the files
// that the build makes of it.

#include "exec/face_loops.hpp"
#include "systems/atmosphere/stage.hpp"

namespace watersmeet::atmosphere {

template <class BackEnd, class R>
exec::StageLaunch StageVariants<BackEnd, R>::make(const Traits& traits, const BoxCase& of) {
  return face_stage<BackEnd, R, box_stages<BackEnd::device>>(traits, of);
}
template <class BackEnd, class R>
exec::StageLaunch StageVariants<BackEnd, R>::make(const Traits& traits, const SphereCase& of) {
  return face_stage<BackEnd, R, sphere_stages<BackEnd::device>>(traits, of);
}

}  // namespace watersmeet::atmosphere
