#pragma once
// The loops of the Boussinesq system of cells that differ along x or y: the variants that are built. Included by the files that the build makes of it.

#include "systems/boussinesq/loops_of.hpp"

namespace watersmeet::boussinesq {

template <class BackEnd, class R>
std::unique_ptr<FlowLoops> StretchedVariants<BackEnd, R>::make(const Choice& c, const Case& of) {
  return loops_of<BackEnd, R, StretchedMetrics<R>>(c, of);
}

}  // namespace watersmeet::boussinesq
