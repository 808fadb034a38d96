#pragma once
// A stage of all nodes in the parts that one launch does (exec/node_joined_cuda.hpp): the penalties
// of a node on faces, where all states are on this rank, its right-hand side, its update.

#include "systems/aerodynamics/scheme/local_step.hpp"
#include "systems/aerodynamics/scheme/stage_epilogue.hpp"
#include "systems/aerodynamics/surface/surface.hpp"

namespace watersmeet::aerodynamics {

// Volume: right-hand side and update of the node form (exec/node.hpp, exec/node_gather.hpp).
// `penalises`: false where penalties always have a launch of their own.
template <class R, class Volume, bool penalises>
struct JoinedStage {
  static constexpr int variables = n_variables;
  static constexpr bool has_faces = penalises;
  // Whether the volume computes the time steps of nodes too.
  static constexpr bool makes_steps = requires(const Volume& v) { v.tells_signal(); };

  Volume volume;
  SurfaceArrays<R> surfaces;
  LocalStep<R> local_step;  // of other volumes
  bool steps = false, signal = false;

  WM_HD bool tells_signal() const {
    if constexpr (makes_steps) {
      return volume.tells_signal();
    } else {
      return signal;
    }
  }
  WM_HD Conserved<R> of_faces(const exec::NodePoint& p, int first, int last) const {
    const Conserved<R> w = surfaces.load(surfaces.in, surfaces.pitch, p.node);
    return penalties_of(surfaces, w, p.node, first, last, volume.epilogue.model);
  }
  WM_HD exec::NodeRates<R, n_variables> rates(exec::NodePoint& p,
                                              exec::NodeReduction<R>& reduced) const {
    volume.epilogue.number(p);
    // Grids whose penalties are apart are larger than the second-level cache.
    if constexpr (makes_steps && !penalises) volume.epilogue.prepare(p);
    if constexpr (makes_steps) {
      return volume.rates(p, reduced);
    } else {
      if (steps) reduced.signal = local_step(p, static_cast<const R*>(nullptr), 1);
      return volume.template rates<R>(p);
    }
  }
  WM_HD R finish(const exec::NodePoint& p, const exec::NodeRates<R, n_variables>& rates) const {
    return volume.epilogue(p, rates, 1);
  }
};

}  // namespace watersmeet::aerodynamics
