#pragma once
// The face form on a plane, common part: two axes, x and y, and edges that are made from a
// neighbourhood of nine cells, so that a reconstruction may have a term across its axis (9 cells of
// the whole stencil without, 13 with it):
//
//                  x                       x   x  read with the transverse term alone: the edges
//            x  x  x  x  x                (x)     of the cells to the left, right, above and below
//                  x                              look across their axis too
//
// It has loops of its own because the windows of exec/face.hpp are five cells of one line; the
// order of work is otherwise that form's, and so is the vocabulary. A plane scheme is a functor
// with
//   static constexpr int variables     stored and advanced
//   static constexpr int states        values per cell that are reconstructed
//   static constexpr int edge_values   values of an edge: the states, and what else a face needs
//   static constexpr int records       values of a face record
//   static constexpr int kept          values that `gain` needs of a cell's own edges
//   static constexpr int rates         values of a gain: the time derivatives of the variables, and
//                                      what else add_sources needs
//   static constexpr bool heavy        needs more registers than usual
//   bool active(int axis) const        false along an axis of one cell
//   Vec<T, states> state(const Vec<T, variables>&, const T& fixed) const
//   EdgeValues<Vec<T, edge_values>> edges<axis, T>(window) const, where window(v, along, across) is
//                                      state v of a cell at most one away along each axis
//   Vec<T, kept> keep(edges) const
//   Vec<T, records> flux<axis, T>(upper edge below, lower edge above, R dt,
//                                 place of the cell above) const
//   Vec<T, rates> gain<axis, T>(lower record, upper record, kept, place) const
//   void add_sources(Vec<T, rates>& rate, state, stored values, place, R dt) const
//   void settle(Vec<T, variables>& value, const T& fixed, place) const    after every stage
//   T finish(Vec<T, variables>& value, const T& fixed, place) const       after the last: the signal
// `fixed` is one more stored value of a cell that no stage changes (CellArrays::extra; 0 without).
// The place (PlanePlace) is that of the first lane of a pack; lanes lie along x.
//
// A box may be several cells high: planes that have nothing to do with each other, such as panels
// of a sphere, computed by one launch. A scheme with
//   static constexpr bool rims = true
//   int rim_face(int axis, bool upper) const
//   Vec<T, records> rim<axis, T>(bool upper, int along, int k) const
// has the records of two faces across each axis from elsewhere: those around the whole of which the
// box is a part, or none of its own. They bound the box where they touch it.
//
// The rate of a cell is the sum of the gains of its axes, one addition, and then its sources: what
// is transposed has the transposed bits. Ghosts must be valid two cells deep, behind edges of the
// box too where the scheme looks across its axis. Files that instantiate it are compiled without
// contraction of multiplications and additions.

#include "exec/face.hpp"
#include "schemes/edge_values.hpp"

namespace watersmeet::exec {

// Indices of a cell in its block.
struct PlanePlace {
  int i = 0, j = 0, k = 0;
};

template <class Scheme>
concept HasRims = requires {
  requires Scheme::rims;
};

template <class T, class Scheme>
using PlaneEdges = schemes::EdgeValues<Vec<T, Scheme::edge_values>>;

// Where the cells of a stage find their fixed value.
template <class T>
WM_HD T fixed_value(const CellArrays<RealOf<T>>& a, std::int64_t at) {
  return a.extra ? load_as<T>(a.extra + at) : T(RealOf<T>(0));
}

}  // namespace watersmeet::exec
