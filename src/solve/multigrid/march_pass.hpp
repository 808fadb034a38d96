#pragma once
// Code that the two marching passes share (march.hpp says what a pass does): how a thread block
// goes through planes, where their values are in registers and in shared memory, and the exchange of
// the two kinds of columns from step to step.
//
// Thread is the struct of a pass, V the values of one kind of columns of a thread (one number, or two
// of them) and Columns both kinds. Thread has
//   rename_columns()                                    the two kinds of its weights change places
//   V relaxed_values(m, h, same, other, z)              half sweep h; same, other: planes of shared
//                                                       memory of the kind that changes and the other
//   fetch_columns(m, at), coarse_values(m, plane)       values from memory
//   store_columns(to, columns)
//   add_residual(m, q, z), publish(q)                   restriction
//   add_rows(m, q)                                      what was published in step q, summed over rows
//   store_coarse(m, row, sums)                          the same, to its place in that row of the coarse level

#include <cstdint>

#include "solve/multigrid/march_arrays.hpp"
#include "solve/multigrid/stencil.hpp"

namespace watersmeet::solve {

// value += w_lower * lower + w_upper * upper
template <class R>
WM_HD void add_between(R& value, R w_lower, R lower, R w_upper, R upper) {
  value += fma_(w_upper, upper, w_lower * lower);
}

// S half sweeps. shares: planes that halos of other slabs have, too, are stored there as well (FarSides).
template <class Thread, class R, class V, class Columns, int S, bool interpolates, bool restricts,
          bool shares>
struct MarchPass {
  static constexpr int lag = S + (restricts ? 1 : 0);  // steps from loading to the last use
  static constexpr int depth = lag + 2;                // planes in registers
  static constexpr int ring = lag + 1;                 // planes in shared memory
  static constexpr int halo = lag;

  // Elements of shared memory: planes of both kinds, published sums, weights of the planes.
  static constexpr int shared_elements(int threads, int chunk) {
    return 2 * int(sizeof(V) / sizeof(R)) * threads * ring + (restricts ? 4 * threads : 0) +
           4 * (chunk + 2 * halo + 2);
  }

  // Columns "active" and "passive" in this step; position d is plane q - d.
  V active[depth], passive[depth];
  V f_active[lag + 1], f_passive[lag + 1];
  R y_lower, y_upper;
  Columns next_u, next_f;

  std::int64_t column = 0;  // offset of the first cell
  int i0 = 0, j0 = 0, thread = 0, row_below = 0, row_above = 0;
  int first_plane = 0, k0 = 0, k1 = 0, member = 0, slot = 0;
  bool alive = false, stores = false;  // alive: the first cell exists
  int published = -1;                  // coarse plane that was published in the step before

  // Interpolation: three coarse columns, two rows, and the values at two coarse planes.
  std::int64_t coarse_column[3], coarse_row[2];
  R row_weight[2];
  Columns coarse_lower, coarse_upper;
  int coarse_plane = -1000000;  // of coarse_upper

  V* planes = nullptr;  // [slot][even, odd][thread]
  V* sums = nullptr;    // what is published, of two steps
  PlaneWeights<R>* weights = nullptr;

  // Cell index on an axis: wrapped where periodic; -1 beyond a side.
  WM_HD static int cell(const LevelArrays<R>& a, int axis, int i) {
    const int n = a.n[axis];
    if (i >= 0 && i < n) return i;
    if (a.below[axis] != n - 1 || n == 1) return -1;
    const int wrapped = i % n;
    return wrapped < 0 ? wrapped + n : wrapped;
  }

  WM_HD int first_step() const { return first_plane; }
  WM_HD int end_step() const { return k1 + lag; }

  // One barrier between two calls.
  WM_HD void step(const MarchArrays<R>& m, int q) {
    const MarchShape& s = m.shape;
    rename();
    active[0] = member ? next_u.odd : next_u.even;
    passive[0] = member ? next_u.even : next_u.odd;
    f_active[0] = member ? next_f.odd : next_f.even;
    f_passive[0] = member ? next_f.even : next_f.odd;
    if (restricts && published >= 0) write_coarse(m, q - 1);
    fetch(m, q + 1);

    const PlaneWeights<R>* const w = weights + (q - (k0 - halo - 1));
    WM_UNROLL
    for (int h = 1; h <= S; ++h) {
      V* const same = plane_of(s, h, member);
      active[h] =
          self().relaxed_values(m, h, same, plane_of(s, h, 1 - member), plane_weights(w, q, h));
      same[thread] = active[h];
    }
    const int k_out = q - S;
    if (stores && k_out >= k0 && k_out < k1) {
      const std::int64_t at = column + std::int64_t(k_out) * m.level.stride[2];
      const Columns value =
          member ? Columns{passive[S], active[S]} : Columns{active[S], passive[S]};
      self().store_columns(m.out + at, value);
      if constexpr (shares)
        m.far_out.each(k_out, [&](R* there) { self().store_columns(there + at, value); });
    }
    plane_of(s, 0, member)[thread] = active[0];
    plane_of(s, 0, 1 - member)[thread] = passive[0];
    if constexpr (restricts) restrict_plane(m, q, w);
  }

  // After the last step and a barrier.
  WM_HD void finish(const MarchArrays<R>& m) {
    if (restricts && published >= 0) write_coarse(m, end_step() - 1);
  }

 protected:
  WM_HD Thread& self() { return static_cast<Thread&>(*this); }
  WM_HD const Thread& self() const { return static_cast<const Thread&>(*this); }

  // The planes of the block, part of their weights, and the place of the thread, whose columns begin
  // `width` cells after those of the one before. Returns the first cell along x, not wrapped.
  WM_HD int start_block(const MarchArrays<R>& m, R* shared, int block, int t, int width) {
    const MarchShape& s = m.shape;
    const LevelArrays<R>& a = m.level;
    const int tile = block % (s.tiles[0] * s.tiles[1]);
    k0 = m.begin + block / (s.tiles[0] * s.tiles[1]) * s.chunk;
    k1 = k0 + s.chunk < m.end ? k0 + s.chunk : m.end;
    // Nothing lies below a side: the pipeline may start there.
    const bool ring_z = a.below[2] == a.n[2] - 1 && a.n[2] > 1;
    first_plane = !ring_z && k0 - halo < 0 ? 0 : k0 - halo;

    planes = reinterpret_cast<V*>(shared);
    sums = planes + 2 * s.threads * ring;
    weights = reinterpret_cast<PlaneWeights<R>*>(reinterpret_cast<R*>(sums) +
                                                 (restricts ? 4 * s.threads : 0));
    for (int p = t; p < s.chunk + 2 * halo + 2; p += s.threads) {
      const int k = cell(a, 2, k0 - halo - 1 + p);
      PlaneWeights<R> w{R(0), R(0), R(1), R(0)};
      if (k >= 0) {
        w = {a.lower[2][k], a.upper[2][k], a.diagonal[2][k],
             restricts ? m.transfer.share[2][k] : R(0)};
      }
      weights[p] = w;
    }

    thread = t;
    // What is not there must be a number: it is multiplied by weights of 0.
    WM_UNROLL
    for (int p = 0; p < 2 * ring; ++p) planes[p * s.threads + t] = V{};
    WM_UNROLL
    for (int d = 0; d < depth; ++d) active[d] = passive[d] = V{};
    WM_UNROLL
    for (int d = 0; d <= lag; ++d) f_active[d] = f_passive[d] = V{};
    slot = 0;
    const int group = t % s.pairs, row = t / s.pairs, rows = s.threads / s.pairs;
    const int i_tile = tile % s.tiles[0] * s.tile[0], j_tile = tile / s.tiles[0] * s.tile[1];
    const int i = i_tile - s.halo_x + width * group, j = j_tile - s.halo_y + row;
    i0 = cell(a, 0, i);
    j0 = cell(a, 1, j);
    alive = i0 >= 0 && j0 >= 0;
    stores = alive && i >= i_tile && i < i_tile + s.tile[0] && i < a.n[0] && j >= j_tile &&
             j < j_tile + s.tile[1] && j < a.n[1];
    column = alive ? i0 + std::int64_t(j0) * a.stride[1] : 0;
    row_below = row > 0 ? t - s.pairs : t;
    row_above = row < rows - 1 ? t + s.pairs : t;
    // At step q the columns of parity (j + q - 1) are active; step() exchanges the two first.
    member = (j + first_plane + a.parity) & 1;
    return i;
  }

  // Coarse cell `i` along an axis, or the one that stands for it beyond a side.
  WM_HD static int coarse_cell(const LevelArrays<R>& c, int axis, int i) {
    return i < 0 ? c.below[axis] : i >= c.n[axis] ? c.above[axis] : i;
  }
  WM_HD void start_coarse_rows(const MarchArrays<R>& m, int j) {
    const LevelArrays<R>& c = m.coarse;
    const bool halves = m.transfer.coarsened[1];
    const int own = halves ? j / 2 : j;
    coarse_row[0] = std::int64_t(own) * c.stride[1];
    coarse_row[1] =
        halves ? std::int64_t(coarse_cell(c, 1, j % 2 == 0 ? own - 1 : own + 1)) * c.stride[1]
               : coarse_row[0];
    row_weight[0] = m.transfer.near[1][j];
    row_weight[1] = m.transfer.far[1][j];
  }
  // Start of coarse plane k, or of the one that stands for it beyond a side.
  WM_HD static const R* coarse_start(const LevelArrays<R>& c, int plane) {
    return c.u + std::int64_t(coarse_cell(c, 2, plane)) * c.stride[2];
  }

  // Values of plane q, to be used in step q.
  WM_HD void fetch(const MarchArrays<R>& m, int q) {
    next_u = next_f = {V{}, V{}};
    const int k = q < k1 + halo ? cell(m.level, 2, q) : -1;
    if (k < 0 || !alive) return;
    self().fetch_columns(m, column + std::int64_t(k) * m.level.stride[2]);
    if constexpr (interpolates) {
      const bool halves = m.transfer.coarsened[2];
      // Coarse planes below and above the centre of plane k; k itself where z is not coarsened.
      const int upper = halves ? (k + 1) / 2 : k;
      if (upper != coarse_plane) {
        coarse_lower =
            upper == coarse_plane + 1 ? coarse_upper : self().coarse_values(m, upper - 1);
        coarse_upper = self().coarse_values(m, upper);
        coarse_plane = upper;
      }
      // An even plane's own coarse plane is the upper one.
      const R near = m.transfer.near[2][k], far = m.transfer.far[2][k];
      const bool own_is_upper = !halves || k % 2 == 0;
      const R w_lower = own_is_upper ? far : near, w_upper = own_is_upper ? near : far;
      add_between(next_u.even, w_lower, coarse_lower.even, w_upper, coarse_upper.even);
      add_between(next_u.odd, w_lower, coarse_lower.odd, w_upper, coarse_upper.odd);
    }
  }

  WM_HD V* plane_of(const MarchShape& s, int lag_of, int kind) const {
    const int at = slot >= lag_of ? slot - lag_of : slot - lag_of + ring;
    return planes + (2 * at + kind) * s.threads;
  }
  // Planes before the first one that was loaded have no weights in the table.
  WM_HD PlaneWeights<R> plane_weights(const PlaneWeights<R>* w, int q, int d) const {
    return q - d >= k0 - halo - 1 ? w[-d] : weights[0];
  }

  template <class T>
  WM_HD static void exchange(T& a, T& b) {
    const T c = a;
    a = b;
    b = c;
  }
  WM_HD void rename() {
    WM_UNROLL
    for (int d = depth - 1; d > 0; --d) {
      const V a = passive[d - 1];
      passive[d] = active[d - 1];
      active[d] = a;
    }
    WM_UNROLL
    for (int d = lag; d > 0; --d) {
      const V a = f_passive[d - 1];
      f_passive[d] = f_active[d - 1];
      f_active[d] = a;
    }
    self().rename_columns();
    member = 1 - member;
    slot = slot + 1 == ring ? 0 : slot + 1;
  }

  // What was published in step q: rows are added here.
  WM_HD void write_coarse(const MarchArrays<R>& m, int q) const {
    const bool rows = m.transfer.coarsened[1];
    if (!stores || (rows && j0 % 2 != 0)) return;
    const auto value = self().add_rows(m, q);
    const LevelArrays<R>& c = m.coarse;
    const std::int64_t at =
        std::int64_t(rows ? j0 / 2 : j0) * c.stride[1] + std::int64_t(published) * c.stride[2];
    self().store_coarse(m, c.f + at, value);
    if constexpr (shares)
      m.far_coarse.each(published, [&](R* there) { self().store_coarse(m, there + at, value); });
  }

  // Residual of plane q - S - 1, whose values are final; its neighbours of the plane are those of
  // the step before.
  WM_HD void restrict_plane(const MarchArrays<R>& m, int q, const PlaneWeights<R>* w) {
    constexpr int d = S + 1;
    const int k = q - d;
    published = -1;
    if (k < k0 || k >= k1) return;
    self().add_residual(m, plane_of(m.shape, d, member), plane_of(m.shape, d, 1 - member), w[-d]);
    if (m.transfer.coarsened[2] && k % 2 == 0) return;
    self().publish(m.shape, q);
    published = m.transfer.coarsened[2] ? k / 2 : k;
  }
};

}  // namespace watersmeet::solve
