#pragma once
// The water that leaves a part through its sides with conditions in one stage: the record of each
// of their faces, from the same edges and the same flux as in the stage itself, times its length
// and the weight with which the stage enters the step. What is there now, plus what has left, is
// what was there.

#include <cstdint>

#include "exec/boundary.hpp"
#include "exec/wide_count.hpp"
#include "systems/shallow_water/boundaries.hpp"
#include "systems/shallow_water/flow.hpp"

namespace watersmeet::shallow_water {

struct OutflowLedger {
  exec::WideCount* total = nullptr;  // on the device
  double per_one = 0;                // units in a volume of 1, a power of two
  double weighted_area = 0;          // of a cell, times the weight of the stage
};

template <class R, Traits traits>
struct SideOutflow {
  using Flowing = Flow<R, traits>;
  const R *start, *bed;  // of congruent registers, ghosts valid; bed null: flat at 0
  exec::BlockSides sides;
  Flowing flow;
  OutflowLedger ledger;

  // Adds what leaves in a step of dt through the face of a cell of a side.
  WM_HD void add(int side, std::int64_t cell, R dt, exec::WideCount (&out)[1]) const {
    const bool upper = side % 2 == 1;
    const int axis = side / 2;
    const exec::SideCells& s = sides.side[side];
    const std::int64_t along = upper ? -s.inward : s.inward, across = s.stride[0];
    const std::int64_t below = s.element(cell) - (upper ? 0 : along);
    const R mass = axis == 0 ? mass_through<0>(below, along, across, dt)
                             : mass_through<1>(below, along, across, dt);
    // Products alone: nothing to contract, so that all back ends and ranks count the same units.
    const double area = ledger.weighted_area * double(flow.mesh.inverse_spacing[axis]);
    const double volume = double(mass) * ((upper ? area : -area) * double(dt));
    out[0] = exec::sum_of(out[0], exec::units_of(volume, ledger.per_one));
  }

 private:
  template <int axis>
  WM_HD R mass_through(std::int64_t below, std::int64_t along, std::int64_t across, R dt) const {
    const auto edges = [&](std::int64_t at) {
      return flow.template edges<axis, R>([&](int v, int forward, int beside) {
        const std::int64_t there =
            at + forward * along + (flow.active(1 - axis) ? beside * across : 0);
        Conserved<R> stored;
        for (int m = 0; m < n_variables; ++m) stored[m] = start[there + m * sides.stride_var];
        return flow.template state<R>(stored, bed ? bed[there] : R(0))[v];
      });
    };
    return flow.template flux<axis, R>(edges(below).upper, edges(below + along).lower, dt)[r_mass];
  }
};

}  // namespace watersmeet::shallow_water
