#pragma once
// The face form, common part: cells are reconstructed at their edges, the two edges that meet at a
// face make one record, and a cell closes over the records of its faces. Neither edges nor records
// are ever stored beyond the cache: both cells of a face use the same number, so that what is
// conserved is conserved to round-off. The stage update follows as an epilogue as in exec/cell.hpp.
//
//        cell i-1      |      cell i       |      cell i+1
//              upper   |   lower     upper |   lower
//                    flux                flux
//
// A flux scheme is a functor with
//   static constexpr int variables   stored and advanced
//   static constexpr int states      values per cell that are reconstructed (primitive variables)
//   static constexpr int records     values of a face record
//   static constexpr int kept        values that `add` needs of a cell's own edges, or 0
//   static constexpr int edge_reach  optional; 1: an edge is made from one cell on each side, which
//                                    lets face_compact_cuda.hpp serve the scheme
//   static constexpr int seen        optional; windows and `add` ask for so many of the states, the
//                                    others are made by `edges`. All where it is missing
//   static constexpr bool across     optional; true: the window also has across(v), the sum of the
//                                    second differences of state v along the other active axes,
//                                    and step(v, n, m), from here to the neighbour m = +-1 along
//                                    the n-th of the other axes, which must be active.
//                                    Ghosts behind edges of the block must be valid one cell deep.
//                                    For such schemes: the CPU and face_compact_cuda.hpp
//   static constexpr int radius      3: an edge is made from two cells on each side of its own
//   static constexpr bool heavy      needs more registers than usual
//   bool active(int axis) const      false along an axis of one cell: no faces there
//   Vec<T, states> state<T>(const Vec<T, variables>&) const
//   Edges<T, states> edges<T>(window) const, where window(v, m) is state v of the cell m away
//   Vec<T, kept> keep<T>(edges, state of the cell) const
//   Vec<T, records> flux<axis, T>(left, right) const
//   void add<axis, T>(Vec<T, variables>& rate, lower record, upper record, state of the cell,
//                     Vec<T, kept>, int j) const   adds the axis' part of dU/dt
// and a finish is called with the new values of the last stage, may change them, and returns the
// signal:  T operator()(Vec<T, variables>&) const.
//
// A scheme or finish with  static constexpr bool needs_index = true  also gets the index of its cell, as the last
// argument `Place at` of state, flux, add (in place of j) and the finish: for coefficients that
// vary in space. A face goes by its upper cell. Ghosts and, on the CPU, up to two packs of padding
// behind a row are asked for too. The limiter does not serve such schemes. One with
//   static constexpr bool edges_need_index = true  gets the axis and its cell in `edges` as well,
//   Edges<T, states> edges<axis, T>(window, at) const
//   Vec<T, kept> keep<axis, T>(edges, state of the cell, at) const
// for a box of blocks stacked along z whose ends are independent of each other.
//
// A scheme that needs the index, with  static constexpr bool columned = true  has numbers that no level changes,
//   Vec<T, n> column<axis, T>(Place at) const
//   Vec<T, records> flux<axis, T>(left, right, at, column<axis>) const, and add likewise, for which
// the column is that of the cell, column<2>
// so that a march along z may keep them; the forms without the last argument ask for them anew.
//
// Order of work, the same in every schedule so that all give the same bits: the rate of a cell
// starts at 0; the active axes add to it in the order x, y, z; the update follows. All that an axis
// contributes, source terms included, it adds at once: between axes only the rate is carried, so
// that an axis may have a launch of its own. Files that instantiate it are compiled without
// contraction of multiplications and additions.

#include "exec/cell.hpp"

namespace watersmeet::exec {

template <class T, int n>
struct Edges {
  Vec<T, n> lower, upper;
  T fallbacks;  // how many of the two edges were replaced, for the record of the run
};

// A cell of the block; of a pack along x the first one.
struct Place {
  int i, j, k;
};

template <class F>
concept Placed = requires {
  requires F::needs_index;
};

// States that windows and `add` ask for.
template <class Scheme>
constexpr int seen_states = [] {
  if constexpr (requires { Scheme::seen; }) {
    return Scheme::seen;
  } else {
    return Scheme::states;
  }
}();

// Whose edges look across their axis.
template <class F>
concept LooksAcross = requires {
  requires F::across;
};

template <class T, class Scheme>
WM_HD Vec<T, Scheme::states> state_at(const Scheme& scheme, const Vec<T, Scheme::variables>& stored,
                                      [[maybe_unused]] Place at) {
  if constexpr (Placed<Scheme>) {
    return scheme.template state<T>(stored, at);
  } else {
    return scheme.template state<T>(stored);
  }
}
template <class F>
concept PlacedEdges = requires {
  requires F::edges_need_index;
};

template <int axis, class T, class Scheme, class Window>
WM_HD Edges<T, Scheme::states> edges_at(const Scheme& scheme, const Window& window,
                                        [[maybe_unused]] Place at) {
  if constexpr (PlacedEdges<Scheme>) {
    return scheme.template edges<axis, T>(window, at);
  } else {
    return scheme.template edges<T>(window);
  }
}
template <int axis, class T, class Scheme>
WM_HD Vec<T, Scheme::kept> keep_at(const Scheme& scheme, const Edges<T, Scheme::states>& e,
                                   const Vec<T, Scheme::states>& w, [[maybe_unused]] Place at) {
  if constexpr (PlacedEdges<Scheme>) {
    return scheme.template keep<axis, T>(e, w, at);
  } else {
    return scheme.template keep<T>(e, w);
  }
}
template <int axis, class T, class Scheme>
WM_HD Vec<T, Scheme::records> flux_at(const Scheme& scheme, const Vec<T, Scheme::states>& left,
                                      const Vec<T, Scheme::states>& right,
                                      [[maybe_unused]] Place at) {
  if constexpr (Placed<Scheme>) {
    return scheme.template flux<axis, T>(left, right, at);
  } else {
    return scheme.template flux<axis, T>(left, right);
  }
}
template <int axis, class T, class Scheme>
WM_HD void add_at(const Scheme& scheme, Vec<T, Scheme::variables>& rate,
                  const Vec<T, Scheme::records>& lower, const Vec<T, Scheme::records>& upper,
                  const Vec<T, Scheme::states>& w, const Vec<T, Scheme::kept>& kept, Place at) {
  if constexpr (Placed<Scheme>) {
    scheme.template add<axis, T>(rate, lower, upper, w, kept, at);
  } else {
    scheme.template add<axis, T>(rate, lower, upper, w, kept, at.j);
  }
}
// What a march along z keeps of a column: what schemes say that have any, else nothing.
template <class F>
concept Columned = requires {
  requires F::columned;
};
struct NoColumn {};
template <int axis, class T, class Scheme>
WM_HD auto column_at([[maybe_unused]] const Scheme& scheme, [[maybe_unused]] Place at) {
  if constexpr (Columned<Scheme>) {
    return scheme.template column<axis, T>(at);
  } else {
    return NoColumn{};
  }
}
template <int axis, class T, class Scheme, class Column>
WM_HD Vec<T, Scheme::records> flux_at(const Scheme& scheme, const Vec<T, Scheme::states>& left,
                                      const Vec<T, Scheme::states>& right, Place at,
                                      [[maybe_unused]] const Column& column) {
  if constexpr (Columned<Scheme>) {
    return scheme.template flux<axis, T>(left, right, at, column);
  } else {
    return flux_at<axis, T>(scheme, left, right, at);
  }
}
template <int axis, class T, class Scheme, class Column>
WM_HD void add_at(const Scheme& scheme, Vec<T, Scheme::variables>& rate,
                  const Vec<T, Scheme::records>& lower, const Vec<T, Scheme::records>& upper,
                  const Vec<T, Scheme::states>& w, const Vec<T, Scheme::kept>& kept, Place at,
                  [[maybe_unused]] const Column& column) {
  if constexpr (Columned<Scheme>) {
    scheme.template add<axis, T>(rate, lower, upper, w, kept, at, column);
  } else {
    add_at<axis, T>(scheme, rate, lower, upper, w, kept, at);
  }
}
template <class Finish, class State>
WM_HD auto finish_at(const Finish& finish, State& value, [[maybe_unused]] Place at) {
  if constexpr (Placed<Finish>) {
    return finish(value, at);
  } else {
    return finish(value);
  }
}

// One value of the update. `old` is the stage before (two), the increment (stored) or the solution
// at the beginning of the step (base); ignored when not read.
template <class T, class R>
WM_HD Updated<T> advance_value(const StageUpdate<R>& s, const T& u, const T& old, const T& rate,
                               R dt) {
  Updated<T> r;
  if (s.form == UpdateForm::stored) {
    r.increment = s.read_old ? fma_(T(s.a), old, dt * rate) : dt * rate;
    r.value = fma_(T(s.b), r.increment, u);
  } else {
    const T step = fma_(T(s.b * dt), rate, u);
    const T back = s.form == UpdateForm::two ? u - old : old - u;
    r.value = s.read_old ? fma_(T(s.a), back, step) : step;
    r.increment = r.value;
  }
  return r;
}

// Where a launch finds the old values: see advance_value.
template <class R>
WM_HD const R* old_values(const CellArrays<R>& a, UpdateForm form) {
  return form == UpdateForm::two ? a.out : a.increment;
}

}  // namespace watersmeet::exec
