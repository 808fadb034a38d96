#pragma once
// CUDA loop of the ledger (ledger_count.hpp): a thread a face, all sides in one launch.

#include <algorithm>
#include <cstdint>

#include "exec/boundary_cuda.hpp"
#include "exec/wide_count_cuda.hpp"
#include "systems/multicomponent/launch.hpp"
#include "systems/multicomponent/ledger_count.hpp"

namespace watersmeet::multicomponent {

template <class R, class Fluxes>
__global__ void __launch_bounds__(exec::side_threads)
    count_boundaries_kernel(const Fluxes fluxes, const exec::Clock* clock) {
  if (!clock->active) return;
  const double dt = double(R(clock->dt));
  exec::WideCount mine[n_conserved];
  for (std::int64_t c = std::int64_t(blockIdx.x) * exec::side_threads + threadIdx.x;
       c < fluxes.sides.cells; c += std::int64_t(gridDim.x) * exec::side_threads) {
    const exec::CellOfSide at = exec::cell_of_side(fluxes.sides, c);
    fluxes.add(at.side, at.cell, dt, mine);
  }
#pragma unroll
  for (int v = 0; v < n_conserved; ++v) {
    const exec::WideCount all = exec::warp_sum(mine[v]);
    if (threadIdx.x % 32 == 0) exec::add_to(fluxes.ledger.totals + v, all);
  }
}

template <class R, Variant variant>
void count_boundaries_cuda(const StageCall& call, const BoundaryCall& boundaries,
                           const LedgerCall& ledger) {
  if (!boundaries.any) return;
  const auto fluxes = side_fluxes(static_cast<const R*>(call.in), *call.layout, boundaries,
                                  flow_of<R, variant>(call), ledger);
  if (fluxes.sides.cells == 0) return;
  // Few enough blocks that the atomic additions at their ends cost nothing.
  const unsigned blocks = std::min(exec::side_blocks(fluxes.sides), 2048u);
  count_boundaries_kernel<R>
      <<<blocks, exec::side_threads, 0, static_cast<cudaStream_t>(call.queue.stream)>>>(fluxes,
                                                                                        call.clock);
  exec::check_cuda(cudaGetLastError(), "cannot launch the ledger of the boundaries");
}

}  // namespace watersmeet::multicomponent
