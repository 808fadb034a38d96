#pragma once
// The loops of the multicomponent system on equal cells: the variants that are built. Included by the files that the build makes of it.

#include "exec/face_loops.hpp"
#include "systems/multicomponent/loops_of.hpp"

namespace watersmeet::multicomponent {

template <class BackEnd, class R>
std::unique_ptr<TwoFluidLoops> Variants<BackEnd, R>::make(Variant variant, const Case& of) {
  if (variant == Variant::js) return std::make_unique<LoopsOf<BackEnd, R, Variant::js>>(of);
  if (variant == Variant::z) return std::make_unique<LoopsOf<BackEnd, R, Variant::z>>(of);
  return std::make_unique<LoopsOf<BackEnd, R, Variant::general>>(of);
}

}  // namespace watersmeet::multicomponent
