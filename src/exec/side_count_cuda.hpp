#pragma once
// The counts of side_count_cpu.hpp on CUDA: a thread a cell, all sides in one launch.

#include <algorithm>
#include <cstdint>

#include "exec/boundary_cuda.hpp"
#include "exec/clock.hpp"
#include "exec/wide_count_cuda.hpp"

namespace watersmeet::exec {

template <class R, int n, class Body>
__global__ void __launch_bounds__(side_threads)
    count_sides_kernel(const BlockSides sides, const __grid_constant__ Body body, WideCount* totals,
                       const Clock* clock) {
  if (!clock->active) return;
  const R dt = R(clock->dt);
  WideCount mine[n];
  for (std::int64_t c = std::int64_t(blockIdx.x) * side_threads + threadIdx.x; c < sides.cells;
       c += std::int64_t(gridDim.x) * side_threads) {
    const CellOfSide at = cell_of_side(sides, c);
    body.add(at.side, at.cell, dt, mine);
  }
#pragma unroll
  for (int v = 0; v < n; ++v) {
    const WideCount all = warp_sum(mine[v]);
    if (threadIdx.x % 32 == 0) add_to(totals + v, all);
  }
}

template <class R, int n, class Body>
void count_sides(OnCuda, const BlockSides& sides, const Body& body, WideCount* totals,
                 const Clock* clock, const Queue& queue) {
  if (sides.cells == 0) return;
  // Few enough blocks that the atomic additions at their ends cost nothing.
  const unsigned blocks = std::min(side_blocks(sides), 2048u);
  count_sides_kernel<R, n, Body>
      <<<blocks, side_threads, 0, static_cast<cudaStream_t>(queue.stream)>>>(sides, body, totals,
                                                                             clock);
  check_cuda(cudaGetLastError(), "cannot launch the counts of the sides");
}

}  // namespace watersmeet::exec
