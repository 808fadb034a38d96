#pragma once
// The stage of the atmosphere on a cubed sphere on the CPU, and by sweeps on CUDA, for the headers of its variants.

#include "exec/face_loops.hpp"
#include "systems/atmosphere/globe_functors.hpp"

namespace watersmeet::atmosphere {

template <class BackEnd, class R, GlobeVariant variant, Choices choices>
exec::StageLaunch globe_face_stage(const GlobeCase& of) {
  using F = GlobeFunctors<R, variant>;
  using Scheme = GlobeFlow<R, variant, choices>;
  using Ending = Finish<GlobeFlow<R, variant>>;
  return {[&of](const exec::Launch& l) {
            exec::face_stage(BackEnd{}, exec::arrays_of<R>(l), exec::rounded<R>(l.update),
                             F::template flow<choices>(of), F::finish(of), l.clock, l.queue);
          },
          [] { return exec::face_reports<R, Scheme, Ending>(BackEnd{}); },
          BackEnd::device ? "sweeps" : "cpu"};
}

// Sweeps have no transverse term, and split flows have none anywhere (split.cpp).
template <class BackEnd, class R, GlobeVariant variant>
exec::StageLaunch globe_face_stage(Choices choices, const GlobeCase& of) {
  if constexpr (!BackEnd::device && !is_split(variant)) {
    if (choices == Choices::transverse) {
      return globe_face_stage<BackEnd, R, variant, Choices::transverse>(of);
    }
  }
  return globe_face_stage<BackEnd, R, variant, Choices::all>(of);
}

}  // namespace watersmeet::atmosphere
