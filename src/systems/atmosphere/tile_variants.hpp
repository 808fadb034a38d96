#pragma once
// The stage by marching tiles: the variants that are built, on a sphere with equally thick levels.
// Included by the files that the build makes of it.

#include "exec/face_compact_cuda.hpp"
#include "systems/atmosphere/stage_tile_cuda.hpp"

namespace watersmeet::atmosphere {

template <class BackEnd, class R>
exec::StageLaunch TileVariants<BackEnd, R>::make(const Traits& traits, const BoxCase& of) {
  return tile_stage<R, box_tiles>(traits, of);
}
template <class BackEnd, class R>
exec::StageLaunch TileVariants<BackEnd, R>::make(const Traits& traits, const SphereCase& of) {
  return tile_stage<R, sphere_tiles>(traits, of);
}

}  // namespace watersmeet::atmosphere
