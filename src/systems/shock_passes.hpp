#pragma once
// The two passes of shock viscosity. Included by the files that instantiate loops.

#include "exec/cell_loops.hpp"
#include "systems/central_loops.hpp"

namespace watersmeet::systems {

// One pass of the shock viscosity of the velocity in the variables v, v + 1, v + 2; scale: c_s h^2.
template <class R, int v, class BackEnd>
void shock_pass(BackEnd back_end, int p, const exec::Launch& l, const double inverse_spacing[3],
                double scale) {
  const exec::CellArrays<R> arrays = arrays_of_pass<R>(l);
  if (p == 0) {
    const schemes::Compression<R, v> compression{schemes::make_weights6<R>(inverse_spacing)};
    exec::cell_store(back_end, arrays, compression, l.clock, l.queue);
  } else {
    exec::cell_store(back_end, arrays, schemes::ShockViscosity<R>{R(scale)}, l.clock, l.queue);
  }
}

}  // namespace watersmeet::systems
