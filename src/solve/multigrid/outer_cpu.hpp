#pragma once
// The loops of outer.hpp on the CPU. Included by CPU instantiation files only.

#include <algorithm>
#include <vector>

#include "solve/multigrid/outer.hpp"
#include "solve/multigrid/rows_cpu.hpp"

namespace watersmeet::solve::detail {

// Only products, so that every loop finds the same bits.
inline double term_of(const CellWidths& widths, double across, int i, double value) {
  return widths.along[0][i] * across * value;
}

// The loops of outer.hpp.
template <class R, class C>
class OuterLoopsCpu final : public OuterLoops<R, C> {
 public:
  Measured measure(const LevelArrays<R>& a, const CellWidths& widths, bool right_side, void*,
                   const Queue& queue) const override {
    Measured all;
#pragma omp parallel num_threads(queue.threads) if (worth_threads(a))
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

  void count(const LevelArrays<R>& a, const CellWidths& widths, bool right_side,
             const exec::SumScale& scale, std::int64_t* high_low, void*,
             const Queue& queue) const override {
    std::uint64_t high = 0, low = 0;
#pragma omp parallel for collapse(2) schedule(static) num_threads(queue.threads) \
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

  void correct(const LevelArrays<R>& a, const LevelArrays<C>& correction, double scale, bool add,
               bool reset, const Queue& queue) const override {
    for_rows(a, queue.threads, [&](int j, int k) {
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

  Residual residual(const LevelArrays<R>& a, double mean, double scale, const LevelArrays<C>& cycle,
                    void*, const Queue& queue) const override {
    using T = Pack<R>;
    constexpr int width = int(T::size());
    const R over = R(1 / scale);
    const T lane = Lanes<T>::number();
    Residual all;
#pragma omp parallel num_threads(queue.threads) if (worth_threads(a))
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

  void shift(const LevelArrays<R>& a, double mean, const Queue& queue) const override {
    for_rows(a, queue.threads, [&](int j, int k) {
      R* const phi = row_at(a, a.u, j, k);
      for (int i = 0; i < a.n[0]; ++i) phi[i] -= R(mean);
    });
  }

  void combine(const LevelArrays<R>& y, const LevelArrays<C>& x, double x_factor, double y_factor,
               const Queue& queue) const override {
    for_rows(y, queue.threads, [&](int j, int k) {
      R* const to = row_at(y, y.u, j, k);
      const C* const from = row_at(x, x.u, j, k);
      if (y_factor == 0) {  // what stands there may be no number
        for (int i = 0; i < y.n[0]; ++i) to[i] = R(x_factor) * R(from[i]);
      } else {
        for (int i = 0; i < y.n[0]; ++i) to[i] = R(x_factor) * R(from[i]) + R(y_factor) * to[i];
      }
      wrap_row(y, to);
    });
  }

  void apply(const LevelArrays<R>& a, const Queue& queue) const override {
    using T = Pack<R>;
    constexpr int width = int(T::size());
    for_rows(a, queue.threads, [&](int j, int k) {
      const Row<R> row = make_row(a, j, k);
      R* const to = row_at(a, a.v, j, k);
      for (int i = 0; i < a.n[0]; i += width) {
        const T r = residual_of(weights_at<T>(a, row, i), neighbours_at<T>(row, i),
                                load_as<T>(row.own + i), T(R(0)));
        store_pack(to + i, T(-r), a.n[0] - i);
      }
    });
  }

  double dot(const LevelArrays<R>& x, const LevelArrays<C>& y, const CellWidths& widths, void*,
             const Queue& queue) const override {
    constexpr int lanes = 8;
    std::vector<double> rows(std::size_t(x.n[1]) * std::size_t(x.n[2]));
    for_rows(x, queue.threads, [&](int j, int k) {
      const R* const a = row_at(x, x.u, j, k);
      const C* const b = row_at(y, y.u, j, k);
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

  void hand_over(const LevelArrays<R>& from, const LevelArrays<C>& to, double factor,
                 const Queue& queue) const override {
    for_rows(from, queue.threads, [&](int j, int k) {
      const R* const a = row_at(from, from.f, j, k);
      C* const b = row_at(to, to.f, j, k);
      for (int i = 0; i < from.n[0]; ++i) b[i] = C(a[i] * R(factor));
    });
  }
};

}  // namespace watersmeet::solve::detail
