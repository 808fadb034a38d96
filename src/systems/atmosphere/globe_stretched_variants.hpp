#pragma once
// The stage of the atmosphere on a cubed sphere with stretched levels, on CUDA by marching tiles: the variants that are built. Included by
// the files that the build makes of it.

#include "exec/face_loops.hpp"
#if defined(__CUDACC__)
#include "systems/atmosphere/globe_tile_cuda.hpp"
#else
#include "systems/atmosphere/globe_stage.hpp"
#endif

namespace watersmeet::atmosphere {

template <class BackEnd, class R>
exec::StageLaunch GlobeStretchedVariants<BackEnd, R>::make(GlobeVariant variant, Choices choices,
                                                           const GlobeCase& of) {
  exec::StageLaunch stage;
  for_each_equal_variant([&]<GlobeVariant equal>() {
    constexpr GlobeVariant own = with_stretched_levels(equal);
    if (variant != own) return;
#if defined(__CUDACC__)
    stage = globe_tile_stage<R, own>(choices, of);
#else
    stage = globe_face_stage<BackEnd, R, own>(choices, of);
#endif
  });
  return stage;
}

}  // namespace watersmeet::atmosphere
