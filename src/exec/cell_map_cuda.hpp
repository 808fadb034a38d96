#pragma once
// CUDA loops of exec/cell_map.hpp: one thread a cell, direct accessor.

#include <algorithm>
#include <cstdint>

#include "exec/back_end.hpp"
#include "exec/cell_map.hpp"
#include "exec/check_cuda.hpp"
#include "exec/tuning.hpp"

namespace watersmeet::exec {

// Calls store(out, stride_var) where a plane of cells is ghosts of another block. Fields one by one: a choice between the structures would copy them
// to local memory.
template <class R, class Store>
__device__ __forceinline__ void store_far(const CellArrays<R>& a, int plane, const Store& store) {
  const bool is_below = plane < a.far[0].end,
             is_above = plane >= a.far[1].begin && plane < a.far[1].end;
  if (!is_below && !is_above) return;
  store(is_below ? a.far[0].out : a.far[1].out,
        is_below ? a.far[0].stride_var : a.far[1].stride_var);
}

// A cell of a thread of the direct schedule, the first of those that it computes one after the other along z.
struct DirectCell {
  int i, j, k, planes;  // planes: from one of them to the next
  bool inside;          // of the rows of the box
};
template <class R>
__device__ DirectCell direct_cell(const CellArrays<R>& a) {
  const int i = a.lower[0] + int(blockIdx.x * DirectTuning::x + threadIdx.x);
  const int j = a.lower[1] + int(blockIdx.y * blockDim.y + threadIdx.y);
  return {i, j, a.lower[2] + int(blockIdx.z * blockDim.z + threadIdx.z),
          int(gridDim.z * blockDim.z), i < a.upper[0] && j < a.upper[1]};
}

template <class R, class F>
__global__ void cell_store_kernel(const CellArrays<R> a, const F f, const Clock* clock) {
  if (!clock->active) return;
  const DirectCell cell = direct_cell(a);
  if (!cell.inside) return;
  for (int k = cell.k; k < a.upper[2]; k += cell.planes) {
    const Direct<R> s = accessor_for<R, F>(a, cell.i, cell.j, k);
    a.out[s.offset] = f(s);
  }
}

template <class R, class F>
__global__ void cell_pack_kernel(const CellArrays<R> a, const F f, const PackedTarget<R> target) {
  const DirectCell cell = direct_cell(a);
  if (!cell.inside) return;
  for (int k = cell.k; k < a.upper[2]; k += cell.planes) {
    const auto value = f(accessor_for<R, F>(a, cell.i, cell.j, k));
    R* const to = target.start + packed_index(a, target, cell.i, cell.j, k);
#pragma unroll
    for (int c = 0; c < 3; ++c) {
      if (c < target.components) to[c] = value[c];
    }
  }
}

// Adds what the cells of a thread block found in the last stage to the clock. Every thread of the
// block must call it.
template <class R>
__device__ void report_block(Clock* clock, R signal, std::uint64_t work_units) {
  signal = block_max_or_nan(signal);
  work_units = block_sum(work_units);
  if (thread_of_block() == 0) {
    atomicMax(reinterpret_cast<unsigned long long*>(&clock->signal_bits),
              static_cast<unsigned long long>(double_to_bits(double(signal))));
    if (work_units != 0) {
      atomicAdd(reinterpret_cast<unsigned long long*>(&clock->work_units),
                static_cast<unsigned long long>(work_units));
    }
  }
}

template <class R, class F>
__global__ void __launch_bounds__(DirectTuning::threads)
    cell_change_kernel(const CellArrays<R> a, const F f, Clock* clock) {
  if (!clock->active) return;
  const DirectCell cell = direct_cell(a);
  R signal = R(0);
  if (cell.inside) {
    for (int k = cell.k; k < a.upper[2]; k += cell.planes) {
      const Direct<R> s = accessor_for<R, F>(a, cell.i, cell.j, k);
      const auto changed = f(s);
      signal = max_or_nan(signal, changed.signal);
#pragma unroll
      for (int v = 0; v < F::outputs; ++v) a.out[v * a.stride_var + s.offset] = changed.value[v];
    }
  }
  report_block(clock, signal, std::uint64_t{0});
}

// Threads of a block: rows as far as the box has them, else planes. In a box of one row seven of eight
// warps would have nothing to do: the right-hand side of 256 x 1 x 256 cells of boussinesq took 53 us of
// an H100 that way (`ncu`).
template <class R>
dim3 direct_block(const CellArrays<R>& a) {
  const int rows = a.upper[1] - a.lower[1];
  unsigned y = DirectTuning::y;
  while (y > 1 && int(y) / 2 >= rows) y /= 2;
  return dim3(DirectTuning::x, y, DirectTuning::y / y);
}
template <class R>
dim3 direct_grid(const CellArrays<R>& a) {
  const dim3 block = direct_block(a);
  const auto blocks = [&](int axis, unsigned tile) {
    return (unsigned(a.upper[axis] - a.lower[axis]) + tile - 1) / tile;
  };
  return dim3(blocks(0, block.x), blocks(1, block.y), std::min(blocks(2, block.z), 65535u));
}

template <class R, class F>
void cell_store(OnCuda, const CellArrays<R>& a, const F& f, const Clock* clock,
                const Queue& queue) {
  cell_store_kernel<R, F>
      <<<direct_grid(a), direct_block(a), 0, static_cast<cudaStream_t>(queue.stream)>>>(a, f,
                                                                                        clock);
  check_cuda(cudaGetLastError(), "cannot launch a cell kernel");
}

// A block goes over four planes at least, so that few of them meet at the clock.
template <class R, class F>
void cell_change(OnCuda, const CellArrays<R>& a, const F& f, Clock* clock, const Queue& queue) {
  dim3 grid = direct_grid(a);
  const unsigned rounds = std::max(4 / direct_block(a).z, 1u);
  grid.z = (grid.z + rounds - 1) / rounds;
  cell_change_kernel<R, F>
      <<<grid, direct_block(a), 0, static_cast<cudaStream_t>(queue.stream)>>>(a, f, clock);
  check_cuda(cudaGetLastError(), "cannot launch a cell kernel");
}

template <class R, class F>
void cell_pack(OnCuda, const CellArrays<R>& a, const F& f, const PackedTarget<R>& target,
               const Queue& queue) {
  cell_pack_kernel<R, F>
      <<<direct_grid(a), direct_block(a), 0, static_cast<cudaStream_t>(queue.stream)>>>(a, f,
                                                                                        target);
  check_cuda(cudaGetLastError(), "cannot launch a cell kernel");
}

}  // namespace watersmeet::exec
