#pragma once
// CUDA loop of exec/boundary.hpp: one thread a cell of a side, all layers, all sides in one launch.

#include <cstdint>

#include "exec/back_end.hpp"
#include "exec/boundary.hpp"
#include "exec/check_cuda.hpp"

namespace watersmeet::exec {

constexpr int side_threads = 128;  // sides are small: few cells a multiprocessor

// The side that cell `c` of a launch belongs to, and its number there.
struct CellOfSide {
  int side;
  std::int64_t cell;
};
__device__ __forceinline__ CellOfSide cell_of_side(const BlockSides& sides, std::int64_t c) {
  int side = 0;
#pragma unroll
  for (int s = 1; s < 6; ++s) {
    if (c >= sides.side[s].begin && sides.side[s].n[0] > 0) side = s;
  }
  return {side, c - sides.side[side].begin};
}

inline unsigned side_blocks(const BlockSides& sides) {
  return unsigned((sides.cells + side_threads - 1) / side_threads);
}

template <class R, class Exterior>
__global__ void __launch_bounds__(side_threads)
    fill_boundaries_kernel(R* start, const BlockSides sides, const Exterior exterior) {
  const std::int64_t c = std::int64_t(blockIdx.x) * side_threads + threadIdx.x;
  if (c >= sides.cells) return;
  const CellOfSide at = cell_of_side(sides, c);
  fill_behind(start, sides, exterior, at.side, at.cell);
}

template <class R, class Exterior>
void fill_boundaries(OnCuda, R* start, const BlockLayout& layout, const Exterior& exterior,
                     const Queue& queue, std::int64_t around = 0) {
  const BlockSides sides = sides_of(
      layout, [&](int s) { return exterior.has(s); }, around);
  if (sides.cells == 0) return;
  fill_boundaries_kernel<R, Exterior>
      <<<side_blocks(sides), side_threads, 0, static_cast<cudaStream_t>(queue.stream)>>>(
          start, sides, exterior);
  check_cuda(cudaGetLastError(), "cannot launch the boundary conditions");
}

}  // namespace watersmeet::exec
