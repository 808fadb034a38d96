// Sums over time on the CPU, and the choice of back end.
#include <algorithm>

#include "exec/average_cells.hpp"

namespace watersmeet::exec {
namespace {

// Cells that go through an instruction together: their stack and deviations fit the first cache.
constexpr int chunk = 32;

template <class R>
void add_sample_cpu(const AverageSums& sums, const AverageRecord& record, const Queue& queue) {
  const std::int64_t chunks = (sums.cells + chunk - 1) / chunk;
#pragma omp parallel for num_threads(queue.threads) schedule(static) if (sums.cells > 4096)
  for (std::int64_t c = 0; c < chunks; ++c) {
    const std::int64_t first = c * chunk;
    add_cells<chunk, R>(sums, record, first,
                        static_cast<int>(std::min<std::int64_t>(chunk, sums.cells - first)));
  }
}

}  // namespace

void weigh(Weighing kind, const Clock* clock, AverageRecord* record, const Queue& queue) {
  if (queue.backend == Backend::cuda) return detail::weigh_cuda(kind, clock, record, queue);
  weigh_step(kind, clock, *record);
}

void add_sample(const AverageSums& sums, const AverageRecord* record, const Queue& queue) {
  if (queue.backend == Backend::cuda) return detail::add_sample_cuda(sums, record, queue);
  if (!(record->weight > 0)) return;
  if (sums.precision == Precision::single_) {
    add_sample_cpu<float>(sums, *record, queue);
  } else {
    add_sample_cpu<double>(sums, *record, queue);
  }
}

}  // namespace watersmeet::exec
