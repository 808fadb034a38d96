#pragma once
// Counts over the cells of the sides of a block, in whole units (exec/wide_count.hpp), on the CPU: body.add(side, cell, dt, counts[n]) for each
// cell of each side; the sums are added to totals[n], in a step that happens. Threads and their order leave no trace.

#include <cstdint>

#include "core/device.hpp"
#include "exec/back_end.hpp"
#include "exec/boundary.hpp"
#include "exec/clock.hpp"
#include "exec/wide_count.hpp"

namespace watersmeet::exec {

template <class R, int n, class Body>
void count_sides(OnCpu, const BlockSides& sides, const Body& body, WideCount* totals,
                 const Clock* clock, const Queue& queue) {
  if (!clock->active) return;
  const R dt = R(clock->dt);
  for (int side = 0; side < 6; ++side) {
    const std::int64_t cells = sides.side[side].cells();
    const bool worth_threads = cells > 256;
#pragma omp parallel num_threads(queue.threads) if (worth_threads)
    {
      WideCount mine[n];
#pragma omp for schedule(static)
      for (std::int64_t c = 0; c < cells; ++c) body.add(side, c, dt, mine);
#pragma omp critical
      for (int v = 0; v < n; ++v) totals[v] = sum_of(totals[v], mine[v]);
    }
  }
}

}  // namespace watersmeet::exec
