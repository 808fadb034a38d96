#pragma once
// The residual of the outer loop (outer.hpp) in one pass with the correction that it comes after:
//
//   phi_new = phi + scale e                          in double with a correction in single 32 bytes
//   r = (f - mean - L phi_new) / scale of the next   a cell, 20 without a correction
//
// A thread owns two neighbouring columns and goes up plane by plane. It corrects the columns around
// them for itself, which it finds in the nearest cache, since the thread that owns them reads them
// some planes earlier: no thread waits for another. What a step needs first was asked for in the
// step before.
//
//             o  o            read and corrected
//          o  x  x  o         x owned: also written
//             o  o
//
// phi_new cannot stand where phi stands, since other threads read that. The struct is one thread's
// share of the work: start(), then step() for every plane, then finish(). On a slab phi_new is written on
// the planes of ghosts too, where phi and the correction are those of the neighbour: no exchange is needed.

#include <cstdint>

#include "solve/multigrid/march_arrays.hpp"
#include "solve/multigrid/stencil.hpp"

namespace watersmeet::solve {

// One pass. Without phi it is 0; with `reset` phi_new is 0, whatever phi is.
template <class R, class C>
struct ResidualWork {
  const R *phi = nullptr, *f = nullptr;
  R* to = nullptr;  // phi_new
  const C* e = nullptr;
  C* r = nullptr;
  R scale = 1, over = 1, mean = 0;  // over: 1 / scale of the next correction
  bool reset = false;
  FarSides<C> far = {};  // of r, in the slabs below and above
};

// shares: planes of `far` are stored too.
template <class R, class C, bool corrects, bool shares = false>
struct ResidualThread {
  static constexpr int tile_x = 64, tile_y = 8;  // cells of a thread block
  static constexpr int threads = tile_x / 2 * tile_y;

  // Values of two columns before they are corrected.
  struct Raw {
    Pair<R> phi{};
    Pair<C> e{};
  };
  Pair<R> below, here, f_next;
  Raw above_next;
  // Along x: of the first and of the second column.
  R lower[2], upper[2], diagonal[2];
  R y_lower, y_upper, y_diagonal;
  // Offset of the first column; from there to the second one, those before and behind the two, and
  // the rows beside them.
  struct Places {
    std::int64_t own = 0;
    int second = 0, before = 0, behind = 0, row_below = 0, row_above = 0;
  };
  Places in_problem, in_cycle;
  int k0 = 0, k1 = 0;
  bool exists = false, both = false;  // the first column; the second one
  R largest = R(0), largest_phi = R(0);

  // block: of tiles along x and y, of chunks of `planes` planes along z.
  WM_HD void start(const LevelArrays<R>& a, const LevelArrays<C>& cycle,
                   const ResidualWork<R, C>& w, const int (&block)[3], int planes, int t) {
    const int i = block[0] * tile_x + t % (tile_x / 2) * 2,
              j = block[1] * tile_y + t / (tile_x / 2);
    k0 = block[2] * planes;
    k1 = k0 + planes < a.n[2] ? k0 + planes : a.n[2];
    exists = i < a.n[0] && j < a.n[1];
    if (!exists) return;
    both = i + 1 < a.n[0];
    const int i_second = both ? i + 1 : beside(a, 0, i + 1);
    const int i_behind = both ? beside(a, 0, i + 2) : i_second;
    const int row_below = beside(a, 1, j - 1) - j, row_above = beside(a, 1, j + 1) - j;
    const auto places = [&](const auto& of) {
      const int stride_x = int(of.stride[0]), stride_y = int(of.stride[1]);
      return Places{i * of.stride[0] + j * of.stride[1],
                    (i_second - i) * stride_x,
                    (beside(a, 0, i - 1) - i) * stride_x,
                    (i_behind - i) * stride_x,
                    row_below * stride_y,
                    row_above * stride_y};
    };
    in_problem = places(a);
    in_cycle = places(cycle);
    y_lower = a.lower[1][j];
    y_upper = a.upper[1][j];
    WM_UNROLL
    for (int c = 0; c < 2; ++c) {
      const int column = c == 1 && both ? i + 1 : i;
      lower[c] = a.lower[0][column];
      upper[c] = a.upper[0][column];
      diagonal[c] = a.diagonal[0][column];
    }
    y_diagonal = a.diagonal[1][j];
    below = corrected(w, fetch(a, cycle, w, k0 - 1, 0, 0));
    if constexpr (corrects) {
      if (k0 == 0 && a.below[2] == -1) store(a, w, -1, below);
    }
    here = corrected(w, fetch(a, cycle, w, k0, 0, 0));
    fetch_next(a, cycle, w, k0);
  }

  WM_HD void step(const LevelArrays<R>& a, const LevelArrays<C>& cycle, const ResidualWork<R, C>& w,
                  int k) {
    const Raw raw_below = fetch(a, cycle, w, k, in_problem.row_below, in_cycle.row_below);
    const Raw raw_above = fetch(a, cycle, w, k, in_problem.row_above, in_cycle.row_above);
    const Raw raw_ends = fetch_ends(a, cycle, w, k);
    const Pair<R> above = corrected(w, above_next), f = f_next;
    fetch_next(a, cycle, w, k + 1);
    const Pair<R> rows_below = corrected(w, raw_below), rows_above = corrected(w, raw_above),
                  ends = corrected(w, raw_ends);

    const R z_lower = read(a.lower[2] + k), z_upper = read(a.upper[2] + k);
    const R z_diagonal = read(a.diagonal[2] + k);
    const auto residual = [&](int c, R x0, R x1, R y0, R y1, R z0, R z1, R phi, R right_side) {
      const PointWeights<R> weights{lower[c],
                                    upper[c],
                                    y_lower,
                                    y_upper,
                                    z_lower,
                                    z_upper,
                                    diagonal[c] + (y_diagonal + z_diagonal)};
      return residual_of(weights, Neighbours<R>{x0, x1, y0, y1, z0, z1}, phi, right_side - w.mean);
    };
    const R first = residual(0, ends.even, here.odd, rows_below.even, rows_above.even, below.even,
                             above.even, here.even, f.even);
    const R other = residual(1, here.even, ends.odd, rows_below.odd, rows_above.odd, below.odd,
                             above.odd, here.odd, f.odd);
    const std::int64_t at = in_cycle.own + k * cycle.stride[2];
    const Pair<C> scaled{C(first * w.over), C(other * w.over)};
    store_residual(w.r + at, scaled);
    if constexpr (shares) w.far.each(k, [&](C* there) { store_residual(there + at, scaled); });
    largest = max_or_nan(largest, abs_(first));
    largest_phi = max_or_nan(largest_phi, abs_(here.even));
    if (both) {
      largest = max_or_nan(largest, abs_(other));
      largest_phi = max_or_nan(largest_phi, abs_(here.odd));
    }
    if constexpr (corrects) store(a, w, k, here);
    below = here;
    here = above;
  }

  WM_HD void finish(const LevelArrays<R>& a, const ResidualWork<R, C>& w) const {
    if constexpr (corrects) {
      if (k1 == a.n[2] && a.above[2] == k1) store(a, w, k1, here);
    }
  }

 private:
  WM_HD void store_residual(C* r, const Pair<C>& values) const {
    if (both) {
      store_pair(r, values);
    } else {
      *r = values.even;
    }
  }
  WM_HD void store(const LevelArrays<R>& a, const ResidualWork<R, C>& w, int k,
                   const Pair<R>& values) const {
    R* const to = w.to + in_problem.own + k * a.stride[2];
    if (both) {
      store_pair(to, values);
    } else {
      *to = values.even;
    }
  }
  template <class T>
  WM_HD static int beside(const LevelArrays<T>& a, int axis, int at) {
    return at < 0 ? a.below[axis] : at >= a.n[axis] ? a.above[axis] : at;
  }
  template <class T>
  WM_HD static T read(const T* p) {
#if defined(__CUDA_ARCH__)
    return __ldg(p);
#else
    return *p;
#endif
  }
  // Two cells, neighbours or not.
  template <class T>
  WM_HD static Pair<T> read_pair(const T* first, const T* second, bool neighbours) {
#if defined(__CUDA_ARCH__)
    if (neighbours) {
      if constexpr (sizeof(T) == 8) {
        const double2 v = __ldg(reinterpret_cast<const double2*>(first));
        return {v.x, v.y};
      } else {
        const float2 v = __ldg(reinterpret_cast<const float2*>(first));
        return {v.x, v.y};
      }
    }
#endif
    return {read(first), read(neighbours ? first + 1 : second)};
  }

  // The two columns, or those a row away, on plane k, which may be the one beyond a side.
  WM_HD Raw fetch(const LevelArrays<R>& a, const LevelArrays<C>& cycle, const ResidualWork<R, C>& w,
                  int k, int row, int row_of_cycle) const {
    Raw raw;
    const int plane = beside(a, 2, k);
    if (!corrects || w.phi != nullptr) {
      const R* const p = w.phi + in_problem.own + plane * a.stride[2] + row;
      raw.phi = read_pair(p, p + in_problem.second, both);
    }
    if constexpr (corrects) {
      const C* const e = w.e + in_cycle.own + plane * cycle.stride[2] + row_of_cycle;
      raw.e = read_pair(e, e + in_cycle.second, both);
    }
    return raw;
  }
  // Before and behind the two columns.
  WM_HD Raw fetch_ends(const LevelArrays<R>& a, const LevelArrays<C>& cycle,
                       const ResidualWork<R, C>& w, int k) const {
    Raw raw;
    if (!corrects || w.phi != nullptr) {
      const R* const p = w.phi + in_problem.own + k * a.stride[2];
      raw.phi = {read(p + in_problem.before), read(p + in_problem.behind)};
    }
    if constexpr (corrects) {
      const C* const e = w.e + in_cycle.own + k * cycle.stride[2];
      raw.e = {read(e + in_cycle.before), read(e + in_cycle.behind)};
    }
    return raw;
  }
  // Fetches for step k the plane above it and the right-hand side. Nothing beyond the chunk's last step.
  WM_HD void fetch_next(const LevelArrays<R>& a, const LevelArrays<C>& cycle,
                        const ResidualWork<R, C>& w, int k) {
    if (k >= k1) return;
    above_next = fetch(a, cycle, w, k + 1, 0, 0);
    const R* const f = w.f + in_problem.own + k * a.stride[2];
    f_next = read_pair(f, f + in_problem.second, both);
  }
  WM_HD Pair<R> corrected(const ResidualWork<R, C>& w, const Raw& raw) const {
    if constexpr (!corrects) return raw.phi;
    const Pair<R> after{fma_(w.scale, R(raw.e.even), raw.phi.even),
                        fma_(w.scale, R(raw.e.odd), raw.phi.odd)};
    return w.reset ? Pair<R>{R(0), R(0)} : after;
  }
};

}  // namespace watersmeet::solve
