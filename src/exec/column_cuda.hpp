#pragma once
// The loop of column_cpu.hpp on CUDA: one thread a column, neighbours along x in a warp.

#include <cstdint>

#include "core/device.hpp"
#include "exec/back_end.hpp"
#include "exec/check_cuda.hpp"
#include "exec/clock.hpp"

namespace watersmeet::exec {

// Blocks of a multiprocessor: columns of the atmosphere in double precision have as many registers as these leave (168) without spilling more
// than a word or two. With 8 (128 registers) a step of `hevi` takes 5 to 8 % longer.
constexpr int column_threads = 64, column_blocks = 6;

template <class R, class Body>
__global__ void __launch_bounds__(column_threads, column_blocks)
    column_kernel(const int columns, const int rows, const std::int64_t count,
                  const __grid_constant__ Body body, const Clock* const clock) {
  if (!clock->active) return;
  const std::int64_t at = std::int64_t(blockIdx.x) * column_threads + threadIdx.x;
  if (at >= count) return;
  const std::int64_t line = at / columns;
  body.template operator()<R>(int(at - line * columns), int(line % rows), int(line / rows), 1,
                              R(clock->dt));
}

template <class R, class Body>
void column_loop(OnCuda, int columns, int rows, int blocks, const Body& body, const Clock* clock,
                 const Queue& queue) {
  const std::int64_t count = std::int64_t{columns} * rows * blocks;
  const auto grid = static_cast<unsigned>((count + column_threads - 1) / column_threads);
  column_kernel<R, Body><<<grid, column_threads, 0, static_cast<cudaStream_t>(queue.stream)>>>(
      columns, rows, count, body, clock);
  check_cuda(cudaGetLastError(), "cannot launch a loop over columns");
}

}  // namespace watersmeet::exec
