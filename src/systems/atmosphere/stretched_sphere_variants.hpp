#pragma once
// The stage on a sphere with stretched levels, on CUDA by marching tiles: the variants that are
// built. Included by the files that the build makes of it.

#include "exec/face_loops.hpp"
#if defined(__CUDACC__)
#include "systems/atmosphere/stage_tile_cuda.hpp"
#else
#include "systems/atmosphere/stage.hpp"
#endif

namespace watersmeet::atmosphere {

template <class BackEnd, class R>
exec::StageLaunch StretchedSphereVariants<BackEnd, R>::make(const Traits& traits,
                                                            const SphereCase& of) {
#if defined(__CUDACC__)
  return tile_stage<R, stretched_sphere_tiles>(traits, of);
#else
  return face_stage<BackEnd, R, stretched_sphere_cpu>(traits, of);
#endif
}

}  // namespace watersmeet::atmosphere
