#pragma once
// CUDA loop of the ledger (ledger_count.hpp): a thread a face, all sides in one launch. The wide
// counts of a warp are added by shuffles, those of the warps in memory, word by word with the carry
// that the lower word's addition tells of.

#include <algorithm>
#include <cstdint>

#include "exec/boundary_cuda.hpp"
#include "systems/multicomponent/launch.hpp"
#include "systems/multicomponent/ledger_count.hpp"

namespace watersmeet::multicomponent {

__device__ __forceinline__ exec::WideCount warp_sum(exec::WideCount mine) {
  for (int lane = 16; lane > 0; lane /= 2) {
    mine = exec::sum_of(mine, {__shfl_down_sync(0xffffffffu, mine.low, lane),
                               __shfl_down_sync(0xffffffffu, mine.high, lane)});
  }
  return mine;
}

__device__ __forceinline__ void add_to(exec::WideCount* total, const exec::WideCount& amount) {
  using Word = unsigned long long;
  const Word before = atomicAdd(reinterpret_cast<Word*>(&total->low), Word{amount.low});
  const Word carry = before + amount.low < before ? 1 : 0;
  atomicAdd(reinterpret_cast<Word*>(&total->high), Word{amount.high} + carry);
}

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
    const exec::WideCount all = warp_sum(mine[v]);
    if (threadIdx.x % 32 == 0) add_to(fluxes.ledger.totals + v, all);
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
