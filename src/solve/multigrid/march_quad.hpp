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

#include "solve/multigrid/march_pass.hpp"

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
// On the GPU in single precision alone: one access of 16 bytes.
template <class R>
WM_HD Quad<R> load_quad(const R* p) {
#if defined(__CUDA_ARCH__)
  const float4 r = *reinterpret_cast<const float4*>(p);
  return {{r.x, r.z}, {r.y, r.w}};
#else
  return {{p[0], p[2]}, {p[1], p[3]}};
#endif
}
template <class R>
WM_HD void store_quad(R* p, const Quad<R>& q) {
#if defined(__CUDA_ARCH__)
  *reinterpret_cast<float4*>(p) = {q.even.lo, q.odd.lo, q.even.hi, q.odd.hi};
#else
  p[0] = q.even.lo;
  p[1] = q.odd.lo;
  p[2] = q.even.hi;
  p[3] = q.odd.hi;
#endif
}
template <class R>
WM_HD void add_between(Two<R>& value, R w_lower, const Two<R>& lower, R w_upper,
                       const Two<R>& upper) {
  add_between(value.lo, w_lower, lower.lo, w_upper, upper.lo);
  add_between(value.hi, w_lower, lower.hi, w_upper, upper.hi);
}

// S half sweeps. Rows are whole quads of cells, and x is coarsened where there is a transfer.
template <class R, int S, bool interpolates, bool restricts, bool shares = false>
struct QuadMarchThread : MarchPass<QuadMarchThread<R, S, interpolates, restricts, shares>, R,
                                   Two<R>, Quad<R>, S, interpolates, restricts, shares> {
  using Pass = MarchPass<QuadMarchThread, R, Two<R>, Quad<R>, S, interpolates, restricts, shares>;
  using Pass::active, Pass::passive, Pass::f_active, Pass::f_passive, Pass::next_u, Pass::next_f;
  using Pass::alive, Pass::member, Pass::i0, Pass::j0, Pass::thread, Pass::sums;
  using Pass::coarse_column, Pass::coarse_row, Pass::row_weight;
  using Pass::y_lower, Pass::y_upper, Pass::row_below, Pass::row_above, Pass::coarse_cell;

  // Along x: the weight between columns of the thread; of each kind, that of what is beyond; both
  // kinds' diagonals along x and y; which element of shared memory is beyond.
  R inner, beyond_a, beyond_p;
  Two<R> diagonal_a, diagonal_p;
  int element_a = 0, element_p = 0;

  R share;  // along x and y
  Two<R> sum;

  // Weights of near and far coarse columns: of the first cell, those between, of the last one.
  R near_first, far_first, near_inner, far_inner, near_last, far_last;

  WM_HD void start(const MarchArrays<R>& m, R* shared, int block, int t) {
    const LevelArrays<R>& a = m.level;
    this->start_block(m, shared, block, t, 4);
    const int ix = alive ? i0 : 0, jy = alive ? j0 : 0;
    const auto there = [&](R value) { return alive ? value : R(0); };
    inner = there(a.upper[0][ix]);
    y_lower = there(a.lower[1][jy]);
    y_upper = there(a.upper[1][jy]);
    const R dy = alive ? a.diagonal[1][jy] : R(1);
    const R* const dx = a.diagonal[0] + ix;
    const Two<R> even{dx[0] + dy, dx[2] + dy}, odd{dx[1] + dy, dx[3] + dy};
    const R low = there(a.lower[0][ix]), up = there(a.upper[0][ix + 3]);
    const int quad = t % m.shape.pairs;
    // Beyond the even ones is the odd hi of the quad below, beyond the odd ones the even lo of the
    // one above.
    const int below = 2 * (quad > 0 ? t - 1 : t) + 1,
              above = 2 * (quad < m.shape.pairs - 1 ? t + 1 : t);
    diagonal_a = member ? odd : even;
    diagonal_p = member ? even : odd;
    beyond_a = member ? up : low;
    beyond_p = member ? low : up;
    element_a = member ? above : below;
    element_p = member ? below : above;
    if constexpr (restricts) {
      share = alive ? m.transfer.share[0][ix] * m.transfer.share[1][jy] : R(0);
      sum = {};
    }
    if constexpr (interpolates) start_interpolation(m, ix, jy);
    this->fetch(m, this->first_plane);
  }

  WM_HD void start_interpolation(const MarchArrays<R>& m, int i, int j) {
    const TransferArrays<R>& t = m.transfer;
    coarse_column[0] = coarse_cell(m.coarse, 0, i / 2 - 1);
    coarse_column[1] = i / 2;
    coarse_column[2] = coarse_cell(m.coarse, 0, i / 2 + 2);
    near_first = t.near[0][i];
    far_first = t.far[0][i];
    near_inner = t.near[0][i + 1];
    far_inner = t.far[0][i + 1];
    near_last = t.near[0][i + 3];
    far_last = t.far[0][i + 3];
    this->start_coarse_rows(m, j);
  }

  // The coarse solution interpolated along x and y, on one coarse plane.
  WM_HD Quad<R> coarse_values(const MarchArrays<R>& m, int plane) const {
    const R* const from = this->coarse_start(m.coarse, plane);
    const R *const near = from + coarse_row[0], *const far = from + coarse_row[1];
    const auto along_y = [&](R n, R f) { return fma_(row_weight[1], f, row_weight[0] * n); };
    const Pair<R> own_near = load_pair(near + coarse_column[1]),
                  own_far = load_pair(far + coarse_column[1]);
    const R below = along_y(near[coarse_column[0]], far[coarse_column[0]]);
    const R above = along_y(near[coarse_column[2]], far[coarse_column[2]]);
    const R first = along_y(own_near.even, own_far.even), last = along_y(own_near.odd, own_far.odd);
    return {{fma_(near_first, first, far_first * below), fma_(near_inner, last, far_inner * first)},
            {fma_(near_inner, first, far_inner * last), fma_(near_last, last, far_last * above)}};
  }

  WM_HD void fetch_columns(const MarchArrays<R>& m, std::int64_t at) {
    next_f = load_quad(m.level.f + at);
    if (m.in != nullptr) next_u = load_quad(m.in + at);
  }
  WM_HD void store_columns(R* to, const Quad<R>& value) const { store_quad(to, value); }

  WM_HD Two<R> relaxed_values(const MarchArrays<R>& m, int h, const Two<R>* same,
                              const Two<R>* other, const PlaneWeights<R>& z) const {
    const Two<R> around = neighbours(member, beyond_a, element_a, passive[h], other, same,
                                     active[h + 1], active[h - 1], z, f_active[h]);
    const R omega = m.omega[h - 1];
    const auto relax = [&](R own, R total, R diagonal) {
      return fma_(omega, total * rcp_(diagonal + z.diagonal) - own, own);
    };
    return {relax(active[h].lo, around.lo, diagonal_a.lo),
            relax(active[h].hi, around.hi, diagonal_a.hi)};
  }

  WM_HD void rename_columns() {
    this->exchange(diagonal_a, diagonal_p);
    this->exchange(beyond_a, beyond_p);
    this->exchange(element_a, element_p);
  }

  WM_HD void add_residual(const MarchArrays<R>&, const Two<R>* same, const Two<R>* other,
                          const PlaneWeights<R>& z) {
    constexpr int d = S + 1;
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
  }
  WM_HD void publish(const MarchShape& s, int q) {
    sums[(q & 1) * s.threads + thread] = sum;
    sum = {};
  }

  WM_HD Pair<R> add_rows(const MarchArrays<R>& m, int q) const {
    const Two<R>* const from = sums + (q & 1) * m.shape.threads;
    Pair<R> sum{from[thread].lo, from[thread].hi};
    if (m.transfer.coarsened[1]) {
      sum.even += from[row_above].lo;
      sum.odd += from[row_above].hi;
    }
    return sum;
  }
  WM_HD void store_coarse(const MarchArrays<R>&, R* row, const Pair<R>& sum) const {
    store_pair(row + i0 / 2, sum);
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
};

}  // namespace watersmeet::solve
