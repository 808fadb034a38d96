#pragma once
// The marching pass of march.hpp for levels that are uniform along x, in which a thread owns four
// neighbouring columns of a row: half as many instructions a cell, because a value of shared memory
// is read for two cells at once, weights along x are in registers, and barriers and indices are
// shared by four. What a pass does, its pipeline and its colours are those of march.hpp.
//
//   columns of a thread     0  1  2  3      "even" ones 0 and 2, "odd" ones 1 and 3; a half sweep
//                                           changes two of one kind: lo and hi
//
//   even:  lo has x neighbours beyond and odd.lo,    hi has odd.lo and odd.hi
//   odd:   lo has x neighbours even.lo and even.hi,  hi has even.hi and beyond

#include <cstdint>

#include "solve/multigrid/march_arrays.hpp"
#include "solve/multigrid/stencil.hpp"

namespace watersmeet::solve {

// Two cells of a row, one between them.
template <class R>
struct alignas(2 * sizeof(R)) Two {
  R lo, hi;
};

template <class R>
struct Quad {
  Two<R> even, odd;
};
template <class R>
WM_HD Quad<R> load_quad(const R* p) {
#if defined(__CUDA_ARCH__)
  struct alignas(16) Row {
    R v[16 / sizeof(R)];
  };
  const Row* const row = reinterpret_cast<const Row*>(p);
  if constexpr (sizeof(R) == 4) {
    const Row r = *row;
    return {{r.v[0], r.v[2]}, {r.v[1], r.v[3]}};
  } else {
    const Row a = row[0], b = row[1];
    return {{a.v[0], b.v[0]}, {a.v[1], b.v[1]}};
  }
#else
  return {{p[0], p[2]}, {p[1], p[3]}};
#endif
}
template <class R>
WM_HD void store_quad(R* p, const Quad<R>& q) {
#if defined(__CUDA_ARCH__)
  struct alignas(16) Row {
    R v[16 / sizeof(R)];
  };
  Row* const row = reinterpret_cast<Row*>(p);
  if constexpr (sizeof(R) == 4) {
    row[0] = {{q.even.lo, q.odd.lo, q.even.hi, q.odd.hi}};
  } else {
    row[0] = {{q.even.lo, q.odd.lo}};
    row[1] = {{q.even.hi, q.odd.hi}};
  }
#else
  p[0] = q.even.lo;
  p[1] = q.odd.lo;
  p[2] = q.even.hi;
  p[3] = q.odd.hi;
#endif
}

// S half sweeps. Rows are whole quads of cells, and x is coarsened where there is a transfer.
template <class R, int S, bool interpolates, bool restricts>
struct QuadMarchThread {
  static constexpr int lag = S + (restricts ? 1 : 0);  // as in march.hpp
  static constexpr int depth = lag + 2, ring = lag + 1, halo = lag;
  static constexpr int width = 4;  // columns of a thread

  static constexpr int shared_elements(int threads, int chunk) {
    return 4 * threads * ring + (restricts ? 4 * threads : 0) + 4 * (chunk + 2 * halo + 2);
  }

  // Kinds "active" and "passive" in this step; position d is plane q - d.
  Two<R> active[depth], passive[depth];
  Two<R> f_active[lag + 1], f_passive[lag + 1];
  // Along x: the weight between columns of the thread; of each kind, that of what is beyond; both
  // kinds' diagonals along x and y; which element of shared memory is beyond.
  R inner, beyond_a, beyond_p;
  Two<R> diagonal_a, diagonal_p;
  int element_a = 0, element_p = 0;
  R y_lower, y_upper;
  Quad<R> next_u, next_f;

  std::int64_t column = 0;  // offset of the first cell
  int i0 = 0, j0 = 0, thread = 0, row_below = 0, row_above = 0;
  int first_plane = 0, k0 = 0, k1 = 0, member = 0, slot = 0;
  bool alive = false, stores = false;

  R share;  // along x and y
  Two<R> sum;
  int published = -1;  // coarse plane that was published in the step before

  std::int64_t coarse_column[3], coarse_row[2];  // columns: beyond, of the thread, beyond
  // Weights of near and far coarse columns: of the first cell, those between, of the last one.
  R near_first, far_first, near_inner, far_inner, near_last, far_last, row_weight[2];
  Quad<R> coarse_lower, coarse_upper;
  int coarse_plane = -1000000;  // of coarse_upper

  Two<R>* planes = nullptr;  // [slot][even, odd][thread]
  Two<R>* sums = nullptr;    // [step parity][thread]
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

  WM_HD void start(const MarchArrays<R>& m, R* shared, int block, int t) {
    const MarchShape& s = m.shape;
    const LevelArrays<R>& a = m.level;
    const int tile = block % (s.tiles[0] * s.tiles[1]);
    k0 = block / (s.tiles[0] * s.tiles[1]) * s.chunk;
    k1 = k0 + s.chunk < a.n[2] ? k0 + s.chunk : a.n[2];
    const bool ring_z = a.below[2] == a.n[2] - 1 && a.n[2] > 1;
    first_plane = !ring_z && k0 - halo < 0 ? 0 : k0 - halo;

    planes = reinterpret_cast<Two<R>*>(shared);
    sums = planes + 2 * s.threads * ring;
    weights = reinterpret_cast<PlaneWeights<R>*>(sums + (restricts ? 2 * s.threads : 0));
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
    const Two<R> zero{R(0), R(0)};
    // What is not there must be a number: it is multiplied by weights of 0.
    WM_UNROLL
    for (int p = 0; p < 2 * ring; ++p) planes[p * s.threads + t] = zero;
    const int quad = t % s.pairs, row = t / s.pairs, rows = s.threads / s.pairs;
    const int i_tile = tile % s.tiles[0] * s.tile[0], j_tile = tile / s.tiles[0] * s.tile[1];
    const int i = i_tile - s.halo_x + 4 * quad, j = j_tile - s.halo_y + row;
    i0 = cell(a, 0, i);
    j0 = cell(a, 1, j);
    alive = i0 >= 0 && j0 >= 0;
    stores = alive && i >= i_tile && i < i_tile + s.tile[0] && i < a.n[0] && j >= j_tile &&
             j < j_tile + s.tile[1] && j < a.n[1];
    column = alive ? i0 + std::int64_t(j0) * a.stride[1] : 0;
    row_below = row > 0 ? t - s.pairs : t;
    row_above = row < rows - 1 ? t + s.pairs : t;

    const int ix = alive ? i0 : 0, jy = alive ? j0 : 0;
    const auto there = [&](R value) { return alive ? value : R(0); };
    inner = there(a.upper[0][ix]);
    y_lower = there(a.lower[1][jy]);
    y_upper = there(a.upper[1][jy]);
    const R dy = alive ? a.diagonal[1][jy] : R(1);
    // At step q the kind of parity (j + q - 1) is active; step() exchanges the two first.
    member = (j + first_plane + a.parity) & 1;
    const R* const dx = a.diagonal[0] + ix;
    const Two<R> even{dx[0] + dy, dx[2] + dy}, odd{dx[1] + dy, dx[3] + dy};
    const R low = there(a.lower[0][ix]), up = there(a.upper[0][ix + 3]);
    // Beyond the even ones is the odd hi of the quad below, beyond the odd ones the even lo of the
    // one above.
    const int below = 2 * (quad > 0 ? t - 1 : t) + 1, above = 2 * (quad < s.pairs - 1 ? t + 1 : t);
    diagonal_a = member ? odd : even;
    diagonal_p = member ? even : odd;
    beyond_a = member ? up : low;
    beyond_p = member ? low : up;
    element_a = member ? above : below;
    element_p = member ? below : above;
    WM_UNROLL
    for (int d = 0; d < depth; ++d) active[d] = passive[d] = zero;
    WM_UNROLL
    for (int d = 0; d <= lag; ++d) f_active[d] = f_passive[d] = zero;
    slot = 0;
    if constexpr (restricts) {
      share = alive ? m.transfer.share[0][ix] * m.transfer.share[1][jy] : R(0);
      sum = zero;
    }
    if constexpr (interpolates) start_interpolation(m, ix, jy);
    fetch(m, first_plane);
  }

  WM_HD void start_interpolation(const MarchArrays<R>& m, int i, int j) {
    const LevelArrays<R>& c = m.coarse;
    const TransferArrays<R>& t = m.transfer;
    const auto beside = [&](int axis, int n) {
      return n < 0 ? c.below[axis] : n >= c.n[axis] ? c.above[axis] : n;
    };
    coarse_column[0] = beside(0, i / 2 - 1);
    coarse_column[1] = i / 2;
    coarse_column[2] = beside(0, i / 2 + 2);
    near_first = t.near[0][i];
    far_first = t.far[0][i];
    near_inner = t.near[0][i + 1];
    far_inner = t.far[0][i + 1];
    near_last = t.near[0][i + 3];
    far_last = t.far[0][i + 3];
    const int own = t.coarsened[1] ? j / 2 : j;
    coarse_row[0] = std::int64_t(own) * c.stride[1];
    coarse_row[1] = t.coarsened[1]
                        ? std::int64_t(beside(1, j % 2 == 0 ? own - 1 : own + 1)) * c.stride[1]
                        : coarse_row[0];
    row_weight[0] = t.near[1][j];
    row_weight[1] = t.far[1][j];
  }

  // The coarse solution interpolated along x and y, on one coarse plane.
  WM_HD Quad<R> coarse_values(const MarchArrays<R>& m, int plane) const {
    const LevelArrays<R>& c = m.coarse;
    const int k = plane < 0 ? c.below[2] : plane >= c.n[2] ? c.above[2] : plane;
    const R* const near = c.u + std::int64_t(k) * c.stride[2] + coarse_row[0];
    const R* const far = c.u + std::int64_t(k) * c.stride[2] + coarse_row[1];
    const auto along_y = [&](R n, R f) { return fma_(row_weight[1], f, row_weight[0] * n); };
    const Pair<R> own_near = load_pair(near + coarse_column[1]),
                  own_far = load_pair(far + coarse_column[1]);
    const R below = along_y(near[coarse_column[0]], far[coarse_column[0]]);
    const R above = along_y(near[coarse_column[2]], far[coarse_column[2]]);
    const R first = along_y(own_near.even, own_far.even), last = along_y(own_near.odd, own_far.odd);
    return {{fma_(near_first, first, far_first * below), fma_(near_inner, last, far_inner * first)},
            {fma_(near_inner, first, far_inner * last), fma_(near_last, last, far_last * above)}};
  }

  // Values of plane q, to be used in step q.
  WM_HD void fetch(const MarchArrays<R>& m, int q) {
    const Two<R> zero{R(0), R(0)};
    next_u = next_f = {zero, zero};
    const int k = q < k1 + halo ? cell(m.level, 2, q) : -1;
    if (k < 0 || !alive) return;
    const std::int64_t at = column + std::int64_t(k) * m.level.stride[2];
    next_f = load_quad(m.level.f + at);
    if (m.in != nullptr) next_u = load_quad(m.in + at);
    if constexpr (interpolates) {
      const bool halves = m.transfer.coarsened[2];
      // Coarse planes below and above the centre of plane k; k itself where z is not coarsened.
      const int upper = halves ? (k + 1) / 2 : k;
      if (upper != coarse_plane) {
        coarse_lower = upper == coarse_plane + 1 ? coarse_upper : coarse_values(m, upper - 1);
        coarse_upper = coarse_values(m, upper);
        coarse_plane = upper;
      }
      // An even plane's own coarse plane is the upper one.
      const R near = m.transfer.near[2][k], far = m.transfer.far[2][k];
      const bool own_is_upper = !halves || k % 2 == 0;
      const R w_lower = own_is_upper ? far : near, w_upper = own_is_upper ? near : far;
      const auto add = [&](Two<R>& to, const Two<R>& lower, const Two<R>& above) {
        to.lo += fma_(w_upper, above.lo, w_lower * lower.lo);
        to.hi += fma_(w_upper, above.hi, w_lower * lower.hi);
      };
      add(next_u.even, coarse_lower.even, coarse_upper.even);
      add(next_u.odd, coarse_lower.odd, coarse_upper.odd);
    }
  }

  WM_HD Two<R>* plane_of(const MarchShape& s, int lag_of, int kind) const {
    const int at = slot >= lag_of ? slot - lag_of : slot - lag_of + ring;
    return planes + (2 * at + kind) * s.threads;
  }

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
      Two<R>* const same = plane_of(s, h, member);
      const PlaneWeights<R> z = plane_weights(w, q, h);
      const Two<R> around =
          neighbours(member, beyond_a, element_a, passive[h], plane_of(s, h, 1 - member), same,
                     active[h + 1], active[h - 1], z, f_active[h]);
      const R omega = m.omega[h - 1];
      const auto relax = [&](R own, R total, R diagonal) {
        return fma_(omega, total * rcp_(diagonal + z.diagonal) - own, own);
      };
      active[h] = {relax(active[h].lo, around.lo, diagonal_a.lo),
                   relax(active[h].hi, around.hi, diagonal_a.hi)};
      same[thread] = active[h];
    }
    const int k_out = q - S;
    if (stores && k_out >= k0 && k_out < k1) {
      const Quad<R> value =
          member ? Quad<R>{passive[S], active[S]} : Quad<R>{active[S], passive[S]};
      store_quad(m.out + column + std::int64_t(k_out) * m.level.stride[2], value);
    }
    plane_of(s, 0, member)[thread] = active[0];
    plane_of(s, 0, 1 - member)[thread] = passive[0];
    if constexpr (restricts) restrict_plane(m, q, w);
  }

  // After the last step and a barrier.
  WM_HD void finish(const MarchArrays<R>& m) {
    if (restricts && published >= 0) write_coarse(m, end_step() - 1);
  }

 private:
  // Sum of the neighbours' parts of L phi, less f, for two cells of a kind: `between` are the two
  // of the other kind, `other` and `same` the planes of shared memory.
  WM_HD Two<R> neighbours(int kind, R beyond_weight, int element, const Two<R>& between,
                          const Two<R>* other, const Two<R>* same, const Two<R>& z_lower,
                          const Two<R>& z_upper, const PlaneWeights<R>& z, const Two<R>& f) const {
    const R beyond = reinterpret_cast<const R*>(other)[element];
    const Two<R> below = same[row_below], above = same[row_above];
    const auto total = [&](R near, R weight, R far, R y0, R y1, R z0, R z1, R right) {
      R t = fma_(inner, near, -right);
      t = fma_(weight, far, t);
      t = fma_(y_lower, y0, t);
      t = fma_(y_upper, y1, t);
      t = fma_(z.lower, z0, t);
      return fma_(z.upper, z1, t);
    };
    return {total(between.lo, kind ? inner : beyond_weight, kind ? between.hi : beyond, below.lo,
                  above.lo, z_lower.lo, z_upper.lo, f.lo),
            total(between.hi, kind ? beyond_weight : inner, kind ? beyond : between.lo, below.hi,
                  above.hi, z_lower.hi, z_upper.hi, f.hi)};
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
      const Two<R> a = passive[d - 1];
      passive[d] = active[d - 1];
      active[d] = a;
    }
    WM_UNROLL
    for (int d = lag; d > 0; --d) {
      const Two<R> a = f_passive[d - 1];
      f_passive[d] = f_active[d - 1];
      f_active[d] = a;
    }
    exchange(diagonal_a, diagonal_p);
    exchange(beyond_a, beyond_p);
    exchange(element_a, element_p);
    member = 1 - member;
    slot = slot + 1 == ring ? 0 : slot + 1;
  }

  // Residual of plane q - S - 1, whose values are final; its neighbours of the plane are those of
  // the step before.
  WM_HD void restrict_plane(const MarchArrays<R>& m, int q, const PlaneWeights<R>* w) {
    constexpr int d = S + 1;
    const int k = q - d;
    published = -1;
    if (k < k0 || k >= k1) return;
    const MarchShape& s = m.shape;
    const Two<R>* const same = plane_of(s, d, member);
    const Two<R>* const other = plane_of(s, d, 1 - member);
    const PlaneWeights<R> z = w[-d];
    const Two<R> ta = neighbours(member, beyond_a, element_a, passive[d], other, same,
                                 active[d + 1], active[d - 1], z, f_active[d]);
    const Two<R> tp = neighbours(1 - member, beyond_p, element_p, active[d], same, other,
                                 passive[d + 1], passive[d - 1], z, f_passive[d]);
    // f - L phi is the diagonal's part less that of the neighbours.
    const R lo = fma_(diagonal_a.lo + z.diagonal, active[d].lo, -ta.lo) +
                 fma_(diagonal_p.lo + z.diagonal, passive[d].lo, -tp.lo);
    const R hi = fma_(diagonal_a.hi + z.diagonal, active[d].hi, -ta.hi) +
                 fma_(diagonal_p.hi + z.diagonal, passive[d].hi, -tp.hi);
    sum = {fma_(share * z.share, lo, sum.lo), fma_(share * z.share, hi, sum.hi)};
    if (m.transfer.coarsened[2] && k % 2 == 0) return;
    sums[(q & 1) * s.threads + thread] = sum;
    sum = {R(0), R(0)};
    published = m.transfer.coarsened[2] ? k / 2 : k;
  }

  // What was published in step q: rows are added here.
  WM_HD void write_coarse(const MarchArrays<R>& m, int q) {
    const bool rows = m.transfer.coarsened[1];
    if (!stores || (rows && j0 % 2 != 0)) return;
    const Two<R>* const from = sums + (q & 1) * m.shape.threads;
    Two<R> total = from[thread];
    if (rows) {
      total.lo += from[row_above].lo;
      total.hi += from[row_above].hi;
    }
    const LevelArrays<R>& c = m.coarse;
    store_pair(c.f + i0 / 2 + std::int64_t(rows ? j0 / 2 : j0) * c.stride[1] +
                   std::int64_t(published) * c.stride[2],
               Pair<R>{total.lo, total.hi});
  }
};

}  // namespace watersmeet::solve
