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
// `own_below`: with sums nothing below plane k is read but the thread's own column. It keeps these values in words of its own, so that the
// slot of plane k is free for plane k + radius + 2: 5 slots in place of 8 for radius 3.
template <class R, class Shape, class Rhs>
struct Ring {
  using value_type = R;
  static constexpr bool in_shared = true;
  static constexpr int radius = Rhs::radius, columns = Shape::columns;
  static constexpr bool sums = Shape::sums, own_below = Shape::own_below;
  static_assert(sums || !own_below);
  static constexpr int vectors = [] {
    if constexpr (sums) return Rhs::vectors;
    return 0;
  }();
  R* shared;  // written by keep_below alone
  // Where the planes k - radius .. k + radius begin; with own_below those below k in the words of this thread (own_at of the shape).
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
    if constexpr (own_below) {
      if (dk < 0) return shared[plane[dk + radius] + var * Shape::threads];  // di = dj = 0
    }
    return word_at(plane[dk + radius], var, di, dj);
  }

  // Of the vector in variables v, v + 1 and v + 2, once in each plane.
  template <class W>
  WM_HD Vec<R, 3> mixed_with_z(int v, const W& w) const requires(sums) {
    return add_plane(v, plane[2 * radius], w);
  }

  // Before the march, when the planes k - radius .. k + radius - 1 are there, or kept.
  WM_HD void begin() {
    WM_UNROLL
    for (int v = 0; v < columns; ++v) {
      WM_UNROLL
      for (int d = -radius; d < radius; ++d) column[v][d + radius] = word(v, 0, 0, d);
    }
  }
  WM_HD void clear_sums() requires(sums) {
    WM_UNROLL
    for (int n = 0; n < 3 * vectors; ++n) {
      WM_UNROLL
      for (int d = 0; d < 2 * radius; ++d) sum[n][d] = R(0);
    }
  }
  // Before the march, for each of the planes k - radius .. k + radius - 1 in turn. `at`: where it begins.
  template <class W>
  WM_HD void add_to_sums(int at, const W& w) requires(sums) {
    WM_UNROLL
    for (int n = 0; n < vectors; ++n) add_plane(Rhs::velocity + 3 * n, at, w);
  }
  // The values at `at` are those of plane k - radius + d.
  WM_HD void keep_below(int d, int at) requires(own_below) {
    WM_UNROLL
    for (int v = columns; v < Rhs::inputs; ++v)
      shared[plane[d] + v * Shape::threads] = word_at(at, v, 0, 0);
  }
  // The values of plane k in place of those of plane k - radius, which nothing reads any more.
  WM_HD void keep_below(const Vec<R, Rhs::inputs>& values) requires(own_below) {
    WM_UNROLL
    for (int v = columns; v < Rhs::inputs; ++v) shared[plane[0] + v * Shape::threads] = values[v];
  }
  // The plane k + radius has come.
  WM_HD void take_last() {
    WM_UNROLL
    for (int v = 0; v < columns; ++v) column[v][2 * radius] = word(v, 0, 0, radius);
  }
  WM_HD void go_up(int last) {
    const int oldest = plane[0];
    WM_UNROLL
    for (int d = 0; d < 2 * radius; ++d) plane[d] = plane[d + 1];
    if constexpr (own_below) plane[radius - 1] = oldest;
    plane[2 * radius] = last;
    WM_UNROLL
    for (int v = 0; v < columns; ++v) {
      WM_UNROLL
      for (int d = 0; d < 2 * radius; ++d) column[v][d] = column[v][d + 1];
    }
  }

 private:
  WM_HD R word_at(int at, int var, int di, int dj) const {
    return shared[at + var * Shape::variable_words + dj * Shape::pitch + di];
  }
  // f(m) - f(-m) along `axis` in the plane that begins at `at`, m = 1 .. radius.
  template <int axis>
  WM_HD Vec<R, radius> differences(int var, int at) const {
    Vec<R, radius> f;
    WM_UNROLL
    for (int m = 1; m <= radius; ++m)
      f[m - 1] = word_at(at, var, axis == 0 ? m : 0, axis == 1 ? m : 0) -
                 word_at(at, var, axis == 0 ? -m : 0, axis == 1 ? -m : 0);
    return f;
  }
  // What plane p gives, which begins at `at`. Returns the sums of plane p - radius, which are complete; the others move up by a plane. Written with
  // fused operations, so that a march has the same bits wherever it begins.
  template <class W>
  WM_HD Vec<R, 3> add_plane(int v, int at, const W& w) const {
    R(*const q)[2 * radius] = sum + (v - Rhs::velocity);
    Vec<R, 3> complete;
    complete[0] = add(q[0], differences<0>(v + 2, at), w.mixed[1]);
    complete[1] = add(q[1], differences<1>(v + 2, at), w.mixed[2]);
    const Vec<R, radius> f = differences<0>(v, at), g = differences<1>(v + 1, at);
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
  // The words behind the slots that threads keep of planes below; where those of a thread of plane k - radius + d begin, the next variable
  // `threads` on.
  static constexpr int own_words = Base::own_below ? Rhs::radius * Rhs::inputs * threads : 0;
  WM_HD static constexpr int own_at(int thread, int d) {
    return Base::slots * plane_words + d * (Rhs::inputs * threads) + thread;
  }
  static constexpr std::size_t ring_bytes =
                                   sizeof(R) * (std::size_t(plane_words) * Base::slots + own_words),
                               shared_bytes =
                                   ring_bytes + sizeof(int) * copies_per_thread * threads;
};

}  // namespace watersmeet::exec
