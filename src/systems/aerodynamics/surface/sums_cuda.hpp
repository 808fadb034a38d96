#pragma once
// The loop over the entries of sums.hpp on CUDA: a thread an entry. A launch begins while
// the one before it ends, and has read what is the same at all times when that has ended; the next
// one may then begin in its turn, as all that it reads besides the sums is older.

#include "exec/back_end.hpp"
#include "exec/clock.hpp"
#include "exec/launch_cuda.hpp"
#include "systems/aerodynamics/surface/sums.hpp"

namespace watersmeet::aerodynamics {

constexpr int sum_threads = 128;

template <class R>
__global__ void __launch_bounds__(sum_threads, 5)
    surface_sums_kernel(const __grid_constant__ SurfaceSums<R> body, const exec::Clock* clock,
                        const bool always) {
  constexpr unsigned all = 0xffffffffu;
  static_assert(sum_group == 32);
  const std::int64_t at = std::int64_t(blockIdx.x) * sum_threads + threadIdx.x;
  if (at >= body.count) return;  // the same for a warp
  const SumEntry entry = body.entries[at];
  const Area<R> area = body.area_of(at);
  await_launch_before();
  let_next_launch_begin();
  if (!always && !clock->active) return;
  Conserved<R> term;
#pragma unroll
  for (int v = 0; v < n_variables; ++v) term[v] = R(0);
  if (entry.node >= 0) term = body.term(entry, area);
  Conserved<R> sum = term;
  for (int m = 1; __any_sync(all, m < entry.count); ++m) {
#pragma unroll
    for (int v = 0; v < n_variables; ++v) {
      const R next = __shfl_down_sync(all, term[v], unsigned(m));
      if (m < entry.count) sum[v] = sum[v] + next;
    }
  }
  if (entry.count > 0) body.store(entry, sum);
}

template <class R>
void surface_sums(exec::OnCuda, const SurfaceSums<R>& body, const exec::Clock* clock, bool always,
                  const Queue& queue) {
  if (body.count == 0) return;
  const auto blocks = static_cast<unsigned>((body.count + sum_threads - 1) / sum_threads);
  exec::launch(surface_sums_kernel<R>, {blocks, sum_threads, 0}, true, queue,
               "cannot launch the sums of penalties", body, clock, always);
}

}  // namespace watersmeet::aerodynamics
