#pragma once
// The lower part of a cycle by one team of threads with all its levels in fast memory: what a
// kernel a step would spend on these levels is mostly the time of launching. The operations are
// those of cycle.hpp; R is the number type. A Team runs a loop, whose turns do not depend on each
// other, and waits for all of it:
//
//   team.each(count, body)     body(index) for 0 .. count - 1
//
// so that the same code is one thread block of a GPU and, in tests, a loop.

#include "solve/multigrid/cycle.hpp"
#include "solve/multigrid/kernels.hpp"
#include "solve/multigrid/levels.hpp"
#include "solve/multigrid/points.hpp"

namespace watersmeet::solve {

// Quotients by one divisor: exact for numbers below 2^20 and divisors below 2^12.
struct Divider {
  std::uint64_t magic = 0;
  int divisor = 1;
  Divider() = default;
  explicit Divider(int d)
      : magic(((std::uint64_t{1} << 32) + std::uint64_t(d) - 1) / std::uint64_t(d)), divisor(d) {}
  WM_HD int operator()(int number) const { return int(std::uint64_t(number) * magic >> 32); }
};

template <class R>
struct SmallLevel {
  LevelArrays<R> a;  // u and f of the first level are in the level's own memory
  TransferArrays<R> t;
  R before[4] = {}, after[4] = {};  // over-relaxation of the half sweeps
  int u = 0, f = 0;                 // first elements in fast memory; rows without ghosts, [k][j][i]
  Divider row, half_row, rows;
};

// Each has half the cells of the one before, from some 14000 down to 128; and an argument of a
// kernel may have 4 KiB before CUDA 12.1.
inline constexpr int most_small_levels = 8;

template <class R>
struct SmallLevels {
  int count = 0;
  int before = 2, after = 2;
  SmallLevel<R> level[most_small_levels];
  BottomArrays<R> bottom;
  int bottom_work = 0;  // two arrays of the bottom's cells
  int elements = 0;     // of fast memory
};

static_assert(sizeof(SmallLevels<double>) <= 4000);

template <class R, class Team>
class SmallCycle {
 public:
  WM_HD SmallCycle(const SmallLevels<R>& levels, R* fast, const Team& team)
      : s_(levels), fast_(fast), team_(team) {}

  // A whole cycle for the f of the first level, its u being the guess and the result.
  WM_HD void run(Start start) const {
    const SmallLevel<R>& first = s_.level[0];
    R* const u = fast_ + first.u;
    R* const f = fast_ + first.f;
    each_cell(0, [&](int c, int i, int j, int k) {
      const std::int64_t at = address(first.a, i, j, k);
      f[c] = first.a.f[at];
      if (start == Start::current) u[c] = first.a.u[at];
    });
    v_cycle(*this, 0, start);
    each_cell(0, [&](int c, int i, int j, int k) { first.a.u[address(first.a, i, j, k)] = u[c]; });
  }

  WM_HD int coarsest() const { return s_.count - 1; }

  WM_HD void descend(int l, Start start) const {
    if (start == Start::zero) {
      R* const u = fast_ + s_.level[l].u;
      team_.each(cells(l), [&](int c) { u[c] = R(0); });
    }
    smooth(l, s_.before, s_.level[l].before);
    restrict_residual(l);
  }

  WM_HD void ascend(int l) const {
    interpolate(l);
    smooth(l, s_.after, s_.level[l].after);
  }

  WM_HD void solve_coarsest() const {
    const SmallLevel<R>& last = s_.level[s_.count - 1];
    const BottomArrays<R>& b = s_.bottom;
    R* const u = fast_ + last.u;
    R* const f = fast_ + last.f;
    R* const first = fast_ + s_.bottom_work;
    R* const second = first + cells(s_.count - 1);
    transform(f, first, b.forward[0], 0);
    transform(first, second, b.forward[1], 1);
    transform(second, first, b.forward[2], 2);
    each_cell(s_.count - 1, [&](int c, int i, int j, int k) {
      const R sum = b.eigenvalue[0][i] + (b.eigenvalue[1][j] + b.eigenvalue[2][k]);
      first[c] = sum != R(0) ? first[c] / sum : R(0);
    });
    transform(first, second, b.back[2], 2);
    transform(second, first, b.back[1], 1);
    transform(first, u, b.back[0], 0);
  }

 private:
  WM_HD static std::int64_t address(const LevelArrays<R>& a, int i, int j, int k) {
    return std::int64_t(i) * a.stride[0] + std::int64_t(j) * a.stride[1] +
           std::int64_t(k) * a.stride[2];
  }
  WM_HD int cells(int l) const {
    const LevelArrays<R>& a = s_.level[l].a;
    return a.n[0] * a.n[1] * a.n[2];
  }

  // body(cell, i, j, k)
  template <class Body>
  WM_HD void each_cell(int l, const Body& body) const {
    const SmallLevel<R>& level = s_.level[l];
    team_.each(cells(l), [&](int c) {
      const int row = level.row(c), k = level.rows(row);
      body(c, c - row * level.a.n[0], row - k * level.a.n[1], k);
    });
  }

  // Packed values of a level, rows without ghosts.
  struct Values {
    const R* start;
    int y, z;
    WM_HD R operator()(int i, int j, int k) const { return start[k * z + j * y + i]; }
  };
  WM_HD Values values(int l, int first) const {
    const LevelArrays<R>& a = s_.level[l].a;
    return {fast_ + first, a.n[0], a.n[0] * a.n[1]};
  }

  WM_HD void smooth(int l, int sweeps, const R* omegas) const {
    const SmallLevel<R>& level = s_.level[l];
    const LevelArrays<R>& a = level.a;
    R* const u = fast_ + level.u;
    const R* const f = fast_ + level.f;
    const int half = (a.n[0] + 1) / 2;
    for (int h = 0; h < 2 * sweeps; ++h) {
      const R omega = omegas[h < 4 ? h : 3];
      team_.each(half * a.n[1] * a.n[2], [&](int p) {
        const int row = level.half_row(p), k = level.rows(row), j = row - k * a.n[1];
        const int i = 2 * (p - row * half) + ((j + k + h + a.parity) & 1);
        if (i >= a.n[0]) return;
        const int c = row * a.n[0] + i;
        const Around<R> r = around(a, values(l, level.u), i, j, k);
        u[c] = relaxed(r.weights, r.values, u[c], f[c], omega);
      });
    }
  }

  WM_HD void restrict_residual(int l) const {
    const SmallLevel<R>& fine = s_.level[l];
    R* const to = fast_ + s_.level[l + 1].f;
    each_cell(l + 1, [&](int c, int i, int j, int k) {
      to[c] = restricted(fine.a, fine.t, values(l, fine.u), values(l, fine.f), i, j, k);
    });
  }

  WM_HD void interpolate(int l) const {
    const SmallLevel<R>&fine = s_.level[l], &coarse = s_.level[l + 1];
    R* const u = fast_ + fine.u;
    each_cell(l, [&](int c, int i, int j, int k) {
      u[c] += interpolated(fine.t, coarse.a, values(l + 1, coarse.u), i, j, k);
    });
  }

  // out[.., to, ..] = sum over from of matrix[from * n + to] in[.., from, ..] along an axis.
  WM_HD void transform(const R* in, R* out, const R* matrix, int axis) const {
    const int n = s_.bottom.n[axis];
    const int step = axis == 0 ? 1 : axis == 1 ? s_.bottom.n[0] : s_.bottom.n[0] * s_.bottom.n[1];
    each_cell(s_.count - 1, [&](int c, int i, int j, int k) {
      const int to = axis == 0 ? i : axis == 1 ? j : k;
      const R* const line = in + (c - to * step);
      R sum = R(0);
      for (int from = 0; from < n; ++from)
        sum = fma_(matrix[from * n + to], line[from * step], sum);
      out[c] = sum;
    });
  }

  const SmallLevels<R>& s_;
  R* fast_;
  const Team& team_;
};

// Elements of fast memory that levels of these cells need: solution and right-hand side each, and
// the bottom's two arrays.
inline std::int64_t small_elements(const std::int64_t* cells, int count) {
  std::int64_t sum = 2 * cells[count - 1];
  for (int l = 0; l < count; ++l) sum += 2 * cells[l];
  return sum;
}

template <class R>
SmallLevel<R> make_small_level(const LevelArrays<R>& a, const TransferArrays<R>& t,
                               const Relaxation& relaxation) {
  SmallLevel<R> s;
  for (int h = 0; h < 4; ++h) {
    s.before[h] = R(of_half_sweep(relaxation.before, h));
    s.after[h] = R(of_half_sweep(relaxation.after, h));
  }
  s.a = a;
  s.t = t;
  s.row = Divider(a.n[0]);
  s.half_row = Divider((a.n[0] + 1) / 2);
  s.rows = Divider(a.n[1]);
  return s;
}

}  // namespace watersmeet::solve
