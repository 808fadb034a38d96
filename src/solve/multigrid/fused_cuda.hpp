#pragma once
// The fused passes as kernels: a thread block a tile and chunk of a level (march.hpp), and one
// thread block for all small levels (small.hpp). Included by CUDA instantiation files only.

#include "solve/multigrid/device_cycle.hpp"
#include "solve/multigrid/kernels_cuda.hpp"
#include "solve/multigrid/march.hpp"
#include "solve/multigrid/march_quad.hpp"
#include "solve/multigrid/march_shape.hpp"
#include "solve/multigrid/small.hpp"

namespace watersmeet::solve::detail {

// Registers bound the threads of a block: a column of S + 3 planes and its f in two colours.
template <class R, int S>
constexpr int march_threads = sizeof(R) == 4 ? (S == 2 ? 1024 : 768) : (S == 2 ? 640 : 384);

template <class Thread, class R>
__device__ __forceinline__ void march(const MarchArrays<R>& m, const When& when) {
  extern __shared__ __align__(16) unsigned char shared[];
  if (!enabled(when)) return;
  Thread thread;
  thread.start(m, reinterpret_cast<R*>(shared), int(blockIdx.x), int(threadIdx.x));
  __syncthreads();
  const int end = thread.end_step();
  for (int q = thread.first_step(); q < end; ++q) {
    thread.step(m, q);
    __syncthreads();
  }
  thread.finish(m);
}

template <class Thread, int threads, class R>
__global__ void __launch_bounds__(threads, 1)
    march_pass_kernel(const __grid_constant__ MarchArrays<R> m, When when) {
  march<Thread>(m, when);
}

// Threads of four columns each. One block on a multiprocessor: two smaller ones wait less for their
// barriers, but half of their columns are halo. V(1,1) on 384 x 384 x 192 cells on an H200: 0.57
// ms, and 0.63 with two blocks of 384 threads (bench/multigrid_cycle.cpp).
template <int S>
constexpr int quad_threads = S == 2 ? 768 : 640;

inline MarchDevice march_device(int most_threads) {
  MarchDevice device;
  int index = 0;
  exec::check_cuda(cudaGetDevice(&index), "cannot ask for the device");
  exec::check_cuda(
      cudaDeviceGetAttribute(&device.multiprocessors, cudaDevAttrMultiProcessorCount, index),
      "cannot ask for the device");
  device.most_threads = most_threads;
  return device;
}

// most_threads: what the kernel is compiled for. width: columns of a thread.
template <class Thread, int most_threads, class R>
void launch_march(MarchArrays<R>& m, int width, const When& when, const Queue& queue) {
  MarchDevice device = march_device(most_threads);
  const auto bytes_of = [](int threads, int chunk) {
    return std::size_t(Thread::shared_elements(threads, chunk)) * sizeof(R);
  };
  // As many threads as the kernel is compiled for need up to 130 KiB: more than GPUs of compute
  // capability 8.6 have.
  while (device.most_threads > 128 &&
         bytes_of(device.most_threads, march_longest_chunk) > exec::most_shared_memory()) {
    device.most_threads -= 32;
  }
  const int cells[3] = {m.level.n[0], m.level.n[1], m.end - m.begin};
  m.shape = make_march_shape(cells, Thread::lag, device, width);
  const std::size_t bytes = bytes_of(m.shape.threads, m.shape.chunk);
  const auto kernel = march_pass_kernel<Thread, most_threads, R>;
  exec::allow_shared(kernel, bytes, "a multigrid pass needs more shared memory than there is");
  const unsigned blocks = unsigned(m.shape.tiles[0] * m.shape.tiles[1] * m.shape.chunks);
  kernel<<<blocks, unsigned(m.shape.threads), bytes, stream_of(queue)>>>(m, when);
  exec::check_cuda(cudaGetLastError(), "cannot launch a multigrid pass");
}

template <class R, int S, bool interpolates, bool restricts, bool shares>
void queue_march(MarchArrays<R>& m, bool quads, const When& when, const Queue& queue) {
  if constexpr (sizeof(R) == 4) {
    if (quads) {
      using Thread = QuadMarchThread<R, S, interpolates, restricts, shares>;
      return launch_march<Thread, quad_threads<S>>(m, 4, when, queue);
    }
  }
  using Thread = MarchThread<R, S, interpolates, restricts, shares>;
  launch_march<Thread, march_threads<R, S>>(m, 2, when, queue);
}

// quads: the level fits march_quad.hpp. shares: planes of m.far_out and m.far_coarse are stored; on one GPU the comparisons for them
// would take 3 % of a step (docs/scaling.md).
template <class R, int S, bool interpolates, bool restricts>
void queue_march(MarchArrays<R> m, bool quads, bool shares, const When& when, const Queue& queue) {
  if (shares) return queue_march<R, S, interpolates, restricts, true>(m, quads, when, queue);
  queue_march<R, S, interpolates, restricts, false>(m, quads, when, queue);
}

constexpr int small_threads = 1024;

struct BlockTeam {
  template <class Body>
  __device__ __forceinline__ void each(int count, const Body& body) const {
    for (int i = int(threadIdx.x); i < count; i += small_threads) body(i);
    __syncthreads();
  }
};

// The levels are an argument, which a multiprocessor keeps at hand: every phase begins with a chain
// of them, and from device memory it took longer than the phase's work.
template <class R>
__global__ void __launch_bounds__(small_threads, 1)
    small_kernel(const __grid_constant__ SmallLevels<R> levels, Start start, When when) {
  extern __shared__ __align__(16) unsigned char shared[];
  if (!enabled(when)) return;
  const BlockTeam team;
  SmallCycle<R, BlockTeam>(levels, reinterpret_cast<R*>(shared), team).run(start);
}

template <class R>
void queue_small(const SmallLevels<R>& levels, Start start, const When& when, const Queue& queue) {
  const int bytes = levels.elements * static_cast<int>(sizeof(R));
  exec::allow_shared(small_kernel<R>, std::size_t(bytes),
                     "the small levels need more shared memory than there is");
  small_kernel<R><<<1, small_threads, std::size_t(bytes), stream_of(queue)>>>(levels, start, when);
  exec::check_cuda(cudaGetLastError(), "cannot launch the small levels");
}

}  // namespace watersmeet::solve::detail
