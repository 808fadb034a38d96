#pragma once
// A stage of a node with everything that belongs to it: the step of the node where the stage is the
// first of five, right-hand side and update, and the penalties of a node on faces. One launch
// instead of three where a thread has a node to itself and all states are on this rank.

#include "systems/aerodynamics/local_step.hpp"
#include "systems/aerodynamics/stage_epilogue.hpp"
#include "systems/aerodynamics/surface.hpp"

namespace watersmeet::aerodynamics {

// Volume: right-hand side and update of the node form (exec/node.hpp).
template <class R, class Volume>
struct WholeStage {
  Volume volume;
  SurfaceStage<R> surfaces;
  const std::int32_t* surface_of = nullptr;  // the list of each node, or -1; null: none is wanted
  LocalStep<R> local_step;
  bool steps = false;

  // Returns 1 where the new state was limited, else 0.
  template <class T>
  WM_HD T operator()(const exec::NodePoint& p, const T* none, int lanes) const {
    if (steps) local_step(p, none, lanes);
    T limited = volume(p, none, lanes);
    if (surface_of) {
      const std::int32_t number = surface_of[p.node];
      if (number >= 0 && surfaces(number) != 0) limited = T(R(1));
    }
    return limited;
  }
};

}  // namespace watersmeet::aerodynamics
