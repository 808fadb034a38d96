#pragma once
// Code that all tiles of the face form that march along z share: how the threads of a block
// meet, values of a cell in shared memory, and how long a block marches.

#include <cuda_awbarrier_primitives.h>

#include "core/host_device.hpp"
#include "core/vec.hpp"

namespace watersmeet::exec {

namespace detail {

constexpr unsigned all_lanes = 0xffffffffu;

// A meeting of the threads of a block that each passes in two steps. What it wrote before arriving
// is visible to all threads after waiting. One arrival a warp, by its first lane after __syncwarp(), is
// as correct, but racecheck of compute-sanitizer does not follow it. Of the two it is the slower
// one in single precision and the faster one in double, where sweeps are faster still: 0.1215 and
// 0.2895 ns per cell and right-hand side at 256^3 on an H200, for 0.1126 and 0.3047 as it is here
// (`watersmeet bench multicomponent --only "mpcf weno5-js tile"`).
__device__ inline void arrive(__mbarrier_t* meeting) { (void)__mbarrier_arrive(meeting); }
__device__ inline void wait(__mbarrier_t* meeting, int round) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  while (!__mbarrier_try_wait_parity(meeting, round & 1, 1000000)) {
  }
#else
  while (!__mbarrier_test_wait_parity(meeting, round & 1)) {
  }
#endif
}

template <int n, class R>
__device__ Vec<R, n> load_strided(const R* p, int stride) {
  Vec<R, n> r;
#pragma unroll
  for (int v = 0; v < n; ++v) r[v] = p[v * stride];
  return r;
}
template <int n, class R>
__device__ void store_strided(R* p, int stride, const Vec<R, n>& values) {
#pragma unroll
  for (int v = 0; v < n; ++v) p[v * stride] = values[v];
}

}  // namespace detail

}  // namespace watersmeet::exec
