#pragma once
// Penalties before a right-hand side: the sum of each node on faces into a compact array, which the
// update of the stage adds where it is at such a node (stage_epilogue.hpp). States of other ranks
// have come before. A thread has one surface; those of a node are neighbours in a warp, the
// first of which adds them in their order:
//
//        entry     0    1    2    3    4    5   ...   32   33 ...
//        node      17   17   17   21   21   -         40   41 ...
//        count     3    0    0    2    0    0          1    1
//        sums      [exec::face_number()]
//
// Nodes with several surfaces come first; those with one are sorted by kind, so that the threads of
// a warp do the same. Along a kind they have the order of the pool. Node -1: nothing, so that no
// node falls to two warps. A node that nothing acts on has no entry, and its sums stay zero.

#include <cstdint>

#include "systems/aerodynamics/surface/surface.hpp"

namespace watersmeet::aerodynamics {

// A surface of a node; read in one piece.
struct alignas(16) SumEntry {
  std::int32_t node = -1;    // place in the pool
  std::int32_t number = 0;   // exec::face_number()
  std::int32_t beyond = -1;  // by kind: the partner, or a place in a table of what boundaries give
  std::uint16_t factor = 0;  // place in the table of weight / h, which has few values
  SurfaceKind kind = SurfaceKind::interface;
  std::uint8_t count = 0;  // of the entries of the node, in the first of them
};

// Entries of a node are never in two groups of so many, the threads of a warp.
constexpr int sum_group = 32;

template <class R>
struct SurfaceSums {
  const SumEntry* entries = nullptr;
  std::int64_t count = 0;  // a multiple of sum_group
  TableAddress<R> areas;   // outward, [component][count]
  TableAddress<R> factors;
  SurfaceArrays<R> surfaces;  // the state and the tables of boundaries
  ArrayAddress<NodeSum<R>> sums;
  FlowModel<R> model;

  WM_HD Area<R> area_of(std::int64_t at) const {
    Area<R> area;
    for (int m = 0; m < 3; ++m) area[m] = areas[m * count + at];
    return area;
  }
  // What an entry adds to its node. All reads come before the first formula.
  WM_HD Conserved<R> term(const SumEntry& entry, const Area<R>& area) const {
    const Conserved<R> w = surfaces.load(surfaces.in, surfaces.pitch, entry.node);
    const R factor = factors[entry.factor];
    Conserved<R> sum = surface_penalty(entry.kind, w, beyond(entry), area, given(entry), model.gas,
                                       model.coupling);
    for (int v = 0; v < n_variables; ++v) sum[v] = factor * sum[v];
    return sum;
  }
  WM_HD void store(const SumEntry& entry, const Conserved<R>& sum) const {
    NodeSum<R> all{};
    for (int v = 0; v < n_variables; ++v) all.value[v] = sum[v];
    sums[entry.number] = all;
  }

 private:
  WM_HD Conserved<R> beyond(const SumEntry& entry) const {
    switch (entry.kind) {
      case SurfaceKind::interface:
        return surfaces.partner(entry.beyond);
      case SurfaceKind::farfield:
      case SurfaceKind::supersonic_inflow:
        return surfaces.load(surfaces.outside, surfaces.outside_pitch, entry.beyond);
      default:
        return {};
    }
  }
  WM_HD Given<R> given(const SumEntry& entry) const {
    const bool gives =
        entry.kind == SurfaceKind::inflow_total || entry.kind == SurfaceKind::outflow_pressure;
    return gives ? surfaces.given[entry.beyond] : Given<R>{};
  }
};

}  // namespace watersmeet::aerodynamics
