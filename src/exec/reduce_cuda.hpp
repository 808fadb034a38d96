#pragma once
// The reduce form on CUDA: the same maxima and integers as reduce_cpu.hpp. A warp goes along rows,
// the warps of a thread block are combined in shared memory, and one atomic operation a value and
// block brings the result to the whole: of integers, so that the order does not matter.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "exec/back_end.hpp"
#include "exec/cell.hpp"
#include "exec/check_cuda.hpp"
#include "exec/exact_sum.hpp"
#include "exec/sample.hpp"
#include "memory/buffer.hpp"

namespace watersmeet::exec {

namespace detail {

constexpr int reduce_threads = 128;
// More than any device holds at once, few enough that the atomic operations at their ends cost
// nothing.
constexpr std::int64_t reduce_blocks = 4096;

// A function of its own, so that measuring and counting see the same bits of a value: inlined into
// two kernels, its multiplications and additions might be fused differently.
template <class R, class Sampler>
__device__ __noinline__ auto sample_cell(const CellArrays<R>& a, const Sampler& sampler, int i,
                                         int j, int k) {
  return sampler(direct_accessor<R>(a, Sampler::extra_index, i, j, k));
}

// body(sample) for the cells of this thread.
template <class R, class Sampler, class Body>
__device__ void for_each_sample(const CellArrays<R>& a, const Sampler& sampler, const Body& body) {
  const int rows_j = a.upper[1] - a.lower[1];
  const std::int64_t rows = std::int64_t(rows_j) * (a.upper[2] - a.lower[2]);
  const int lane = int(threadIdx.x % 32);
  constexpr int warps = reduce_threads / 32;
  for (std::int64_t row = std::int64_t(blockIdx.x) * warps + threadIdx.x / 32; row < rows;
       row += std::int64_t(gridDim.x) * warps) {
    const int j = a.lower[1] + int(row % rows_j), k = a.lower[2] + int(row / rows_j);
    for (int i = a.lower[0] + lane; i < a.upper[0]; i += 32) {
      body(sample_cell(a, sampler, i, j, k));
    }
  }
}

// Combines the words of all threads of a block; thread v then has word v as `result`.
template <int n, class Combine>
__device__ std::uint64_t combine_block(const std::uint64_t (&words)[n], const Combine& combine) {
  constexpr int warps = reduce_threads / 32;
  static_assert(n <= reduce_threads, "a thread a value");
  __shared__ std::uint64_t shared[warps][n];
#pragma unroll
  for (int v = 0; v < n; ++v) {
    std::uint64_t mine = words[v];
    for (int m = 16; m > 0; m /= 2) {
      mine = combine(mine, __shfl_down_sync(0xffffffffu, mine, m));
    }
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32][v] = mine;
  }
  __syncthreads();
  std::uint64_t result = 0;
  if (threadIdx.x < n) {
    result = shared[0][threadIdx.x];
    for (int w = 1; w < warps; ++w) result = combine(result, shared[w][threadIdx.x]);
  }
  return result;
}

template <class R, class Sampler>
__global__ void __launch_bounds__(reduce_threads)
    measure_kernel(const __grid_constant__ CellArrays<R> a, const __grid_constant__ Sampler sampler,
                   unsigned long long* results) {
  constexpr int sums = Sampler::sums, values = sums + Sampler::maxima;
  R largest[values];
#pragma unroll
  for (int v = 0; v < values; ++v) {
    largest[v] = v < sums ? R(0) : -std::numeric_limits<R>::infinity();
  }
  for_each_sample(a, sampler, [&](const auto& sample) {
#pragma unroll
    for (int v = 0; v < sums; ++v) largest[v] = max_or_nan(largest[v], abs_(sample.sum[v]));
#pragma unroll
    for (int v = sums; v < values; ++v) {
      largest[v] = max_or_nan(largest[v], sample.maximum[v - sums]);
    }
  });
  std::uint64_t words[values];
#pragma unroll
  for (int v = 0; v < values; ++v) words[v] = ordered_bits(double(largest[v]));
  const std::uint64_t result =
      combine_block(words, [](std::uint64_t x, std::uint64_t y) { return x > y ? x : y; });
  if (threadIdx.x < values) atomicMax(results + threadIdx.x, (unsigned long long)result);
}

template <int n>
struct SumScales {
  SumScale of[n];
};

template <class R, class Sampler>
__global__ void __launch_bounds__(reduce_threads)
    count_kernel(const __grid_constant__ CellArrays<R> a, const __grid_constant__ Sampler sampler,
                 const __grid_constant__ SumScales<Sampler::sums> scales,
                 unsigned long long* results) {
  constexpr int sums = Sampler::sums;
  std::uint64_t words[2 * sums] = {};
  for_each_sample(a, sampler, [&](const auto& sample) {
#pragma unroll
    for (int v = 0; v < sums; ++v) {
      const MagicCount c = count_with_magic(scales.of[v], double(sample.sum[v]));
      words[2 * v] += c.high - round_magic_bits;
      words[2 * v + 1] += c.low - round_magic_bits;
    }
  });
  const std::uint64_t result =
      combine_block(words, [](std::uint64_t x, std::uint64_t y) { return x + y; });
  if (threadIdx.x < 2 * sums) atomicAdd(results + threadIdx.x, (unsigned long long)result);
}

template <class R>
unsigned reduce_grid(const CellArrays<R>& a) {
  for (int axis = 0; axis < 3; ++axis) {
    if (a.upper[axis] <= a.lower[axis]) return 0;
  }
  const std::int64_t rows = std::int64_t(a.upper[1] - a.lower[1]) * (a.upper[2] - a.lower[2]);
  constexpr int warps = reduce_threads / 32;
  return unsigned(std::min((rows + warps - 1) / warps, reduce_blocks));
}

// Runs launch(words) on `n` words that start as 0 in device memory and brings them to the host.
template <int n, class Launch>
void reduce_words(std::uint64_t (&words)[n], const Queue& queue, const Launch& launch) {
  const memory::Buffer scratch(MemorySpace::device, sizeof(words));
  fill_bytes(scratch.start(), 0, sizeof(words), queue);
  launch(scratch.as<unsigned long long>(), static_cast<cudaStream_t>(queue.stream));
  check_cuda(cudaGetLastError(), "cannot launch a reduction");
  copy_bytes(words, scratch.start(), sizeof(words), queue);
  synchronize(queue);
}

}  // namespace detail

// Raises `largest`, on the host, to the largest magnitude of every sum's values, then to the
// maxima; NaN if any value is. Waits for the queue.
template <class R, class Sampler>
void measure(OnCuda, const CellArrays<R>& a, const Sampler& sampler, double* largest,
             const Queue& queue) {
  constexpr int values = Sampler::sums + Sampler::maxima;
  const unsigned blocks = detail::reduce_grid(a);
  if (blocks == 0) return;
  std::uint64_t words[values];
  detail::reduce_words(words, queue, [&](unsigned long long* on_device, cudaStream_t stream) {
    detail::measure_kernel<R, Sampler>
        <<<blocks, detail::reduce_threads, 0, stream>>>(a, sampler, on_device);
  });
  for (int v = 0; v < values; ++v) {
    largest[v] = max_or_nan(largest[v], from_ordered_bits(words[v]));
  }
}

// Adds the values of every sum, as whole numbers, to high_low[2 v] and high_low[2 v + 1] on the
// host. Waits for the queue.
template <class R, class Sampler>
void count(OnCuda, const CellArrays<R>& a, const Sampler& sampler, const SumScale* scales,
           std::int64_t* high_low, const Queue& queue) {
  constexpr int sums = Sampler::sums;
  const unsigned blocks = detail::reduce_grid(a);
  if (blocks == 0) return;
  detail::SumScales<sums> s;
  std::copy(scales, scales + sums, s.of);
  std::uint64_t words[2 * sums];
  detail::reduce_words(words, queue, [&](unsigned long long* on_device, cudaStream_t stream) {
    detail::count_kernel<R, Sampler>
        <<<blocks, detail::reduce_threads, 0, stream>>>(a, sampler, s, on_device);
  });
  for (int w = 0; w < 2 * sums; ++w) add_modulo(high_low[w], words[w]);
}

}  // namespace watersmeet::exec
