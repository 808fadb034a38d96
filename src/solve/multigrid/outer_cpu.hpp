#pragma once
// The loops of outer.hpp on the CPU. Sums are made row by row and then over the rows in their
// order, so that they do not depend on the threads. Included by CPU instantiation files only.

#include <vector>

#include "solve/multigrid/kernels_cpu.hpp"
#include "solve/multigrid/outer.hpp"

namespace watersmeet::solve::detail {

template <class R>
Measured measure_cpu(const LevelArrays<R>& a, const CellWidths& widths, bool right_side,
                     int threads) {
  constexpr int lanes = 8;  // of a row's sum
  std::vector<Measured> rows(std::size_t(a.n[1]) * std::size_t(a.n[2]));
  for_rows(a, threads, [&](int j, int k) {
    const R* const row = row_at(a, right_side ? a.f : a.u, j, k);
    const double* const width = widths.along[0];
    double sum[lanes] = {}, largest[lanes] = {};
    for (int i = 0; i < a.n[0]; ++i) {
      const double value = row[i];
      sum[i % lanes] += width[i] * value;
      largest[i % lanes] = max_or_nan(largest[i % lanes], abs_(value));
    }
    Measured& m = rows[std::size_t(k) * std::size_t(a.n[1]) + std::size_t(j)];
    for (int l = 0; l < lanes; ++l) {
      m.sum += sum[l];
      m.largest = max_or_nan(m.largest, largest[l]);
    }
    m.sum *= widths.along[1][j] * widths.along[2][k];
  });
  Measured all;
  for (const Measured& m : rows) {
    all.sum += m.sum;
    all.largest = max_or_nan(all.largest, m.largest);
  }
  return all;
}

template <class R, class C>
void correct_cpu(const LevelArrays<R>& a, const LevelArrays<C>& correction, double scale, bool add,
                 bool reset, int threads) {
  for_rows(a, threads, [&](int j, int k) {
    R* const phi = row_at(a, a.u, j, k);
    if (reset) {
      std::fill(phi, phi + a.n[0], R(0));
    } else if (add) {
      const C* const e = row_at(correction, correction.u, j, k);
      for (int i = 0; i < a.n[0]; ++i) phi[i] += R(scale) * R(e[i]);
    }
    if (a.ghosts[0] == 0) return;
    // Where there is no neighbour the weight is 0, but the ghost must be a number.
    if (a.below[0] >= 0) phi[-1] = phi[a.below[0]];
    if (a.above[0] < a.n[0]) phi[a.n[0]] = phi[a.above[0]];
  });
}

template <class R, class C>
double residual_cpu(const LevelArrays<R>& a, double mean, double scale, const LevelArrays<C>& cycle,
                    int threads) {
  using T = Pack<R>;
  constexpr int width = int(T::size());
  const R over = R(1 / scale);
  const T lane([](auto l) { return R(l); });
  double largest = 0;
#pragma omp parallel num_threads(threads) if (worth_threads(a))
  {
    T mine = R(0);
#pragma omp for collapse(2) schedule(static) nowait
    for (int k = 0; k < a.n[2]; ++k) {
      for (int j = 0; j < a.n[1]; ++j) {
        const Row<R> row = make_row(a, j, k);
        C* const out = row_at(cycle, cycle.f, j, k);
        for (int i = 0; i < a.n[0]; i += width) {
          const T r = residual_of(weights_at<T>(a, row, i), neighbours_at<T>(row, i),
                                  load_as<T>(row.own + i), load_as<T>(row.f + i) - R(mean));
          mine = max_or_nan(mine, select(lane < R(a.n[0] - i), abs_(r), T(R(0))));
          R values[width];
          T(r * over).copy_to(values, stdx::element_aligned);
          for (int l = 0; l < width && i + l < a.n[0]; ++l) out[i + l] = C(values[l]);
        }
      }
    }
#pragma omp critical
    for (std::size_t l = 0; l < T::size(); ++l) largest = max_or_nan(largest, double(R(mine[l])));
  }
  return largest;
}

template <class R>
void shift_cpu(const LevelArrays<R>& a, double mean, int threads) {
  for_rows(a, threads, [&](int j, int k) {
    R* const phi = row_at(a, a.u, j, k);
    for (int i = 0; i < a.n[0]; ++i) phi[i] -= R(mean);
  });
}

}  // namespace watersmeet::solve::detail
