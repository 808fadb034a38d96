#pragma once
// What leaves a part through its boundary in one stage, common part of the loops: the record of
// each face of a side that has conditions, from the same edges and the same flux as in the stage
// itself, times area and the weight with which the stage enters the step.
//
//        cells of the line     -3   -2   -1  |   0    1    2      lower side; ghosts are valid
//                        edges of -1: upper  |  edges of 0: lower

#include <cstdint>

#include "exec/boundary.hpp"
#include "exec/wide_count.hpp"
#include "systems/multicomponent/boundaries.hpp"
#include "systems/multicomponent/cells.hpp"
#include "systems/multicomponent/flow.hpp"

namespace watersmeet::multicomponent {

// What is conserved: mass, momentum along x, y, z, total energy; in the order of the stored ones.
constexpr int n_conserved = 5;

struct LedgerCall {
  exec::WideCount* totals = nullptr;  // [n_conserved], on the device; null: nothing is kept
  double per_one[n_conserved] = {0, 0, 0, 0, 0};  // units in a quantity of 1, powers of two
  // Volume of a cell (axisymmetric: of the cell with r = h_r) times the weight of the stage.
  double weighted_volume = 0;
  // Flags of the flux limiter (exec/face_limit.hpp), or null: a flagged cell has faces of first
  // order.
  const void* flags = nullptr;  // register start
  const BlockLayout* flags_layout = nullptr;
};

// The faces of the sides of a block that have conditions.
template <class R, class Scheme>
struct SideFluxes {
  const R* start;  // of the register, ghosts valid
  exec::BlockSides sides;
  Scheme scheme;
  LedgerCall ledger;
  std::int64_t n[3];  // cells of the part
  const R* flags = nullptr;
  exec::BlockSides flag_sides = {};

  // Adds what leaves in a step of dt through the face of a cell of a side.
  WM_HD void add(int side, std::int64_t cell, R dt_of_step,
                 exec::WideCount (&out)[n_conserved]) const {
    const double dt = double(dt_of_step);
    const exec::SideCells& s = sides.side[side];
    const bool upper = side % 2 == 1;
    const int axis = side / 2;
    const std::int64_t along = upper ? -s.inward : s.inward;
    const R* const left = start + s.element(cell) - (upper ? 0 : along);
    Vec<R, Scheme::states> w[6];
    for (int q = 0; q < 6; ++q) {
      Conserved<R> stored;
      for (int v = 0; v < n_variables; ++v) {
        stored[v] = left[v * sides.stride_var + (q - 2) * along];
      }
      w[q] = scheme.state(stored);
    }
    const bool limited = flags && flags[flag_sides.side[side].element(cell)] > R(0);
    Record<R> record;
    R energy_flux;
    if (limited) {
      const auto low = Flow<R, Variant::general>{scheme.p}.low();  // of equal cells alone
      record = flux_along(low, axis, w[2], w[3]);
      energy_flux = low.total_energy_flux(record);
    } else {
      const std::int64_t inner = upper ? n[axis] - 1 : -1;  // the lower cell of the face
      record = flux_along(scheme, axis, edges_of(w + 2, axis, inner).upper,
                          edges_of(w + 3, axis, inner + 1).lower);
      energy_flux = scheme.total_energy_flux(record);
    }
    // Products alone: nothing to contract, so that all back ends and ranks count the same units.
    const double area = ledger.weighted_volume * double(scheme.p.inverse_spacing[axis]);
    const double weight = (upper ? area : -area) * dt * share(side, cell);
    const double energy = double(energy_flux);
    for (int v = 0; v < n_conserved; ++v) {
      const double flux = v == s_energy ? energy : double(record[v]);
      out[v] = exec::sum_of(out[v], exec::units_of(flux * weight, ledger.per_one[v]));
    }
  }

 private:
  template <class AnyFlow>
  WM_HD static Record<R> flux_along(const AnyFlow& flow, int axis, const Vec<R, Scheme::states>& l,
                                    const Vec<R, Scheme::states>& r) {
    if (axis == 0) return exec::flux_at<0, R>(flow, l, r, exec::Place{});
    if (axis == 1) return exec::flux_at<1, R>(flow, l, r, exec::Place{});
    return exec::flux_at<2, R>(flow, l, r, exec::Place{});
  }
  // The edges of the cell with this index along the axis.
  WM_HD exec::Edges<R, n_variables> edges_of(const Vec<R, Scheme::states>* centre,
                                             [[maybe_unused]] int axis,
                                             [[maybe_unused]] std::int64_t index) const {
    const auto window = [centre](int v, int m) { return centre[m][v]; };
    if constexpr (exec::PlacedEdges<Scheme>) {
      const int i = int(index);
      if (axis == 0) return scheme.template edges<0, R>(window, exec::Place{i, 0, 0});
      if (axis == 1) return scheme.template edges<1, R>(window, exec::Place{0, i, 0});
      return scheme.template edges<2, R>(window, exec::Place{0, 0, i});
    } else {
      return scheme.template edges<R>(window);
    }
  }

  // The area of a face over that of a box of the (mean) spacings: about an axis its distance from it, in spacings.
  WM_HD double share(int side, std::int64_t cell) const {
    const std::int64_t across = sides.side[side].n[0];
    if constexpr (exec::PlacedEdges<Scheme>) {
      const int axis = side / 2, a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
      const int first = int(cell % across), second = int(cell / across);
      const auto width = [&](int along, int i) {
        return double(scheme.cells.template number<R>(along, cell_weight, exec::Place{i, i, i}));
      };
      return width(a, first) * width(b, second);
    } else {
      if (!scheme.p.axisymmetric) return 1.0;
      const std::int64_t first = scheme.p.first_j;
      if (side == 2) return double(first);
      if (side == 3) return double(first + n[1]);
      return double(first + cell % across) + 0.5;
    }
  }
};

template <class R, class Scheme>
SideFluxes<R, Scheme> side_fluxes(const R* start, const BlockLayout& layout,
                                  const BoundaryCall& boundaries, const Scheme& scheme,
                                  const LedgerCall& ledger) {
  const auto has = [&](int s) { return boundaries.side[s].kind != nullptr; };
  SideFluxes<R, Scheme> fluxes{start,
                               exec::sides_of(layout, has),
                               scheme,
                               ledger,
                               {layout.n[0], layout.n[1], layout.n[2]},
                               nullptr,
                               {}};
  if (ledger.flags) {
    fluxes.flags = static_cast<const R*>(ledger.flags);
    fluxes.flag_sides = exec::sides_of(*ledger.flags_layout, has);
  }
  return fluxes;
}

}  // namespace watersmeet::multicomponent
