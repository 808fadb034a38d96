#pragma once
// The loops of outer.hpp on the CPU. Included by CPU instantiation files only.

#include <vector>

#include "solve/multigrid/kernels_cpu.hpp"
#include "solve/multigrid/outer.hpp"

namespace watersmeet::solve::detail {

// Only products, so that every loop finds the same bits.
inline double term_of(const CellWidths& widths, double across, int i, double value) {
  return widths.along[0][i] * across * value;
}

template <class R>
Measured measure_cpu(const LevelArrays<R>& a, const CellWidths& widths, bool right_side,
                     int threads) {
  Measured all;
#pragma omp parallel num_threads(threads) if (worth_threads(a))
  {
    constexpr int lanes = 8;
    double largest[lanes] = {}, largest_term[lanes] = {};
#pragma omp for collapse(2) schedule(static) nowait
    for (int k = 0; k < a.n[2]; ++k) {
      for (int j = 0; j < a.n[1]; ++j) {
        const R* const row = row_at(a, right_side ? a.f : a.u, j, k);
        const double across = widths.along[1][j] * widths.along[2][k];
        for (int i = 0; i < a.n[0]; ++i) {
          double &l = largest[i % lanes], &t = largest_term[i % lanes];
          l = max_or_nan(l, abs_(double(row[i])));
          t = max_or_nan(t, abs_(term_of(widths, across, i, double(row[i]))));
        }
      }
    }
#pragma omp critical
    for (int l = 0; l < lanes; ++l) {
      all.largest = max_or_nan(all.largest, largest[l]);
      all.largest_term = max_or_nan(all.largest_term, largest_term[l]);
    }
  }
  return all;
}

template <class R>
void count_cpu(const LevelArrays<R>& a, const CellWidths& widths, bool right_side,
               const exec::SumScale& scale, std::int64_t* high_low, int threads) {
  std::uint64_t high = 0, low = 0;
#pragma omp parallel for collapse(2) schedule(static) num_threads(threads) \
    reduction(+ : high, low) if (worth_threads(a))
  for (int k = 0; k < a.n[2]; ++k) {
    for (int j = 0; j < a.n[1]; ++j) {
      const R* const row = row_at(a, right_side ? a.f : a.u, j, k);
      const double across = widths.along[1][j] * widths.along[2][k];
      for (int i = 0; i < a.n[0]; ++i) {
        const exec::MagicCount c =
            exec::count_with_magic(scale, term_of(widths, across, i, double(row[i])));
        high += c.high - exec::round_magic_bits;
        low += c.low - exec::round_magic_bits;
      }
    }
  }
  exec::add_modulo(high_low[0], high);
  exec::add_modulo(high_low[1], low);
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
Residual residual_cpu(const LevelArrays<R>& a, double mean, double scale,
                      const LevelArrays<C>& cycle, int threads) {
  using T = Pack<R>;
  constexpr int width = int(T::size());
  const R over = R(1 / scale);
  const T lane = Lanes<T>::number();
  Residual all;
#pragma omp parallel num_threads(threads) if (worth_threads(a))
  {
    T mine = R(0), mine_phi = R(0);
#pragma omp for collapse(2) schedule(static) nowait
    for (int k = 0; k < a.n[2]; ++k) {
      for (int j = 0; j < a.n[1]; ++j) {
        const Row<R> row = make_row(a, j, k);
        C* const out = row_at(cycle, cycle.f, j, k);
        for (int i = 0; i < a.n[0]; i += width) {
          const T phi = load_as<T>(row.own + i);
          const T r = residual_of(weights_at<T>(a, row, i), neighbours_at<T>(row, i), phi,
                                  load_as<T>(row.f + i) - R(mean));
          const auto valid = lane < R(a.n[0] - i);
          mine = max_or_nan(mine, select(valid, abs_(r), T(R(0))));
          mine_phi = max_or_nan(mine_phi, select(valid, abs_(phi), T(R(0))));
          R values[width];
          T(r * over).copy_to(values);
          for (int l = 0; l < width && i + l < a.n[0]; ++l) out[i + l] = C(values[l]);
        }
      }
    }
#pragma omp critical
    for (std::size_t l = 0; l < T::size(); ++l) {
      all.largest = max_or_nan(all.largest, double(R(mine[l])));
      all.largest_solution = max_or_nan(all.largest_solution, double(R(mine_phi[l])));
    }
  }
  return all;
}

template <class R>
void shift_cpu(const LevelArrays<R>& a, double mean, int threads) {
  for_rows(a, threads, [&](int j, int k) {
    R* const phi = row_at(a, a.u, j, k);
    for (int i = 0; i < a.n[0]; ++i) phi[i] -= R(mean);
  });
}

}  // namespace watersmeet::solve::detail
