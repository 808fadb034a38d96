#pragma once
// The beginning of a step (exec/begin_step.hpp) on CUDA.

#include "exec/begin_step.hpp"
#include "exec/check_cuda.hpp"

namespace watersmeet::exec {

// One thread.
static __global__ void begin_step_kernel(const StepRule rule, const double t_limit,
                                         const bool allowed, Clock* clock) {
  begin_step(*clock, rule, t_limit, allowed);
}
static inline void begin_step(OnCuda, const StepRule& rule, double t_limit, bool allowed,
                              NothingMore, Clock* clock, const Queue& queue) {
  begin_step_kernel<<<1, 1, 0, static_cast<cudaStream_t>(queue.stream)>>>(rule, t_limit, allowed,
                                                                          clock);
  check_cuda(cudaGetLastError(), "cannot launch the beginning of a step");
}

constexpr int preparation_threads = 512;
// One block: its first thread moves the clock and draws, then all threads write the tables.
template <class Preparation>
__global__ void begin_prepared_step_kernel(const StepRule rule, const double t_limit,
                                           const bool allowed,
                                           const __grid_constant__ Preparation preparation,
                                           Clock* clock) {
  __shared__ typename Preparation::Drawn drawn;
  if (threadIdx.x == 0) begin_step(*clock, rule, t_limit, allowed);
  __syncthreads();
  if (!clock->active || !preparation.wanted()) return;
  if (threadIdx.x == 0) drawn = preparation.draw(*clock);
  __syncthreads();
  for (std::int64_t e = threadIdx.x; e < preparation.entries(); e += blockDim.x) {
    preparation.write(drawn, e);
  }
}
template <class Preparation>
void begin_step(OnCuda, const StepRule& rule, double t_limit, bool allowed,
                const Preparation& preparation, Clock* clock, const Queue& queue) {
  begin_prepared_step_kernel<<<1, preparation_threads, 0,
                               static_cast<cudaStream_t>(queue.stream)>>>(rule, t_limit, allowed,
                                                                          preparation, clock);
  check_cuda(cudaGetLastError(), "cannot launch the beginning of a step");
}

}  // namespace watersmeet::exec
