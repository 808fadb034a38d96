#pragma once
// The loop of index_cpu.hpp on CUDA: one thread a number.

#include <cstdint>

#include "exec/back_end.hpp"
#include "exec/cell_map_cuda.hpp"
#include "exec/check_cuda.hpp"
#include "exec/clock.hpp"
#include "exec/launch_bounds.hpp"

namespace watersmeet::exec {

constexpr int index_threads = 128;

template <class Body>
__global__ void __launch_bounds__(index_threads, blocks_at_once<Body>(1))
    index_kernel(const std::int64_t count, const __grid_constant__ Body body, Clock* clock,
                 const bool always) {
  if (!always && !clock->active) return;
  const std::int64_t at = std::int64_t(blockIdx.x) * index_threads + threadIdx.x;
  const int mine = at < count ? body(at) : 0;
  const int events = __syncthreads_count(mine != 0);
  if (threadIdx.x == 0 && events != 0) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&clock->events),
              static_cast<unsigned long long>(events));
  }
}

// The body returns 1 for an event, which the clock counts. `clock` may be null where a body never
// does and `always` is true.
template <class Body>
void index_loop(OnCuda, std::int64_t count, const Body& body, Clock* clock, bool always,
                const Queue& queue) {
  if (count == 0) return;
  const auto blocks = static_cast<unsigned>((count + index_threads - 1) / index_threads);
  index_kernel<Body><<<blocks, index_threads, 0, static_cast<cudaStream_t>(queue.stream)>>>(
      count, body, clock, always);
  check_cuda(cudaGetLastError(), "cannot launch a loop over a list");
}

// The body returns a signal of R; with `report` the clock keeps the largest.
template <class R, class Body>
__global__ void __launch_bounds__(index_threads)
    signal_kernel(const std::int64_t count, const __grid_constant__ Body body, Clock* clock,
                  const bool report) {
  if (!clock->active) return;
  const std::int64_t at = std::int64_t(blockIdx.x) * index_threads + threadIdx.x;
  const R signal = at < count ? body(at) : R(0);
  if (report) report_block(clock, signal, std::uint64_t{0});
}
template <class R, class Body>
void signal_loop(OnCuda, std::int64_t count, const Body& body, Clock* clock, bool report,
                 const Queue& queue) {
  if (count == 0) return;
  const auto blocks = static_cast<unsigned>((count + index_threads - 1) / index_threads);
  signal_kernel<R, Body><<<blocks, index_threads, 0, static_cast<cudaStream_t>(queue.stream)>>>(
      count, body, clock, report);
  check_cuda(cudaGetLastError(), "cannot launch a loop over a list");
}

}  // namespace watersmeet::exec
