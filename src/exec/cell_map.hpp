#pragma once
// The cell form without a time update: stores the values of a functor. Three targets: a variable of
// a state (the divergence of the 19-point method's first pass), a packed array
// [k][j][i][component] without ghosts (derived quantities for output), and the cells that the
// functor reads themselves (a projection): it then looks at no neighbour in the array that it
// changes, and leaves the signal of the time step behind (exec/cell.hpp).

#include <cstdint>

#include "exec/cell.hpp"

namespace watersmeet::exec {

template <class R>
struct PackedTarget {
  R* start = nullptr;
  int components = 1;
};

// Element of the first component of cell (i, j, k) of the box of `a`.
template <class R>
WM_HD std::int64_t packed_index(const CellArrays<R>& a, const PackedTarget<R>& target, int i, int j,
                                int k) {
  const std::int64_t ni = a.upper[0] - a.lower[0], nj = a.upper[1] - a.lower[1];
  return (((k - a.lower[2]) * nj + (j - a.lower[1])) * ni + (i - a.lower[0])) * target.components;
}

// A functor may name the index by which it reads the extra variable (CellArrays::extra).
template <class F>
WM_HD constexpr int extra_index_of() {
  if constexpr (requires { F::extra_index; }) {
    return F::extra_index;
  } else {
    return -1;
  }
}

// The accessor with which every loop of this form calls such a functor, on both back ends: a functor that
// names no index gets -1, which is no variable, so that it never reads an array that may be absent.
template <class T, class F>
WM_HD Direct<T> accessor_for(const CellArrays<RealOf<T>>& a, int i, int j, int k) {
  return direct_accessor<T>(a, extra_index_of<F>(), i, j, k);
}

// What such a functor returns: its first `n` variables anew, and the signal of the point.
template <class T, int n>
struct Changed {
  Vec<T, n> value;
  T signal;
};

}  // namespace watersmeet::exec
