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

template <class R, int S, bool interpolates, bool restricts>
__global__ void __launch_bounds__(march_threads<R, S>, 1)
    march_kernel(const __grid_constant__ MarchArrays<R> m, When when) {
  march<MarchThread<R, S, interpolates, restricts>>(m, when);
}

// Threads of four columns each. One block on a multiprocessor: two smaller ones wait less for their
// barriers, but half of their columns are halo. V(1,1) on 384 x 384 x 192 cells on an H200: 0.57
// ms, and 0.63 with two blocks of 384 threads (bench/multigrid_cycle.cpp).
template <int S>
constexpr int quad_threads = S == 2 ? 768 : 640;

template <class R, int S, bool interpolates, bool restricts>
__global__ void __launch_bounds__(quad_threads<S>, 1)
    march_quad_kernel(const __grid_constant__ MarchArrays<R> m, When when) {
  march<QuadMarchThread<R, S, interpolates, restricts>>(m, when);
}

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

template <class Thread, class R, class Kernel>
void launch_march(MarchArrays<R>& m, Kernel kernel, MarchDevice device, int width, const When& when,
                  const Queue& queue) {
  const auto bytes_of = [](int threads, int chunk) {
    return std::size_t(Thread::shared_elements(threads, chunk)) * sizeof(R);
  };
  // As many threads as the kernel is compiled for need up to 130 KiB: more than GPUs of compute
  // capability 8.6 have.
  while (device.most_threads > 128 &&
         bytes_of(device.most_threads, march_longest_chunk) > exec::most_shared_memory()) {
    device.most_threads -= 32;
  }
  m.shape = make_march_shape(m.level.n, Thread::lag, device, width);
  const std::size_t bytes = bytes_of(m.shape.threads, m.shape.chunk);
  exec::allow_shared(kernel, bytes, "a multigrid pass needs more shared memory than there is");
  const unsigned blocks = unsigned(m.shape.tiles[0] * m.shape.tiles[1] * m.shape.chunks);
  kernel<<<blocks, unsigned(m.shape.threads), bytes, stream_of(queue)>>>(m, when);
  exec::check_cuda(cudaGetLastError(), "cannot launch a multigrid pass");
}

// quads: the level fits march_quad.hpp.
template <class R, int S, bool interpolates, bool restricts>
void queue_march(MarchArrays<R> m, bool quads, const When& when, const Queue& queue) {
  if constexpr (sizeof(R) == 4) {
    if (quads) {
      return launch_march<QuadMarchThread<R, S, interpolates, restricts>>(
          m, march_quad_kernel<R, S, interpolates, restricts>, march_device(quad_threads<S>), 4,
          when, queue);
    }
  }
  launch_march<MarchThread<R, S, interpolates, restricts>>(
      m, march_kernel<R, S, interpolates, restricts>, march_device(march_threads<R, S>), 2, when,
      queue);
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
