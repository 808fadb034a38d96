// CUDA loop of the ghost form: all variables of a cell by one thread, one launch. A thread block belongs
// to one region, so that its threads read the region's numbers together and divide in 32 bits.
// Region r gets the blocks from begin / cells + r on, of so many cells each: they are one more than begin / cells
// grows by up to the next region, which is enough and needs no table of its own.

#include "exec/check_cuda.hpp"
#include "exec/gate_cuda.hpp"
#include "exec/ghost_region.hpp"

namespace watersmeet::exec::detail {

namespace {
constexpr int block_threads = 128;  // small regions (edges, corners) fill few
// Each thread block has several rounds of cells where there are many: blocks that end at a gate wait until
// what they have stored is in the memory of another GPU.
constexpr std::int64_t many_cells = 1 << 17;
constexpr int rounds_of_many = 4;

struct Blocks {
  int cells;
  __host__ __device__ std::int64_t first(const GhostTransfer& region, int r) const {
    return region.begin / cells + r;
  }
};

template <class R>
__device__ void fill_cell(R* start, R* buffer, const GhostTransfer& region, std::int64_t c,
                          int variables, bool poison) {
  const GhostCell at = cell_of(region, c);
  R* to = (region.to_buffer ? buffer : start) + at.to;
  const std::int64_t to_stride = region.to_stride_var, from_stride = region.from_stride_var;
  if (poison) {
    for (int v = 0; v < variables; ++v, to += to_stride) *to = R(nan(""));
    return;
  }
  // No value is both read and written in a launch: several loads may be under way at once. They must not go through a
  // cache that holds what was there before a gate.
  const R* from = (region.from_buffer ? buffer : start) + at.from;
  int v = 0;
  for (; v + 4 <= variables; v += 4, from += 4 * from_stride, to += 4 * to_stride) {
    R value[4];
#pragma unroll
    for (int u = 0; u < 4; ++u) value[u] = __ldcg(from + u * from_stride);
#pragma unroll
    for (int u = 0; u < 4; ++u) to[u * to_stride] = value[u];
  }
  for (; v < variables; ++v, from += from_stride, to += to_stride) *to = __ldcg(from);
}
}  // namespace

template <class R>
__global__ void __launch_bounds__(block_threads)
    fill_regions_kernel(R* start, R* buffer, const GhostTransfer* regions, int count, int variables,
                        bool poison, Blocks blocks, Gate* gate) {
  const std::int64_t block = blockIdx.x;
  int r = 0;
  for (int upper = count; upper - r > 1;) {  // last region whose blocks begin at or before this one
    const int middle = (r + upper) / 2;
    if (blocks.first(regions[middle], middle) <= block) {
      r = middle;
    } else {
      upper = middle;
    }
  }
  const GhostTransfer& region = regions[r];
  const std::int64_t first = (block - blocks.first(region, r)) * blocks.cells;
  const std::int64_t left = region.n[0] * region.n[1] * region.n[2] - first;
  const int mine = int(left < blocks.cells ? left : blocks.cells);
  if (mine <= 0) return;
  GateSide* side = nullptr;
  if (gate != nullptr && region.to_buffer) side = &gate->sends;
  if (gate != nullptr && region.from_buffer) side = &gate->receives;
  if (side != nullptr && !enter(*side, gate->stop)) return;
  for (int c = int(threadIdx.x); c < mine; c += block_threads)
    fill_cell(start, buffer, region, first + c, variables, poison);
  if (side != nullptr) leave(*side, std::uint64_t(mine) * variables * sizeof(R), region.to_buffer);
}

template <class R>
void fill_regions_cuda(R* start, R* buffer, const GhostTransfer* regions, int count,
                       std::int64_t cells, int variables, GhostAction action, Gate* gate,
                       const Queue& queue) {
  if (cells == 0) return;
  const Blocks blocks{block_threads * (cells < many_cells ? 1 : rounds_of_many)};
  fill_regions_kernel<<<unsigned(cells / blocks.cells + count), block_threads, 0,
                        static_cast<cudaStream_t>(queue.stream)>>>(
      start, buffer, regions, count, variables, action == GhostAction::poison, blocks, gate);
  check_cuda(cudaGetLastError(), "cannot launch the ghost fill");
}

template void fill_regions_cuda<float>(float*, float*, const GhostTransfer*, int, std::int64_t, int,
                                       GhostAction, Gate*, const Queue&);
template void fill_regions_cuda<double>(double*, double*, const GhostTransfer*, int, std::int64_t,
                                        int, GhostAction, Gate*, const Queue&);

}  // namespace watersmeet::exec::detail

namespace watersmeet::exec {

namespace {
__global__ void meet_kernel(Gate* gate) {
  static_assert(GateSide::most <= 32);
  GateSide &sends = gate->sends, &receives = gate->receives;
  if (!enter(sends, gate->stop)) return;
  leave(sends, sends.bytes, true);
  if (enter(receives, gate->stop)) leave(receives, receives.bytes, false);
}
}  // namespace

void meet(Gate* gate, const Queue& queue) {
  meet_kernel<<<1, 32, 0, static_cast<cudaStream_t>(queue.stream)>>>(gate);
  check_cuda(cudaGetLastError(), "cannot launch the meeting of GPUs");
}

}  // namespace watersmeet::exec
