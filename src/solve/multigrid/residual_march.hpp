#pragma once
// The residual of the outer loop (outer.hpp) in one pass with the correction that it comes after:
//
//   phi_new = phi + scale e                          in double with a correction in single 32 bytes
//   r = (f - mean - L phi_new) / scale of the next   a cell, 20 without a correction
//
// A thread block takes a tile of columns and goes up plane by plane. A thread owns a column: it
// reads each value of it once, some planes before it is needed, so that the loads of several planes
// are under way; corrects it, and leaves it in shared memory for its neighbours. Around the tile a
// ring of columns is corrected as well:
//
//     o - - - - o      o  corners, not needed
//     |         |      |- ring: corrected, not written
//     |  tile   |
//     o - - - - o
//
// phi_new cannot stand where phi stands, since other blocks read that. The struct is one thread's
// share of the work, as in march.hpp: start(), then step() for every plane, with barriers between.

#include <cstdint>

#include "solve/multigrid/arrays.hpp"
#include "solve/multigrid/stencil.hpp"

namespace watersmeet::solve {

// One pass. With `reset` phi_new is 0, whatever phi is.
template <class R, class C>
struct ResidualWork {
  const R *phi = nullptr, *f = nullptr;
  R* to = nullptr;  // phi_new
  const C* e = nullptr;
  C* r = nullptr;
  R scale = 1, over = 1, mean = 0;  // over: 1 / scale of the next correction
  bool reset = false;
};

template <class R, class C, bool corrects>
struct ResidualThread {
  static constexpr int tile_x = 32, tile_y = 8, row = tile_x + 2;
  static constexpr int threads = row * (tile_y + 2);
  static constexpr int depth = 4;  // planes under way; even
  static constexpr int shared_elements = 2 * threads;

  R below, here;
  R phi_next[depth], f_next[depth];  // of planes k + 1 .., of planes k ..
  C e_next[depth];
  R x_lower, x_upper, y_lower, y_upper, x_diagonal, y_diagonal;
  const R* phi = nullptr;  // of the column
  const C* e = nullptr;
  std::int64_t own = 0, own_cycle = 0;  // offsets of the column's cell 0
  int thread = 0, k0 = 0, k1 = 0;
  bool exists = false, inside = false;
  R largest = R(0), largest_phi = R(0);

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

  // block: of tiles along x and y, of chunks of `planes` planes along z.
  WM_HD void start(const LevelArrays<R>& a, const LevelArrays<C>& cycle,
                   const ResidualWork<R, C>& w, R* shared, const int (&block)[3], int planes,
                   int t) {
    thread = t;
    const int column = t % row, line = t / row;
    const int i = block[0] * tile_x + column - 1, j = block[1] * tile_y + line - 1;
    k0 = block[2] * planes;
    k1 = k0 + planes < a.n[2] ? k0 + planes : a.n[2];
    exists = t < threads && i <= a.n[0] && j <= a.n[1];
    inside = exists && column > 0 && column <= tile_x && line > 0 && line <= tile_y && i < a.n[0] &&
             j < a.n[1];
    const int ci = exists ? beside(a, 0, i) : 0, cj = exists ? beside(a, 1, j) : 0;
    phi = w.phi + ci * a.stride[0] + cj * a.stride[1];
    if constexpr (corrects) e = w.e + ci * cycle.stride[0] + cj * cycle.stride[1];
    own = inside ? i * a.stride[0] + j * a.stride[1] : 0;
    own_cycle = inside ? i * cycle.stride[0] + j * cycle.stride[1] : 0;
    const int ix = inside ? i : 0, jy = inside ? j : 0;
    x_lower = a.lower[0][ix];
    x_upper = a.upper[0][ix];
    y_lower = a.lower[1][jy];
    y_upper = a.upper[1][jy];
    x_diagonal = a.diagonal[0][ix];
    y_diagonal = a.diagonal[1][jy];
    fetch(a, cycle, k0 - 1, 0);
    below = corrected(w, 0);
    fetch(a, cycle, k0, 0);
    here = corrected(w, 0);
    if (t < threads) shared[t] = here;
    WM_UNROLL
    for (int d = 0; d < depth; ++d) {
      fetch(a, cycle, k0 + 1 + d, d);
      fetch_right_side(a, w, k0 + d, d);
    }
  }

  // Plane k = k0 + a multiple of `depth` + d; a barrier before and after.
  WM_HD void step(const LevelArrays<R>& a, const LevelArrays<C>& cycle, const ResidualWork<R, C>& w,
                  R* shared, int k, int d) {
    const R above = corrected(w, d), right_side = f_next[d];
    fetch(a, cycle, k + 1 + depth, d);
    fetch_right_side(a, w, k + depth, d);
    const R* const plane = shared + (d % 2) * threads;
    R* const next = shared + ((d + 1) % 2) * threads;
    if (thread < threads) next[thread] = above;
    if (inside) {
      const PointWeights<R> weights{x_lower,
                                    x_upper,
                                    y_lower,
                                    y_upper,
                                    read(a.lower[2] + k),
                                    read(a.upper[2] + k),
                                    x_diagonal + (y_diagonal + read(a.diagonal[2] + k))};
      const Neighbours<R> around{plane[thread - 1],
                                 plane[thread + 1],
                                 plane[thread - row],
                                 plane[thread + row],
                                 below,
                                 above};
      const R r = residual_of(weights, around, here, right_side - w.mean);
      w.r[own_cycle + k * cycle.stride[2]] = C(r * w.over);
      if constexpr (corrects) w.to[own + k * a.stride[2]] = here;
      largest = max_or_nan(largest, abs_(r));
      largest_phi = max_or_nan(largest_phi, abs_(here));
    }
    below = here;
    here = above;
  }

 private:
  // Planes up to the one above the chunk are needed.
  WM_HD void fetch(const LevelArrays<R>& a, const LevelArrays<C>& cycle, int k, int d) {
    if (!exists || k > k1) {
      phi_next[d] = R(0);
      e_next[d] = C(0);
      return;
    }
    const int plane = beside(a, 2, k);
    phi_next[d] = read(phi + plane * a.stride[2]);
    if constexpr (corrects) e_next[d] = read(e + plane * cycle.stride[2]);
  }
  WM_HD void fetch_right_side(const LevelArrays<R>& a, const ResidualWork<R, C>& w, int k, int d) {
    f_next[d] = inside && k < k1 ? read(w.f + own + k * a.stride[2]) : R(0);
  }
  WM_HD R corrected(const ResidualWork<R, C>& w, int d) const {
    if constexpr (!corrects) return phi_next[d];
    const R after = fma_(w.scale, R(e_next[d]), phi_next[d]);
    return w.reset ? R(0) : after;
  }
};

}  // namespace watersmeet::solve
