#pragma once
// The loops of vectors.hpp on the CPU; sums as in outer_cpu.hpp. Included by CPU instantiation
// files only.

#include "solve/multigrid/kernels_cpu.hpp"
#include "solve/multigrid/vectors.hpp"

namespace watersmeet::solve::detail {

template <class R, class X>
void combine_cpu(const LevelArrays<R>& y, const LevelArrays<X>& x, double x_factor, double y_factor,
                 int threads) {
  for_rows(y, threads, [&](int j, int k) {
    R* const to = row_at(y, y.u, j, k);
    const X* const from = row_at(x, x.u, j, k);
    if (y_factor == 0) {  // what stands there may be no number
      for (int i = 0; i < y.n[0]; ++i) to[i] = R(x_factor) * R(from[i]);
    } else {
      for (int i = 0; i < y.n[0]; ++i) to[i] = R(x_factor) * R(from[i]) + R(y_factor) * to[i];
    }
    wrap_row(y, to);
  });
}

template <class R>
void apply_cpu(const LevelArrays<R>& a, int threads) {
  using T = Pack<R>;
  constexpr int width = int(T::size());
  for_rows(a, threads, [&](int j, int k) {
    const Row<R> row = make_row(a, j, k);
    R* const to = row_at(a, a.v, j, k);
    for (int i = 0; i < a.n[0]; i += width) {
      const T r = residual_of(weights_at<T>(a, row, i), neighbours_at<T>(row, i),
                              load_as<T>(row.own + i), T(R(0)));
      store_pack(to + i, T(-r), a.n[0] - i);
    }
  });
}

template <class R, class X>
double dot_cpu(const LevelArrays<R>& x, const LevelArrays<X>& y, const CellWidths& widths,
               int threads) {
  constexpr int lanes = 8;
  std::vector<double> rows(std::size_t(x.n[1]) * std::size_t(x.n[2]));
  for_rows(x, threads, [&](int j, int k) {
    const R* const a = row_at(x, x.u, j, k);
    const X* const b = row_at(y, y.u, j, k);
    double sum[lanes] = {}, all = 0;
    for (int i = 0; i < x.n[0]; ++i) {
      sum[i % lanes] += widths.along[0][i] * double(a[i]) * double(b[i]);
    }
    for (const double s : sum) all += s;
    rows[std::size_t(k) * std::size_t(x.n[1]) + std::size_t(j)] =
        all * widths.along[1][j] * widths.along[2][k];
  });
  double all = 0;
  for (const double row : rows) all += row;
  return all;
}

template <class R, class C>
void hand_over_cpu(const LevelArrays<R>& from, const LevelArrays<C>& to, double factor,
                   int threads) {
  for_rows(from, threads, [&](int j, int k) {
    const R* const a = row_at(from, from.f, j, k);
    C* const b = row_at(to, to.f, j, k);
    for (int i = 0; i < from.n[0]; ++i) b[i] = C(a[i] * R(factor));
  });
}

}  // namespace watersmeet::solve::detail
