#pragma once
// What a thread of the ring schedule (cell_ring_cuda.hpp) reads: planes of a tile in shared memory, and what it carries in registers.

#include <cstddef>
#include <cstdint>

#include "core/host_device.hpp"
#include "core/math.hpp"
#include "core/vec.hpp"
#include "exec/tuning.hpp"

namespace watersmeet::exec {

// Accessor over the ring. `plane[d + radius]` is the word of this thread's cell in the slot of
// plane k + d, variable 0. The words that are read of shared memory limit the rings, so that a thread carries what it can in registers from
// plane to plane. `columns`: the values of its own column, of so many variables. `sums`: of each of the Rhs::vectors vectors v that begin with
// variable Rhs::velocity, the mixed derivatives with z,
//
//   d_x d_z v_z,   d_y d_z v_z   and   d_x d_z v_x + d_y d_z v_y      (schemes/central.hpp),
//
// as far as the planes that have come give them: for radius 3 plane p adds +-b_m [f(m, p) - f(-m, p)] to those of planes p -+ m, so that its
// differences are read once, where the derivative of each plane alone would read them again for every one.
template <class R, class Shape, class Rhs>
struct Ring {
  using value_type = R;
  static constexpr bool in_shared = true;
  static constexpr int radius = Rhs::radius, columns = Shape::columns;
  static constexpr bool sums = Shape::sums;
  static constexpr int vectors = [] {
    if constexpr (sums) return Rhs::vectors;
    return 0;
  }();
  const R* shared;
  int plane[2 * radius + 1];
  int i, j, k;
  std::int64_t offset;
  R column[columns > 0 ? columns : 1][2 * radius + 1];
  // Of planes p - radius .. p + radius - 1 before plane p comes.
  mutable R sum[sums ? 3 * vectors : 1][2 * radius];

  WM_HD R operator()(int var, int di, int dj, int dk) const {
    return di == 0 && dj == 0 && var < columns ? column[var][dk + radius] : word(var, di, dj, dk);
  }
  WM_HD R word(int var, int di, int dj, int dk) const {
    return shared[plane[dk + radius] + var * Shape::variable_words + dj * Shape::pitch + di];
  }

  // Of the vector in variables v, v + 1 and v + 2, once in each plane.
  template <class W>
  WM_HD Vec<R, 3> mixed_with_z(int v, const W& w) const requires(sums) {
    return add_plane(v, radius, w);
  }

  // Before the first plane, all others of which are there.
  WM_HD void begin() {
    WM_UNROLL
    for (int v = 0; v < columns; ++v) {
      WM_UNROLL
      for (int d = -radius; d < radius; ++d) column[v][d + radius] = word(v, 0, 0, d);
    }
  }
  template <class W>
  WM_HD void begin_sums(const W& w) requires(sums) {
    WM_UNROLL
    for (int n = 0; n < 3 * vectors; ++n) {
      WM_UNROLL
      for (int d = 0; d < 2 * radius; ++d) sum[n][d] = R(0);
    }
    for (int d = -radius; d < radius; ++d) {
      WM_UNROLL
      for (int n = 0; n < vectors; ++n) add_plane(Rhs::velocity + 3 * n, d, w);
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

 private:
  // f(m) - f(-m) along `axis` in plane k + dk, m = 1 .. radius.
  template <int axis>
  WM_HD Vec<R, radius> differences(int var, int dk) const {
    Vec<R, radius> f;
    WM_UNROLL
    for (int m = 1; m <= radius; ++m)
      f[m - 1] = word(var, axis == 0 ? m : 0, axis == 1 ? m : 0, dk) -
                 word(var, axis == 0 ? -m : 0, axis == 1 ? -m : 0, dk);
    return f;
  }
  // What plane p = k + dk gives. Returns the sums of plane p - radius, which are complete; the others move up by a plane. Written with fused
  // operations, so that a march has the same bits wherever it begins.
  template <class W>
  WM_HD Vec<R, 3> add_plane(int v, int dk, const W& w) const {
    R(*const q)[2 * radius] = sum + (v - Rhs::velocity);
    Vec<R, 3> complete;
    complete[0] = add(q[0], differences<0>(v + 2, dk), w.mixed[1]);
    complete[1] = add(q[1], differences<1>(v + 2, dk), w.mixed[2]);
    const Vec<R, radius> f = differences<0>(v, dk), g = differences<1>(v + 1, dk);
    Vec<R, radius> c;
    const R one[radius] = {R(1), R(1), R(1)};
    WM_UNROLL
    for (int m = 0; m < radius; ++m) c[m] = fma_(w.mixed[1][m], f[m], w.mixed[2][m] * g[m]);
    complete[2] = add(q[2], c, one);
    return complete;
  }
  WM_HD static R add(R (&q)[2 * radius], const Vec<R, radius>& f, const R* c) {
    static_assert(radius == 3);
    const R complete = fma_(c[2], f[2], q[0]);
    q[0] = fma_(c[1], f[1], q[1]);
    q[1] = fma_(c[0], f[0], q[2]);
    q[2] = q[3];
    q[3] = fma_(-c[0], f[0], q[4]);
    q[4] = fma_(-c[1], f[1], q[5]);
    q[5] = -(c[2] * f[2]);
    return complete;
  }
};

template <class R, class Rhs>
struct RingShape : RingTuning<R, Rhs::inputs, Rhs::heavy, Rhs::radius> {
  using Base = RingTuning<R, Rhs::inputs, Rhs::heavy, Rhs::radius>;
  static constexpr int threads = Base::x * Base::y;
  static constexpr int words_per_copy = 16 / int(sizeof(R));
  static constexpr int side = (Rhs::radius + words_per_copy - 1) / words_per_copy * words_per_copy;
  static constexpr int pitch = Base::x + 2 * side, rows = Base::y + 2 * Rhs::radius;
  static constexpr int variable_words = pitch * rows;
  // Of a plane as it is copied, and from one slot to the next: whole 128 bytes, where copies of whole tiles begin.
  static constexpr int copied_words = variable_words * Rhs::inputs,
                       plane_words =
                           (copied_words * int(sizeof(R)) + 127) / 128 * 128 / int(sizeof(R));
  static constexpr int copy_words = words_per_copy;
  static constexpr int copies = copied_words / copy_words;  // of one plane
  static constexpr int copies_per_thread = (copies + threads - 1) / threads;
  static constexpr std::size_t ring_bytes = sizeof(R) * std::size_t(plane_words) * Base::slots,
                               shared_bytes =
                                   ring_bytes + sizeof(int) * copies_per_thread * threads;
};

}  // namespace watersmeet::exec
