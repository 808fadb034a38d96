#pragma once
// The stage of the atmosphere in a box on the CPU, and by sweeps on CUDA, and the variants that are built. Included by the files that the
// build makes of it.

#include "exec/face_loops.hpp"
#include "systems/atmosphere/functors.hpp"

namespace watersmeet::atmosphere {

template <class BackEnd, class R, Variant variant, Choices choices>
exec::StageLaunch face_stage(const Case& of) {
  using F = Functors<R, variant>;
  using Scheme = Flow<R, variant, choices>;
  return {[&of](const exec::Launch& l) {
            exec::face_stage(BackEnd{}, exec::arrays_of<R>(l), exec::rounded<R>(l.update),
                             F::template flow<choices>(of), F::template finish<choices>(of),
                             l.clock, l.queue);
          },
          [] { return exec::face_reports<R, Scheme, Finish<Scheme>>(BackEnd{}); },
          BackEnd::device ? "sweeps" : "cpu"};
}

// Sweeps have no transverse term, and split flows have none anywhere (split.cpp).
template <class BackEnd, class R>
exec::StageLaunch StageVariants<BackEnd, R>::make(Variant variant, Choices choices,
                                                  const Case& of) {
  const auto made = [&]<Variant v>() {
    if constexpr (!BackEnd::device && !is_split(v)) {
      if (choices == Choices::transverse) {
        return face_stage<BackEnd, R, v, Choices::transverse>(of);
      }
    }
    return face_stage<BackEnd, R, v, Choices::all>(of);
  };
  if (variant == Variant::flat) return made.template operator()<Variant::flat>();
  if (variant == Variant::terrain) return made.template operator()<Variant::terrain>();
  if (variant == Variant::viscous) return made.template operator()<Variant::viscous>();
  if (variant == Variant::split_flat) return made.template operator()<Variant::split_flat>();
  return made.template operator()<Variant::split_terrain>();
}

}  // namespace watersmeet::atmosphere
