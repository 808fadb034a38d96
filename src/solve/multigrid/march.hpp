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

#include "solve/multigrid/march_pass.hpp"

namespace watersmeet::solve {

// S half sweeps; a pair of columns a thread.
template <class R, int S, bool interpolates, bool restricts, bool shares = false>
struct MarchThread : MarchPass<MarchThread<R, S, interpolates, restricts, shares>, R, R, Pair<R>, S,
                               interpolates, restricts, shares> {
  using Pass = MarchPass<MarchThread, R, R, Pair<R>, S, interpolates, restricts, shares>;
  using Pass::active, Pass::passive, Pass::f_active, Pass::f_passive, Pass::next_u, Pass::next_f;
  using Pass::alive, Pass::member, Pass::i0, Pass::j0, Pass::thread, Pass::sums;
  using Pass::coarse_column, Pass::coarse_row, Pass::row_weight;
  using Pass::y_lower, Pass::y_upper, Pass::row_below, Pass::row_above, Pass::coarse_cell;

  // Weights of the two columns: of the other one of the pair, of the neighbour beyond, diagonal.
  R partner_a, beyond_a, diagonal_a, partner_p, beyond_p, diagonal_p;
  R y_diagonal;
  int pair_below = 0, pair_above = 0;
  bool alive_odd = false;

  R share_even, share_odd, share_y, sum_even, sum_odd;  // restriction
  R even_weight[3], odd_weight[3];                      // interpolation, of the coarse columns

  // Part of the weights of the planes, and everything of the thread itself.
  WM_HD void start(const MarchArrays<R>& m, R* shared, int block, int t) {
    const MarchShape& s = m.shape;
    const LevelArrays<R>& a = m.level;
    const int odd = this->cell(a, 0, this->start_block(m, shared, block, t, 2) + 1);
    alive_odd = odd >= 0 && j0 >= 0;
    const int pair = t % s.pairs;
    pair_below = pair > 0 ? t - 1 : t;
    pair_above = pair < s.pairs - 1 ? t + 1 : t;

    // What does not exist has weights of 0 and values of 0.
    y_lower = j0 >= 0 ? a.lower[1][j0] : R(0);
    y_upper = j0 >= 0 ? a.upper[1][j0] : R(0);
    y_diagonal = j0 >= 0 ? a.diagonal[1][j0] : R(1);
    const R even[3] = {alive ? a.upper[0][i0] : R(0), alive ? a.lower[0][i0] : R(0),
                       alive ? a.diagonal[0][i0] : R(1)};
    const R last[3] = {alive_odd ? a.lower[0][odd] : R(0), alive_odd ? a.upper[0][odd] : R(0),
                       alive_odd ? a.diagonal[0][odd] : R(1)};
    partner_a = member ? last[0] : even[0];
    beyond_a = member ? last[1] : even[1];
    diagonal_a = member ? last[2] : even[2];
    partner_p = member ? even[0] : last[0];
    beyond_p = member ? even[1] : last[1];
    diagonal_p = member ? even[2] : last[2];
    if constexpr (restricts) {
      share_even = alive ? m.transfer.share[0][i0] : R(0);
      share_odd = alive_odd ? m.transfer.share[0][odd] : R(0);
      share_y = j0 >= 0 ? m.transfer.share[1][j0] : R(0);
      sum_even = sum_odd = R(0);
    }
    if constexpr (interpolates) start_interpolation(m, odd);
    this->fetch(m, this->first_plane);
  }

  WM_HD void start_interpolation(const MarchArrays<R>& m, int odd) {
    const TransferArrays<R>& t = m.transfer;
    WM_UNROLL
    for (int w = 0; w < 3; ++w) even_weight[w] = odd_weight[w] = R(0);
    const int i = alive ? i0 : 0;
    if (t.coarsened[0]) {
      const int own = i / 2;
      coarse_column[0] = coarse_cell(m.coarse, 0, own - 1);
      coarse_column[1] = own;
      coarse_column[2] = coarse_cell(m.coarse, 0, own + 1);
      if (alive) even_weight[0] = t.far[0][i], even_weight[1] = t.near[0][i];
      if (alive_odd) odd_weight[1] = t.near[0][odd], odd_weight[2] = t.far[0][odd];
    } else {
      coarse_column[0] = coarse_column[1] = i;
      coarse_column[2] = alive_odd ? odd : i;
      if (alive) even_weight[1] = R(1);
      if (alive_odd) odd_weight[2] = R(1);
    }
    this->start_coarse_rows(m, j0 >= 0 ? j0 : 0);
  }

  // The coarse solution interpolated along x and y, on one coarse plane.
  WM_HD Pair<R> coarse_values(const MarchArrays<R>& m, int plane) const {
    const R* const from = this->coarse_start(m.coarse, plane);
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

  WM_HD void fetch_columns(const MarchArrays<R>& m, std::int64_t at) {
    next_f = load_pair(m.level.f + at);
    if (m.in != nullptr) next_u = load_pair(m.in + at);
    if (!alive_odd) next_f.odd = next_u.odd = R(0);
  }
  WM_HD void store_columns(R* to, const Pair<R>& value) const {
    if (alive_odd) {
      store_pair(to, value);
    } else {
      *to = value.even;
    }
  }

  WM_HD R relaxed_values(const MarchArrays<R>& m, int h, const R* same, const R* other,
                         const PlaneWeights<R>& z) const {
    const Neighbours<R> around{passive[h],      other[member ? pair_above : pair_below],
                               same[row_below], same[row_above],
                               active[h + 1],   active[h - 1]};
    return relaxed(weights_of(partner_a, beyond_a, diagonal_a, z), around, active[h], f_active[h],
                   m.omega[h - 1]);
  }

  WM_HD void rename_columns() {
    this->exchange(partner_a, partner_p);
    this->exchange(beyond_a, beyond_p);
    this->exchange(diagonal_a, diagonal_p);
  }

  WM_HD void add_residual(const MarchArrays<R>& m, const R* same, const R* other,
                          const PlaneWeights<R>& z) {
    constexpr int d = S + 1;
    const int beyond = member ? pair_above : pair_below, before = member ? pair_below : pair_above;
    const R ra = residual_of(weights_of(partner_a, beyond_a, diagonal_a, z),
                             Neighbours<R>{passive[d], other[beyond], same[row_below],
                                           same[row_above], active[d + 1], active[d - 1]},
                             active[d], f_active[d]);
    const R rp = residual_of(weights_of(partner_p, beyond_p, diagonal_p, z),
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
  }
  WM_HD void publish(const MarchShape& s, int q) {
    R* const to = sums + 2 * (q & 1) * s.threads;
    to[thread] = sum_even;
    to[s.threads + thread] = sum_odd;
    sum_even = sum_odd = R(0);
  }

  WM_HD Pair<R> add_rows(const MarchArrays<R>& m, int q) const {
    const R* const from = sums + 2 * (q & 1) * m.shape.threads;
    Pair<R> sum{from[thread], from[m.shape.threads + thread]};
    if (m.transfer.coarsened[1]) {
      sum.even += from[row_above];
      sum.odd += from[m.shape.threads + row_above];
    }
    return sum;
  }
  WM_HD void store_coarse(const MarchArrays<R>& m, R* row, const Pair<R>& sum) const {
    if (m.transfer.coarsened[0]) {
      row[i0 / 2] = sum.even;
    } else {
      row[i0] = sum.even;
      if (alive_odd) row[i0 + 1] = sum.odd;
    }
  }

 private:
  WM_HD PointWeights<R> weights_of(R partner, R beyond, R diagonal,
                                   const PlaneWeights<R>& z) const {
    return {
        partner, beyond, y_lower, y_upper, z.lower, z.upper, diagonal + y_diagonal + z.diagonal};
  }
};

}  // namespace watersmeet::solve
