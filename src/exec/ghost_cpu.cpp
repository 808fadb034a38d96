// The ghost form on the CPU, and the choice of back end.
#include <limits>

#include "exec/ghost_region.hpp"

namespace watersmeet::exec {

namespace detail {

template <class R>
void fill_regions_cpu(R* start, R* buffer, const GhostTransfer* transfers, int count, int variables,
                      GhostAction action, const Queue& queue) {
  const R nan = std::numeric_limits<R>::quiet_NaN();
  const bool poison = action == GhostAction::poison;
  for (int r = 0; r < count; ++r) {
    const GhostTransfer& region = transfers[r];
    if (region.cells() == 0) continue;
    R* const to_start = region.to_buffer ? buffer : start;
    const R* const from_start = region.from_buffer ? buffer : start;
    const std::int64_t rows = region.n[1] * region.n[2];
    const bool worth_threads = rows * region.n[0] > 4096;
#pragma omp parallel for num_threads(queue.threads) if (worth_threads) schedule(static)
    for (std::int64_t row = 0; row < rows; ++row) {
      const GhostCell first = cell_of(region, row * region.n[0]);
      for (int v = 0; v < variables; ++v) {
        const std::int64_t to = first.to + v * region.to_stride_var;
        const std::int64_t from = first.from + v * region.from_stride_var;
        for (std::int64_t i = 0; i < region.n[0]; ++i) {
          to_start[to + i * region.to_stride[0]] =
              poison ? nan : from_start[from + i * region.from_stride[0]];
        }
      }
    }
  }
}

template void fill_regions_cpu<float>(float*, float*, const GhostTransfer*, int, int, GhostAction,
                                      const Queue&);
template void fill_regions_cpu<double>(double*, double*, const GhostTransfer*, int, int,
                                       GhostAction, const Queue&);

namespace {
template <class R>
void fill_typed(void* start, void* buffer, const GhostTransfer* transfers, int count,
                std::int64_t cells, int variables, GhostAction action, Gate* gate,
                const Queue& queue) {
  R* const s = static_cast<R*>(start);
  R* const b = static_cast<R*>(buffer);
  if (queue.backend == Backend::cuda) {
    fill_regions_cuda(s, b, transfers, count, cells, variables, action, gate, queue);
  } else {
    fill_regions_cpu(s, b, transfers, count, variables, action, queue);
  }
}
}  // namespace

}  // namespace detail

void fill_ghosts(void* start, void* buffer, Precision precision, const GhostTransfer* transfers,
                 int count, std::int64_t cells, int variables, GhostAction action,
                 const Queue& queue, Gate* gate) {
  if (precision == Precision::double_) {
    detail::fill_typed<double>(start, buffer, transfers, count, cells, variables, action, gate,
                               queue);
  } else {
    detail::fill_typed<float>(start, buffer, transfers, count, cells, variables, action, gate,
                              queue);
  }
}

}  // namespace watersmeet::exec
