#pragma once
// The loops of the multicomponent system on cells of different widths. Included by the files that the build makes of it.

#include "exec/face_loops.hpp"
#include "systems/multicomponent/loops_of.hpp"

namespace watersmeet::multicomponent {

template <class BackEnd, class R>
std::unique_ptr<TwoFluidLoops> StretchedVariants<BackEnd, R>::make(Variant, const Case& of) {
  return std::make_unique<LoopsOf<BackEnd, R, Variant::stretched>>(of);
}

}  // namespace watersmeet::multicomponent
