#pragma once
// The stage of the atmosphere in a box by marching tiles, and the variants that are built. Included by the files that the build makes of
// it.

#include "exec/common_loops.hpp"
#include "exec/face_compact_cuda.hpp"
#include "systems/atmosphere/functors.hpp"

namespace watersmeet::atmosphere {

template <class R, Variant variant, Choices choices>
exec::StageLaunch tile_stage(const Case& of) {
  using F = Functors<R, variant>;
  using Scheme = Flow<R, variant, choices>;
  return {[&of](const exec::Launch& l) {
            exec::face_stage_compact(exec::arrays_of<R>(l), exec::rounded<R>(l.update),
                                     F::template flow<choices>(of), F::template finish<choices>(of),
                                     l.clock, l.queue);
          },
          [] {
            return std::vector<exec::KernelReport>{
                exec::face_compact_report<R, Scheme, Finish<Scheme>>()};
          },
          "tile"};
}

template <class BackEnd, class R>
exec::StageLaunch TileVariants<BackEnd, R>::make(Variant variant, Choices choices, const Case& of) {
  require(variant == Variant::flat || variant == Variant::terrain,
          "viscosity and split flows go by sweeps");
  const auto made = [&]<Choices c>() {
    return variant == Variant::flat ? tile_stage<R, Variant::flat, c>(of)
                                    : tile_stage<R, Variant::terrain, c>(of);
  };
  if (choices == Choices::lmars_unlimited)
    return made.template operator()<Choices::lmars_unlimited>();
  if (choices == Choices::stretched) return made.template operator()<Choices::stretched>();
  if (choices == Choices::transverse) return made.template operator()<Choices::transverse>();
  return made.template operator()<Choices::all>();
}

}  // namespace watersmeet::atmosphere
