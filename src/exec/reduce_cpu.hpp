#pragma once
// The reduce form on the CPU: sums and maxima of a functor over the cells of a block, in a fixed
// order that depends neither on the number of threads nor on their timing: every row is summed by
// itself in double precision, then the rows in order. Included by CPU instantiation files only.
//
// A sampler is a functor with  static constexpr int sums, maxima;  Sample<T, sums, maxima>
// operator()(const S& s) const.

#include <vector>

#include "core/device.hpp"
#include "core/pack.hpp"
#include "exec/cell.hpp"
#include "exec/sample.hpp"

namespace watersmeet::exec {

// results: `sums` sums, then `maxima` maxima (NaN if any value is).
template <class R, class Sampler>
void reduce_cpu(const CellArrays<R>& a, const Sampler& sampler, double* results, int threads) {
  using T = Pack<R>;
  constexpr int width = static_cast<int>(T::size());
  constexpr int values = Sampler::sums + Sampler::maxima;
  const int rows_j = a.upper[1] - a.lower[1], rows_k = a.upper[2] - a.lower[2];
  const std::int64_t rows = std::int64_t{rows_j} * rows_k;
  std::vector<double> row_results(static_cast<std::size_t>(rows * values));
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t row = 0; row < rows; ++row) {
    double* const r = row_results.data() + row * values;
    for (int v = 0; v < values; ++v) r[v] = v < Sampler::sums ? 0.0 : -1.7e308;
    const int j = a.lower[1] + static_cast<int>(row % rows_j),
              k = a.lower[2] + static_cast<int>(row / rows_j);
    for (int i = a.lower[0]; i < a.upper[0]; i += width) {
      const auto s = direct_accessor<T>(a, Sampler::extra_index, i, j, k);
      const auto sample = sampler(s);
      const int lanes = std::min(width, a.upper[0] - i);
      for (int l = 0; l < lanes; ++l) {
        const std::size_t lane = static_cast<std::size_t>(l);
        for (int v = 0; v < Sampler::sums; ++v) r[v] += double(R(sample.sum[v][lane]));
        for (int v = 0; v < Sampler::maxima; ++v) {
          r[Sampler::sums + v] =
              max_or_nan(r[Sampler::sums + v], double(R(sample.maximum[v][lane])));
        }
      }
    }
  }
  for (int v = 0; v < values; ++v) {
    double total = v < Sampler::sums ? 0.0 : -1.7e308;
    for (std::int64_t row = 0; row < rows; ++row) {
      const double x = row_results[static_cast<std::size_t>(row * values + v)];
      total = v < Sampler::sums ? total + x : max_or_nan(total, x);
    }
    results[v] = total;
  }
}

}  // namespace watersmeet::exec
