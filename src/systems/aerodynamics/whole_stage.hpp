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
  LocalStep<R> local_step;                   // of volumes that do not make the steps themselves
  bool steps = false;

  WM_HD bool tells_signal() const requires requires(const Volume& v) { v.tells_signal(); }
  { return volume.tells_signal(); }
  // Tells what the volume does, and 1 where the new state was limited, else 0.
  WM_HD auto operator()(const exec::NodePoint& p, const R* none, int lanes) const {
    if constexpr (!requires { volume.tells_signal(); }) {
      if (steps) local_step(p, none, lanes);
    }
    // The list of surfaces is looked up before the volume stores anything, and while it waits.
    const std::int32_t number = surface_of ? surface_of[p.node] : -1;
    int first = 0, last = 0;
    if (number >= 0) {
      first = surfaces.surfaces.first[number];
      last = surfaces.surfaces.first[number + 1];
    }
    auto told = volume(p, none, lanes);
    if (number >= 0 && surfaces.at_node(p.node, first, last) != 0) limited_in(told) = R(1);
    return told;
  }

 private:
  WM_HD static R& limited_in(R& told) { return told; }
  WM_HD static R& limited_in(exec::NodeTold<R>& told) { return told.events; }
};

}  // namespace watersmeet::aerodynamics
