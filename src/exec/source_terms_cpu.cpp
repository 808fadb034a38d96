// Source terms on the CPU, and the choice of back end.
#include <algorithm>

#include "exec/source_cells.hpp"

namespace watersmeet::exec {
namespace {

// Cells that go through an instruction together: their stack fits the first cache.
constexpr int chunk = 32;
constexpr std::int64_t least_parallel = 4096;  // cells

// Cells i .. i + n - 1 of a row.
struct RowCells {
  std::int64_t i, j, k;
  int n;
  bool has(int l) const { return l < n; }
  std::int64_t at(int l, int axis) const { return axis == 0 ? i + l : axis == 1 ? j : k; }
};

template <class R>
void add_sources_cpu(const SourceTerms& s, const Launch& l) {
  const CellArrays<R> a = arrays_of<R>(l);
  const SourceStep step = source_step(s, l.update, *l.clock);
  double scalars[most_source_scalars];
  for (int n = 0; n < s.n_scalars; ++n) scalars[n] = source_scalar(s, step, n);
  const Box& box = l.box;
  bool finite = true;
#pragma omp parallel for collapse(2) num_threads(l.queue.threads) schedule(static) reduction(&& : finite) if (box.count() > least_parallel)
  for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k) {
    for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j) {
      for (std::int64_t i = box.lower[0]; i < box.upper[0]; i += chunk) {
        const auto n = static_cast<int>(std::min<std::int64_t>(chunk, box.upper[0] - i));
        const bool good = add_to_cells<chunk>(s, a, step, scalars, RowCells{i, j, k, n});
        finite = finite && good;
      }
    }
  }
  if (!finite) l.clock->signal_bits = std::max(l.clock->signal_bits, not_a_signal);
}

}  // namespace

void add_sources(const SourceTerms& terms, const Launch& launch) {
  if (launch.box.empty() || terms.n_programs == 0) return;
  if (launch.queue.backend == Backend::cuda) return detail::add_sources_cuda(terms, launch);
  if (!launch.clock->active) return;
  if (terms.precision == Precision::single_) {
    add_sources_cpu<float>(terms, launch);
  } else {
    add_sources_cpu<double>(terms, launch);
  }
}

}  // namespace watersmeet::exec
