#pragma once
// Several half sweeps of red-black relaxation in one pass over a level: a thread block takes a tile
// in x and y and marches along z with a pipeline of planes, in which each half sweep lags one plane
// behind the one before. On request the correction of the coarse level is interpolated on the way
// in, and the residual restricted on the way out. Every value is the one that separate sweeps give.
//
//   plane      q        loaded (+ interpolation)      half sweep h needs its plane's neighbours
//              q - 1    half sweep 1 (red)            after h - 1 and before h: the plane above is
//              q - 2    half sweep 2 (black)          one half sweep behind it, the one below one
//              ...                                    ahead, and both in the same thread.
//              q - S    half sweep S: final, stored
//              q - S-1  residual, restricted
//
// A thread owns the pairs of columns (2 p, 2 p + 1) of a row: half sweep h of step q changes the
// same one of the two for all h, the other one in step q + 1, so that a step of the pipeline is a
// renaming of registers. Neighbours along z are in its registers; those of the plane come from
// shared memory, where each step writes what no thread reads before the next step: one barrier a
// step. Around the tile a halo as wide as the pipeline is deep is computed as well.
//
// The struct is one thread's share of the work; a kernel calls start(), then step() for every
// plane, with barriers between. Tests run it on the CPU, thread after thread.

#include <cstdint>

#include "solve/multigrid/march_arrays.hpp"
#include "solve/multigrid/stencil.hpp"

namespace watersmeet::solve {

// S half sweeps.
template <class R, int S, bool interpolates, bool restricts>
struct MarchThread {
  static constexpr int lag = S + (restricts ? 1 : 0);  // steps from loading to the last use
  static constexpr int depth = lag + 2;                // planes in registers
  static constexpr int ring = lag + 1;                 // planes in shared memory
  static constexpr int halo = lag;

  // Elements of shared memory: planes of both columns, published sums, weights of the planes.
  static constexpr int shared_elements(int threads, int chunk) {
    return 2 * threads * ring + (restricts ? 4 * threads : 0) + 4 * (chunk + 2 * halo + 2);
  }

  // Columns "active" and "passive" in this step; position d is plane q - d.
  R active[depth], passive[depth];
  R f_active[lag + 1], f_passive[lag + 1];
  // Weights of the two columns: of the other one of the pair, of the neighbour beyond, diagonal.
  R partner_a, beyond_a, diagonal_a, partner_p, beyond_p, diagonal_p;
  R y_lower, y_upper, y_diagonal;
  Pair<R> next_u, next_f;

  std::int64_t column = 0;  // offset of the even cell
  int i0 = 0, j0 = 0, thread = 0, row_below = 0, row_above = 0, pair_below = 0, pair_above = 0;
  int first_plane = 0, k0 = 0, k1 = 0, member = 0, slot = 0;
  bool alive_even = false, alive_odd = false, stores = false;

  // Restriction.
  R share_even, share_odd, share_y, sum_even, sum_odd;
  int published = -1;  // coarse plane that was published in the step before
  // Interpolation: three coarse columns, two rows, and the values at two coarse planes.
  std::int64_t coarse_column[3], coarse_row[2];
  R even_weight[3], odd_weight[3], row_weight[2];
  Pair<R> coarse_lower, coarse_upper;
  int coarse_plane = -1000000;  // of coarse_upper

  R* planes = nullptr;  // [slot][even, odd][thread]
  R* sums = nullptr;    // [step parity][even, odd][thread]
  PlaneWeights<R>* weights = nullptr;

  // Cell index on an axis: wrapped where periodic; -1 beyond a side.
  WM_HD static int cell(const LevelArrays<R>& a, int axis, int i) {
    const int n = a.n[axis];
    if (i >= 0 && i < n) return i;
    if (a.below[axis] != n - 1 || n == 1) return -1;
    int wrapped = i % n;
    return wrapped < 0 ? wrapped + n : wrapped;
  }

  WM_HD int first_step() const { return first_plane; }
  WM_HD int end_step() const { return k1 + lag; }

  // Part of the weights of the planes, and everything of the thread itself.
  WM_HD void start(const MarchArrays<R>& m, R* shared, int block, int t) {
    const MarchShape& s = m.shape;
    const LevelArrays<R>& a = m.level;
    const int tile = block % (s.tiles[0] * s.tiles[1]);
    k0 = block / (s.tiles[0] * s.tiles[1]) * s.chunk;
    k1 = k0 + s.chunk < a.n[2] ? k0 + s.chunk : a.n[2];
    // Nothing lies below a side: the pipeline may start there.
    const bool ring_z = a.below[2] == a.n[2] - 1 && a.n[2] > 1;
    first_plane = !ring_z && k0 - halo < 0 ? 0 : k0 - halo;

    planes = shared;
    sums = planes + 2 * s.threads * ring;
    weights = reinterpret_cast<PlaneWeights<R>*>(sums + (restricts ? 4 * s.threads : 0));
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
    for (int p = 0; p < 2 * ring; ++p) planes[p * s.threads + t] = R(0);
    const int pair = t % s.pairs, row = t / s.pairs, rows = s.threads / s.pairs;
    const int i_tile = tile % s.tiles[0] * s.tile[0], j_tile = tile / s.tiles[0] * s.tile[1];
    const int i = i_tile - s.halo_x + 2 * pair, j = j_tile - s.halo_y + row;
    i0 = cell(a, 0, i);
    j0 = cell(a, 1, j);
    const int odd = cell(a, 0, i + 1);
    alive_even = i0 >= 0 && j0 >= 0;
    alive_odd = odd >= 0 && j0 >= 0;
    stores = alive_even && i >= i_tile && i < i_tile + s.tile[0] && i < a.n[0] && j >= j_tile &&
             j < j_tile + s.tile[1] && j < a.n[1];
    column = alive_even ? i0 + std::int64_t(j0) * a.stride[1] : 0;
    row_below = row > 0 ? t - s.pairs : t;
    row_above = row < rows - 1 ? t + s.pairs : t;
    pair_below = pair > 0 ? t - 1 : t;
    pair_above = pair < s.pairs - 1 ? t + 1 : t;

    // What does not exist has weights of 0 and values of 0.
    y_lower = j0 >= 0 ? a.lower[1][j0] : R(0);
    y_upper = j0 >= 0 ? a.upper[1][j0] : R(0);
    y_diagonal = j0 >= 0 ? a.diagonal[1][j0] : R(1);
    // At step q the column of parity (j + q - 1) is active; step() exchanges the two first.
    member = (j + first_plane + a.parity) & 1;
    const R even[3] = {alive_even ? a.upper[0][i0] : R(0), alive_even ? a.lower[0][i0] : R(0),
                       alive_even ? a.diagonal[0][i0] : R(1)};
    const R last[3] = {alive_odd ? a.lower[0][odd] : R(0), alive_odd ? a.upper[0][odd] : R(0),
                       alive_odd ? a.diagonal[0][odd] : R(1)};
    partner_a = member ? last[0] : even[0];
    beyond_a = member ? last[1] : even[1];
    diagonal_a = member ? last[2] : even[2];
    partner_p = member ? even[0] : last[0];
    beyond_p = member ? even[1] : last[1];
    diagonal_p = member ? even[2] : last[2];
    WM_UNROLL
    for (int d = 0; d < depth; ++d) active[d] = passive[d] = R(0);
    WM_UNROLL
    for (int d = 0; d <= lag; ++d) f_active[d] = f_passive[d] = R(0);
    slot = 0;
    if constexpr (restricts) {
      share_even = alive_even ? m.transfer.share[0][i0] : R(0);
      share_odd = alive_odd ? m.transfer.share[0][odd] : R(0);
      share_y = j0 >= 0 ? m.transfer.share[1][j0] : R(0);
      sum_even = sum_odd = R(0);
    }
    if constexpr (interpolates) start_interpolation(m, odd);
    fetch(m, first_plane);
  }

  WM_HD void start_interpolation(const MarchArrays<R>& m, int odd) {
    const LevelArrays<R>& c = m.coarse;
    const TransferArrays<R>& t = m.transfer;
    const auto beside = [&](int axis, int i) {
      return i < 0 ? c.below[axis] : i >= c.n[axis] ? c.above[axis] : i;
    };
    WM_UNROLL
    for (int w = 0; w < 3; ++w) even_weight[w] = odd_weight[w] = R(0);
    const int i = alive_even ? i0 : 0, j = j0 >= 0 ? j0 : 0;
    if (t.coarsened[0]) {
      const int own = i / 2;
      coarse_column[0] = beside(0, own - 1);
      coarse_column[1] = own;
      coarse_column[2] = beside(0, own + 1);
      if (alive_even) even_weight[0] = t.far[0][i], even_weight[1] = t.near[0][i];
      if (alive_odd) odd_weight[1] = t.near[0][odd], odd_weight[2] = t.far[0][odd];
    } else {
      coarse_column[0] = coarse_column[1] = i;
      coarse_column[2] = alive_odd ? odd : i;
      if (alive_even) even_weight[1] = R(1);
      if (alive_odd) odd_weight[2] = R(1);
    }
    const int own = t.coarsened[1] ? j / 2 : j;
    coarse_row[0] = std::int64_t(own) * c.stride[1];
    coarse_row[1] = t.coarsened[1]
                        ? std::int64_t(beside(1, j % 2 == 0 ? own - 1 : own + 1)) * c.stride[1]
                        : coarse_row[0];
    row_weight[0] = t.near[1][j];
    row_weight[1] = t.far[1][j];
  }

  // The coarse solution interpolated along x and y, on one coarse plane.
  WM_HD Pair<R> coarse_values(const MarchArrays<R>& m, int plane) const {
    const LevelArrays<R>& c = m.coarse;
    const int k = plane < 0 ? c.below[2] : plane >= c.n[2] ? c.above[2] : plane;
    const R* const from = c.u + std::int64_t(k) * c.stride[2];
    R value[3];
    WM_UNROLL
    for (int w = 0; w < 3; ++w) {
      const R* const at = from + coarse_column[w];
      value[w] = fma_(row_weight[1], at[coarse_row[1]], row_weight[0] * at[coarse_row[0]]);
    }
    Pair<R> r{R(0), R(0)};
    WM_UNROLL
    for (int w = 0; w < 3; ++w) {
      r.even = fma_(even_weight[w], value[w], r.even);
      r.odd = fma_(odd_weight[w], value[w], r.odd);
    }
    return r;
  }

  // Values of plane q, to be used in step q.
  WM_HD void fetch(const MarchArrays<R>& m, int q) {
    next_u = next_f = {R(0), R(0)};
    const int k = q < k1 + halo ? cell(m.level, 2, q) : -1;
    if (k < 0) return;
    const std::int64_t at = column + std::int64_t(k) * m.level.stride[2];
    if (alive_even) {
      next_f = load_pair(m.level.f + at);
      if (m.in != nullptr) next_u = load_pair(m.in + at);
    }
    if (!alive_odd) next_f.odd = next_u.odd = R(0);
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
      if (alive_even) {
        next_u.even += fma_(w_upper, coarse_upper.even, w_lower * coarse_lower.even);
        next_u.odd += fma_(w_upper, coarse_upper.odd, w_lower * coarse_lower.odd);
      }
    }
  }

  WM_HD R* plane_of(const MarchShape& s, int lag_of, int column_of) const {
    const int at = slot >= lag_of ? slot - lag_of : slot - lag_of + ring;
    return planes + (2 * at + column_of) * s.threads;
  }

  // One barrier between two calls.
  WM_HD void step(const MarchArrays<R>& m, int q) {
    const MarchShape& s = m.shape;
    rename();
    const Pair<R> u = next_u, right = next_f;
    active[0] = member ? u.odd : u.even;
    passive[0] = member ? u.even : u.odd;
    f_active[0] = member ? right.odd : right.even;
    f_passive[0] = member ? right.even : right.odd;
    if (restricts && published >= 0) write_coarse(m, q - 1);
    fetch(m, q + 1);

    const PlaneWeights<R>* const w = weights + (q - (k0 - halo - 1));
    const int beyond = member ? pair_above : pair_below;
    WM_UNROLL
    for (int h = 1; h <= S; ++h) {
      R* const same = plane_of(s, h, member);
      const R* const other = plane_of(s, h, 1 - member);
      const PlaneWeights<R> z = plane_weights(w, q, h);
      const PointWeights<R> weight{partner_a,
                                   beyond_a,
                                   y_lower,
                                   y_upper,
                                   z.lower,
                                   z.upper,
                                   diagonal_a + y_diagonal + z.diagonal};
      const Neighbours<R> around{passive[h],      other[beyond], same[row_below],
                                 same[row_above], active[h + 1], active[h - 1]};
      active[h] = relaxed(weight, around, active[h], f_active[h], m.omega[h - 1]);
      same[thread] = active[h];
    }
    const int k_out = q - S;
    if (stores && k_out >= k0 && k_out < k1) {
      R* const to = m.out + column + std::int64_t(k_out) * m.level.stride[2];
      const Pair<R> value =
          member ? Pair<R>{passive[S], active[S]} : Pair<R>{active[S], passive[S]};
      if (alive_odd) {
        store_pair(to, value);
      } else {
        *to = value.even;
      }
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
  // Planes before the first one that was loaded have no weights in the table.
  WM_HD PlaneWeights<R> plane_weights(const PlaneWeights<R>* w, int q, int d) const {
    return q - d >= k0 - halo - 1 ? w[-d] : weights[0];
  }

  WM_HD void rename() {
    WM_UNROLL
    for (int d = depth - 1; d > 0; --d) {
      const R a = passive[d - 1];
      passive[d] = active[d - 1];
      active[d] = a;
    }
    WM_UNROLL
    for (int d = lag; d > 0; --d) {
      const R a = f_passive[d - 1];
      f_passive[d] = f_active[d - 1];
      f_active[d] = a;
    }
    exchange(partner_a, partner_p);
    exchange(beyond_a, beyond_p);
    exchange(diagonal_a, diagonal_p);
    member = 1 - member;
    slot = slot + 1 == ring ? 0 : slot + 1;
  }
  WM_HD static void exchange(R& a, R& b) {
    const R c = a;
    a = b;
    b = c;
  }

  // Residual of plane q - S - 1, whose values are final; its neighbours of the plane are those of
  // the step before.
  WM_HD void restrict_plane(const MarchArrays<R>& m, int q, const PlaneWeights<R>* w) {
    constexpr int d = S + 1;
    const int k = q - d;
    published = -1;
    if (k < k0 || k >= k1) return;
    const MarchShape& s = m.shape;
    const R* const same = plane_of(s, d, member);
    const R* const other = plane_of(s, d, 1 - member);
    const PlaneWeights<R> z = w[-d];
    const int beyond = member ? pair_above : pair_below, before = member ? pair_below : pair_above;
    const PointWeights<R> wa{partner_a,
                             beyond_a,
                             y_lower,
                             y_upper,
                             z.lower,
                             z.upper,
                             diagonal_a + y_diagonal + z.diagonal};
    const R ra = residual_of(wa,
                             Neighbours<R>{passive[d], other[beyond], same[row_below],
                                           same[row_above], active[d + 1], active[d - 1]},
                             active[d], f_active[d]);
    const PointWeights<R> wp{partner_p,
                             beyond_p,
                             y_lower,
                             y_upper,
                             z.lower,
                             z.upper,
                             diagonal_p + y_diagonal + z.diagonal};
    const R rp = residual_of(wp,
                             Neighbours<R>{active[d], same[before], other[row_below],
                                           other[row_above], passive[d + 1], passive[d - 1]},
                             passive[d], f_passive[d]);
    const R share = share_y * z.share;
    const R even = share_even * (member ? rp : ra), odd = share_odd * (member ? ra : rp);
    if (m.transfer.coarsened[0]) {
      sum_even = fma_(share, even + odd, sum_even);
    } else {
      sum_even = fma_(share, even, sum_even);
      sum_odd = fma_(share, odd, sum_odd);
    }
    if (m.transfer.coarsened[2] && k % 2 == 0) return;
    R* const to = sums + 2 * (q & 1) * s.threads;
    to[thread] = sum_even;
    to[s.threads + thread] = sum_odd;
    sum_even = sum_odd = R(0);
    published = m.transfer.coarsened[2] ? k / 2 : k;
  }

  // What was published in step q: rows are added here.
  WM_HD void write_coarse(const MarchArrays<R>& m, int q) {
    if (!stores || (m.transfer.coarsened[1] && j0 % 2 != 0)) return;
    const R* const from = sums + 2 * (q & 1) * m.shape.threads;
    const bool rows = m.transfer.coarsened[1];
    R even = from[thread], odd = from[m.shape.threads + thread];
    if (rows) {
      even += from[row_above];
      odd += from[m.shape.threads + row_above];
    }
    const LevelArrays<R>& c = m.coarse;
    R* const to = c.f + std::int64_t(rows ? j0 / 2 : j0) * c.stride[1] +
                  std::int64_t(published) * c.stride[2];
    if (m.transfer.coarsened[0]) {
      to[i0 / 2] = even;
    } else {
      to[i0] = even;
      if (alive_odd) to[i0 + 1] = odd;
    }
  }
};

}  // namespace watersmeet::solve
