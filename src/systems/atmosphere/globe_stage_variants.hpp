#pragma once
// The stage of the atmosphere on a cubed sphere with equally thick levels on the CPU, and by sweeps on CUDA: the variants that are built.
// Included by the files that the build makes of it.

#include "exec/face_loops.hpp"
#include "systems/atmosphere/globe_stage.hpp"

namespace watersmeet::atmosphere {

template <class BackEnd, class R>
exec::StageLaunch GlobeStageVariants<BackEnd, R>::make(GlobeVariant variant, Choices choices,
                                                       const GlobeCase& of) {
  exec::StageLaunch stage;
  for_each_equal_variant([&]<GlobeVariant own>() {
    if (variant == own) stage = globe_face_stage<BackEnd, R, own>(choices, of);
  });
  return stage;
}

}  // namespace watersmeet::atmosphere
