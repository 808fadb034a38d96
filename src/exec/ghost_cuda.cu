// CUDA loop of the ghost form: one thread a ghost cell, all variables, one launch.
#include <limits>

#include "exec/check_cuda.hpp"
#include "exec/ghost_region.hpp"

namespace watersmeet::exec::detail {

template <class R>
__global__ void fill_regions_kernel(R* start, const GhostTransfer* regions, int count,
                                    std::int64_t cells, int variables, bool poison) {
  const std::int64_t c = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (c >= cells) return;
  int r = 0;
  for (int upper = count; upper - r > 1;) {  // last region that begins at or before c
    const int middle = (r + upper) / 2;
    if (regions[middle].begin <= c) {
      r = middle;
    } else {
      upper = middle;
    }
  }
  const GhostTransfer& region = regions[r];
  const GhostCell at = cell_of(region, c - region.begin);
  for (int v = 0; v < variables; ++v) {
    start[at.to + v * region.to_stride_var] =
        poison ? R(nan("")) : start[at.from + v * region.from_stride_var];
  }
}

template <class R>
void fill_regions_cuda(R* start, const GhostTransfer* regions, int count, std::int64_t cells,
                       int variables, GhostAction action, const Queue& queue) {
  if (cells == 0) return;
  const unsigned threads = 128;
  fill_regions_kernel<<<unsigned((cells + threads - 1) / threads), threads, 0,
                        static_cast<cudaStream_t>(queue.stream)>>>(
      start, regions, count, cells, variables, action == GhostAction::poison);
  check_cuda(cudaGetLastError(), "cannot launch the ghost fill");
}

template void fill_regions_cuda<float>(float*, const GhostTransfer*, int, std::int64_t, int,
                                       GhostAction, const Queue&);
template void fill_regions_cuda<double>(double*, const GhostTransfer*, int, std::int64_t, int,
                                        GhostAction, const Queue&);

}  // namespace watersmeet::exec::detail
