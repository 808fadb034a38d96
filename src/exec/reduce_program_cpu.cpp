// Reductions of expressions on the CPU, and the choice of back end.
#include <algorithm>
#include <limits>

#include "exec/reduce_program.hpp"

namespace watersmeet::exec {
namespace {

// Cells that go through an instruction together: their stack fits the first cache.
constexpr int chunk = 32;
constexpr std::int64_t least_parallel = 4096;  // cells

// body(values, n) of chunk after chunk of cells, each on one thread.
template <class R, class Body>
void for_each_chunk(const ProgramCells& s, const Body& body) {
  const std::int64_t chunks = (s.cells + chunk - 1) / chunk;
#pragma omp for schedule(static)
  for (std::int64_t c = 0; c < chunks; ++c) {
    const std::int64_t first = c * chunk;
    const int n = static_cast<int>(std::min<std::int64_t>(chunk, s.cells - first));
    double values[chunk];
    run_program<chunk>(
        s.code, s.count,
        [&](int input, double(&to)[chunk]) { load_input<R>(s.inputs[input], first, n, to); },
        values);
    body(values, n);
  }
}

template <class R>
ProgramExtrema measure_cpu(const ProgramCells& s, const Queue& queue) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  ProgramExtrema all{0, none, none};
#pragma omp parallel num_threads(queue.threads) if (s.cells > least_parallel)
  {
    ProgramExtrema mine{0, none, none};
    for_each_chunk<R>(s, [&](const double* values, int n) {
      for (int l = 0; l < n; ++l) {
        mine.upper = max_or_nan(mine.upper, values[l]);
        mine.minus_lower = max_or_nan(mine.minus_lower, -values[l]);
      }
    });
#pragma omp critical
    {
      all.upper = max_or_nan(all.upper, mine.upper);
      all.minus_lower = max_or_nan(all.minus_lower, mine.minus_lower);
    }
  }
  all.magnitude = max_or_nan(max_or_nan(0.0, all.upper), all.minus_lower);
  return all;
}

template <class R>
void count_cpu(const ProgramCells& s, const SumScale& scale, std::int64_t* high_low,
               const Queue& queue) {
#pragma omp parallel num_threads(queue.threads) if (s.cells > least_parallel)
  {
    std::uint64_t high = 0, low = 0;
    for_each_chunk<R>(s, [&](const double* values, int n) {
      for (int l = 0; l < n; ++l) {
        const MagicCount c = count_with_magic(scale, values[l]);
        high += c.high - round_magic_bits;
        low += c.low - round_magic_bits;
      }
    });
#pragma omp critical
    {
      add_modulo(high_low[0], high);
      add_modulo(high_low[1], low);
    }
  }
}

}  // namespace

ProgramExtrema measure_program(const ProgramCells& cells, const Queue& queue) {
  if (queue.backend == Backend::cuda) return detail::measure_program_cuda(cells, queue);
  return cells.precision == Precision::single_ ? measure_cpu<float>(cells, queue)
                                               : measure_cpu<double>(cells, queue);
}

void count_program(const ProgramCells& cells, const SumScale& scale, std::int64_t* high_low,
                   const Queue& queue) {
  if (queue.backend == Backend::cuda)
    return detail::count_program_cuda(cells, scale, high_low, queue);
  if (cells.precision == Precision::single_) {
    count_cpu<float>(cells, scale, high_low, queue);
  } else {
    count_cpu<double>(cells, scale, high_low, queue);
  }
}

}  // namespace watersmeet::exec
