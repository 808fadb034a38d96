#pragma once
// The reduce form on the CPU: sums and maxima of a functor over the cells of a block, the sums as
// the integers of exec/exact_sum.hpp, so that threads and the cutting of a domain into blocks leave
// no trace in a result. Included by CPU instantiation files only.
//
// A sampler is a functor with
//   static constexpr int sums, maxima
//   Sample<T, sums, maxima> operator()(const S& s) const

#include <cstdint>

#include "core/device.hpp"
#include "core/pack.hpp"
#include "exec/back_end.hpp"
#include "exec/cell.hpp"
#include "exec/exact_sum.hpp"
#include "exec/sample.hpp"

namespace watersmeet::exec {

namespace detail {

// g++ 12 calls its own _mm512_undefined_ps() uninitialised (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
// A function of its own, so that measuring and counting see the same bits of a value: inlined into
// two loops, its multiplications and additions might be fused differently.
template <class R, class Sampler>
[[gnu::noinline]] auto sample_pack(const CellArrays<R>& a, const Sampler& sampler, int i, int j,
                                   int k) {
  return sampler(direct_accessor<Pack<R>>(a, Sampler::extra_index, i, j, k));
}
#pragma GCC diagnostic pop

// body(j, k) over the rows of the box, in any order, within one parallel region.
template <class R, class Body>
void for_each_row(const CellArrays<R>& a, const Body& body) {
  const int rows_j = a.upper[1] - a.lower[1], rows_k = a.upper[2] - a.lower[2];
#pragma omp for collapse(2) schedule(static) nowait
  for (int k = 0; k < rows_k; ++k) {
    for (int j = 0; j < rows_j; ++j) body(a.lower[1] + j, a.lower[2] + k);
  }
}

}  // namespace detail

// Raises `largest` to the largest magnitude of every sum's values, then to the maxima; NaN if any
// value is.
template <class R, class Sampler>
void measure(OnCpu, const CellArrays<R>& a, const Sampler& sampler, double* largest,
             const Queue& queue) {
  using T = Pack<R>;
  constexpr int width = static_cast<int>(T::size());
  constexpr int sums = Sampler::sums, values = sums + Sampler::maxima;
#pragma omp parallel num_threads(queue.threads)
  {
    T mine[values];
    for (int v = 0; v < values; ++v) {
      mine[v] = v < sums ? R(0) : -std::numeric_limits<R>::infinity();
    }
    detail::for_each_row(a, [&](int j, int k) {
      for (int i = a.lower[0]; i < a.upper[0]; i += width) {
        const auto sample = detail::sample_pack(a, sampler, i, j, k);
        const int lanes = a.upper[0] - i;
        const auto raise = [&](T& maximum, T x) {
          // What the padding of a row gives must not be looked at: its first cell stands in for it.
          for (int l = lanes; l < width; ++l) x.set(l, x[0]);
          maximum = max_or_nan(maximum, x);
        };
        for (int v = 0; v < sums; ++v) raise(mine[v], abs_(sample.sum[v]));
        for (int v = sums; v < values; ++v) raise(mine[v], sample.maximum[v - sums]);
      }
    });
#pragma omp critical
    for (int v = 0; v < values; ++v) {
      for (std::size_t l = 0; l < T::size(); ++l) {
        largest[v] = max_or_nan(largest[v], double(R(mine[v][l])));
      }
    }
  }
}

// Adds the values of every sum, as whole numbers, to high_low[2 v] and high_low[2 v + 1].
template <class R, class Sampler>
void count(OnCpu, const CellArrays<R>& a, const Sampler& sampler, const SumScale* scales,
           std::int64_t* high_low, const Queue& queue) {
  using T = Pack<R>;
  constexpr int width = static_cast<int>(T::size());
  constexpr int sums = Sampler::sums;
#pragma omp parallel num_threads(queue.threads)
  {
    std::uint64_t high[sums][width] = {}, low[sums][width] = {}, packs = 0;
    detail::for_each_row(a, [&](int j, int k) {
      for (int i = a.lower[0]; i < a.upper[0]; i += width) {
        const auto sample = detail::sample_pack(a, sampler, i, j, k);
        for (int v = 0; v < sums; ++v) {
          R lane[width];
          sample.sum[v].copy_to(lane);
          for (int l = a.upper[0] - i; l < width; ++l) lane[l] = R(0);  // the padding of the row
          for (int l = 0; l < width; ++l) {
            const MagicCount c = count_with_magic(scales[v], double(lane[l]));
            high[v][l] += c.high;
            low[v][l] += c.low;
          }
        }
        ++packs;
      }
    });
#pragma omp critical
    for (int v = 0; v < sums; ++v) {
      std::uint64_t total_high = 0, total_low = 0;
      for (int l = 0; l < width; ++l) {
        total_high += high[v][l] - packs * round_magic_bits;
        total_low += low[v][l] - packs * round_magic_bits;
      }
      add_modulo(high_low[2 * v], total_high);
      add_modulo(high_low[2 * v + 1], total_low);
    }
  }
}

}  // namespace watersmeet::exec
