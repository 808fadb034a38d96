#pragma once
// The stage by marching tiles: the variants that are built, on a sphere with stretched levels.
// Included by the files that the build makes of it.

#include "exec/face_compact_cuda.hpp"
#include "systems/atmosphere/stage_tile_cuda.hpp"

namespace watersmeet::atmosphere {

template <class BackEnd, class R>
exec::StageLaunch StretchedSphereVariants<BackEnd, R>::make(const Traits& traits,
                                                            const SphereCase& of) {
  return tile_stage<R, stretched_sphere_tiles>(traits, of);
}

}  // namespace watersmeet::atmosphere
