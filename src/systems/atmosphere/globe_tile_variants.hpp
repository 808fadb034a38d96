#pragma once
// The stage of the atmosphere on a cubed sphere with equally thick levels by marching tiles: the variants that are built. Included by the
// files that the build makes of it.

#include "exec/common_loops.hpp"
#include "exec/face_compact_cuda.hpp"
#include "systems/atmosphere/globe_tile_cuda.hpp"

namespace watersmeet::atmosphere {

template <class BackEnd, class R>
exec::StageLaunch GlobeTileVariants<BackEnd, R>::make(GlobeVariant variant, Choices choices,
                                                      const GlobeCase& of) {
  exec::StageLaunch stage;
  for_each_equal_variant([&]<GlobeVariant own>() {
    if (variant == own) stage = globe_tile_stage<R, own>(choices, of);
  });
  return stage;
}

}  // namespace watersmeet::atmosphere
