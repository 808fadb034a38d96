// CUDA loop of the ghost form: one thread a cell, all variables, one launch. A thread block belongs
// to one region, so that its threads read the region's numbers together and divide in 32 bits.
// Region r gets the blocks from begin / threads + r on: they are one more than begin / threads
// grows by up to the next region, which is enough for its cells and needs no table of its own.

#include "exec/check_cuda.hpp"
#include "exec/ghost_region.hpp"

namespace watersmeet::exec::detail {

namespace {
constexpr int block_threads = 128;  // small regions (edges, corners) fill few

__device__ std::int64_t first_block(const GhostTransfer& region, int r) {
  return region.begin / block_threads + r;
}
}  // namespace

template <class R>
__global__ void __launch_bounds__(block_threads)
    fill_regions_kernel(R* start, R* buffer, const GhostTransfer* regions, int count, int variables,
                        bool poison) {
  const std::int64_t block = blockIdx.x;
  int r = 0;
  for (int upper = count; upper - r > 1;) {  // last region whose blocks begin at or before this one
    const int middle = (r + upper) / 2;
    if (first_block(regions[middle], middle) <= block) {
      r = middle;
    } else {
      upper = middle;
    }
  }
  const GhostTransfer& region = regions[r];
  const std::int64_t c = (block - first_block(region, r)) * block_threads + threadIdx.x;
  if (c >= region.n[0] * region.n[1] * region.n[2]) return;
  const GhostCell at = cell_of(region, c);
  R* to = (region.to_buffer ? buffer : start) + at.to;
  const std::int64_t to_stride = region.to_stride_var, from_stride = region.from_stride_var;
  if (poison) {
    for (int v = 0; v < variables; ++v, to += to_stride) *to = R(nan(""));
    return;
  }
  // No value is both read and written in a launch: several loads may be under way at once.
  const R* __restrict__ from = (region.from_buffer ? buffer : start) + at.from;
  int v = 0;
  for (; v + 4 <= variables; v += 4, from += 4 * from_stride, to += 4 * to_stride) {
    R value[4];
#pragma unroll
    for (int u = 0; u < 4; ++u) value[u] = from[u * from_stride];
#pragma unroll
    for (int u = 0; u < 4; ++u) to[u * to_stride] = value[u];
  }
  for (; v < variables; ++v, from += from_stride, to += to_stride) *to = *from;
}

template <class R>
void fill_regions_cuda(R* start, R* buffer, const GhostTransfer* regions, int count,
                       std::int64_t cells, int variables, GhostAction action, const Queue& queue) {
  if (cells == 0) return;
  const std::int64_t blocks = cells / block_threads + count;
  fill_regions_kernel<<<unsigned(blocks), block_threads, 0,
                        static_cast<cudaStream_t>(queue.stream)>>>(
      start, buffer, regions, count, variables, action == GhostAction::poison);
  check_cuda(cudaGetLastError(), "cannot launch the ghost fill");
}

template void fill_regions_cuda<float>(float*, float*, const GhostTransfer*, int, std::int64_t, int,
                                       GhostAction, const Queue&);
template void fill_regions_cuda<double>(double*, double*, const GhostTransfer*, int, std::int64_t,
                                        int, GhostAction, const Queue&);

}  // namespace watersmeet::exec::detail
