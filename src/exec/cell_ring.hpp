#pragma once
// What a thread of the ring schedule (cell_ring_cuda.hpp) reads: planes of a tile in shared memory, and what it carries in registers.

#include <cstddef>
#include <cstdint>

#include "core/host_device.hpp"
#include "exec/tuning.hpp"

namespace watersmeet::exec {

// Accessor over the ring. `plane[d + radius]` is the word of this thread's cell in the slot of
// plane k + d, variable 0. The words that are read of shared memory limit the rings, so that a thread carries some of them in registers from
// plane to plane: `columns`: the values of its own column, of so many variables; `slopes`: of so many of the vectors that begin with
// Rhs::velocity, for each mixed derivative with z, the nearest difference f(1, k) - f(-1, k) of planes k - 1 and k.
template <class R, class Shape, class Rhs>
struct Ring {
  using value_type = R;
  static constexpr bool in_shared = true;
  static constexpr int radius = Rhs::radius, columns = Shape::columns;
  const R* shared;
  int plane[2 * radius + 1];
  int i, j, k;
  std::int64_t offset;
  R column[columns > 0 ? columns : 1][2 * radius + 1];
  // Of v_x along x, v_y along y, v_z along x and y.
  mutable R slope[Shape::slopes > 0 ? 4 * Shape::slopes : 1][2];

  WM_HD R operator()(int var, int di, int dj, int dk) const {
    return di == 0 && dj == 0 && var < columns ? column[var][dk + radius] : word(var, di, dj, dk);
  }
  // Of this plane, once for each pair of them: those of plane k + 1 take the place of those of k - 1.
  template <int a>
  WM_HD R carried_slope_change(int var) const requires(Shape::slopes > 0) {
    const R above = slope_at<a>(var, 1);
    const int component = var - Rhs::velocity, at = slope_of<a>(component);
    if (component >= 3 * Shape::slopes) return above - slope_at<a>(var, -1);
    const R below = slope[at][0];
    slope[at][0] = slope[at][1];
    slope[at][1] = above;
    return above - below;
  }
  WM_HD R word(int var, int di, int dj, int dk) const {
    return shared[plane[dk + radius] + var * Shape::variable_words + dj * Shape::pitch + di];
  }
  template <int a>
  WM_HD static int slope_of(int component) {
    return component / 3 * 4 + component % 3 + (component % 3 == 2 ? a : 0);
  }
  template <int a>
  WM_HD R slope_at(int var, int dk) const {
    return word(var, a == 0, a == 1, dk) - word(var, -(a == 0), -(a == 1), dk);
  }

  template <int a>
  WM_HD void begin_slope(int component) {
    WM_UNROLL
    for (int d = 0; d < 2; ++d)
      slope[slope_of<a>(component)][d] = slope_at<a>(Rhs::velocity + component, d - 1);
  }

  // Before the first plane, all others of which are there.
  WM_HD void begin() {
    WM_UNROLL
    for (int v = 0; v < columns; ++v) {
      WM_UNROLL
      for (int d = -radius; d < radius; ++d) column[v][d + radius] = word(v, 0, 0, d);
    }
    if constexpr (Shape::slopes > 0) {
      WM_UNROLL
      for (int n = 0; n < Shape::slopes; ++n) {
        begin_slope<0>(3 * n);
        begin_slope<1>(3 * n + 1);
        begin_slope<0>(3 * n + 2);
        begin_slope<1>(3 * n + 2);
      }
    }
  }
  // The plane k + radius has come.
  WM_HD void take_last() {
    WM_UNROLL
    for (int v = 0; v < columns; ++v) column[v][2 * radius] = word(v, 0, 0, radius);
  }
  WM_HD void go_up(int last) {
    WM_UNROLL
    for (int d = 0; d < 2 * radius; ++d) plane[d] = plane[d + 1];
    plane[2 * radius] = last;
    WM_UNROLL
    for (int v = 0; v < columns; ++v) {
      WM_UNROLL
      for (int d = 0; d < 2 * radius; ++d) column[v][d] = column[v][d + 1];
    }
  }
};

template <class R, class Rhs>
struct RingShape : RingTuning<R, Rhs::inputs, Rhs::heavy, Rhs::radius> {
  using Base = RingTuning<R, Rhs::inputs, Rhs::heavy, Rhs::radius>;
  static constexpr int threads = Base::x * Base::y;
  static constexpr int words_per_copy = 16 / int(sizeof(R));
  static constexpr int side = (Rhs::radius + words_per_copy - 1) / words_per_copy * words_per_copy;
  static constexpr int pitch = Base::x + 2 * side, rows = Base::y + 2 * Rhs::radius;
  static constexpr int variable_words = pitch * rows, plane_words = variable_words * Rhs::inputs;
  static constexpr int copy_words = words_per_copy;
  static constexpr int copies = plane_words / copy_words;  // of one plane
  static constexpr int copies_per_thread = (copies + threads - 1) / threads;
  static constexpr std::size_t shared_bytes = sizeof(R) * std::size_t(plane_words) * Base::slots;
};

}  // namespace watersmeet::exec
