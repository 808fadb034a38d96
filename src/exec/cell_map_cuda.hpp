#pragma once
// CUDA loops of exec/cell_map.hpp: one thread a cell, direct accessor.

#include <algorithm>
#include <cstdint>

#include "exec/back_end.hpp"
#include "exec/cell_map.hpp"
#include "exec/check_cuda.hpp"
#include "exec/tuning.hpp"

namespace watersmeet::exec {

template <class R, class F>
__global__ void cell_store_kernel(const CellArrays<R> a, const F f, const Clock* clock) {
  if (!clock->active) return;
  const int i = a.lower[0] + int(blockIdx.x * DirectTuning::x + threadIdx.x);
  const int j = a.lower[1] + int(blockIdx.y * DirectTuning::y + threadIdx.y);
  if (i >= a.upper[0] || j >= a.upper[1]) return;
  for (int k = a.lower[2] + int(blockIdx.z); k < a.upper[2]; k += int(gridDim.z)) {
    const Direct<R> s = accessor_for<R, F>(a, i, j, k);
    a.out[s.offset] = f(s);
  }
}

template <class R, class F>
__global__ void cell_pack_kernel(const CellArrays<R> a, const F f, const PackedTarget<R> target) {
  const int i = a.lower[0] + int(blockIdx.x * DirectTuning::x + threadIdx.x);
  const int j = a.lower[1] + int(blockIdx.y * DirectTuning::y + threadIdx.y);
  if (i >= a.upper[0] || j >= a.upper[1]) return;
  for (int k = a.lower[2] + int(blockIdx.z); k < a.upper[2]; k += int(gridDim.z)) {
    const auto value = f(accessor_for<R, F>(a, i, j, k));
    R* const to = target.start + packed_index(a, target, i, j, k);
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
  if (threadIdx.x == 0 && threadIdx.y == 0) {
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
  const int i = a.lower[0] + int(blockIdx.x * DirectTuning::x + threadIdx.x);
  const int j = a.lower[1] + int(blockIdx.y * DirectTuning::y + threadIdx.y);
  R signal = R(0);
  if (i < a.upper[0] && j < a.upper[1]) {
    for (int k = a.lower[2] + int(blockIdx.z); k < a.upper[2]; k += int(gridDim.z)) {
      const Direct<R> s = accessor_for<R, F>(a, i, j, k);
      const auto changed = f(s);
      signal = max_or_nan(signal, changed.signal);
#pragma unroll
      for (int v = 0; v < F::outputs; ++v) a.out[v * a.stride_var + s.offset] = changed.value[v];
    }
  }
  report_block(clock, signal, std::uint64_t{0});
}

template <class R>
dim3 direct_grid(const CellArrays<R>& a) {
  const auto blocks = [&](int axis, int tile) {
    return unsigned(a.upper[axis] - a.lower[axis] + tile - 1) / unsigned(tile);
  };
  return dim3(blocks(0, DirectTuning::x), blocks(1, DirectTuning::y),
              std::min(blocks(2, 1), 65535u));
}

template <class R, class F>
void cell_store(OnCuda, const CellArrays<R>& a, const F& f, const Clock* clock,
                const Queue& queue) {
  cell_store_kernel<R, F><<<direct_grid(a), dim3(DirectTuning::x, DirectTuning::y), 0,
                            static_cast<cudaStream_t>(queue.stream)>>>(a, f, clock);
  check_cuda(cudaGetLastError(), "cannot launch a cell kernel");
}

// A block goes over several planes, so that few of them meet at the clock.
template <class R, class F>
void cell_change(OnCuda, const CellArrays<R>& a, const F& f, Clock* clock, const Queue& queue) {
  dim3 grid = direct_grid(a);
  grid.z = (grid.z + 3) / 4;
  cell_change_kernel<R, F><<<grid, dim3(DirectTuning::x, DirectTuning::y), 0,
                             static_cast<cudaStream_t>(queue.stream)>>>(a, f, clock);
  check_cuda(cudaGetLastError(), "cannot launch a cell kernel");
}

template <class R, class F>
void cell_pack(OnCuda, const CellArrays<R>& a, const F& f, const PackedTarget<R>& target,
               const Queue& queue) {
  cell_pack_kernel<R, F><<<direct_grid(a), dim3(DirectTuning::x, DirectTuning::y), 0,
                           static_cast<cudaStream_t>(queue.stream)>>>(a, f, target);
  check_cuda(cudaGetLastError(), "cannot launch a cell kernel");
}

}  // namespace watersmeet::exec
