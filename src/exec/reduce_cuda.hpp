#pragma once
// The reduce form on CUDA: the same sums and maxima as reduce_cpu.hpp, in double precision and a
// fixed order: a warp adds the cells of a row, then one thread block a value adds the rows. No
// atomics, so a repeated run gives the same bits.

#include "exec/cell.hpp"
#include "exec/check_cuda.hpp"
#include "exec/sample.hpp"
#include "memory/buffer.hpp"

namespace watersmeet::exec {

template <class R, class Sampler>
__global__ void reduce_rows_kernel(const CellArrays<R> a, const Sampler sampler,
                                   double* row_results, std::int64_t rows) {
  constexpr int values = Sampler::sums + Sampler::maxima;
  const std::int64_t row = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const int lane = int(threadIdx.x % 32);
  if (row >= rows) return;
  const int rows_j = a.upper[1] - a.lower[1];
  const int j = a.lower[1] + int(row % rows_j), k = a.lower[2] + int(row / rows_j);
  double r[values];
#pragma unroll
  for (int v = 0; v < values; ++v) r[v] = v < Sampler::sums ? 0.0 : -1.7e308;
  for (int i = a.lower[0] + lane; i < a.upper[0]; i += 32) {
    const auto sample = sampler(direct_accessor<R>(a, Sampler::extra_index, i, j, k));
#pragma unroll
    for (int v = 0; v < Sampler::sums; ++v) r[v] += double(sample.sum[v]);
#pragma unroll
    for (int v = 0; v < Sampler::maxima; ++v) {
      r[Sampler::sums + v] = max_or_nan(r[Sampler::sums + v], double(sample.maximum[v]));
    }
  }
#pragma unroll
  for (int v = 0; v < values; ++v) {
    for (int m = 16; m > 0; m /= 2) {
      const double other = __shfl_down_sync(0xffffffffu, r[v], m);
      r[v] = v < Sampler::sums ? r[v] + other : max_or_nan(r[v], other);
    }
    if (lane == 0) row_results[v * rows + row] = r[v];
  }
}

// One block of 256 threads a value.
static __global__ void reduce_values_kernel(const double* row_results, std::int64_t rows, int sums,
                                            double* results) {
  __shared__ double partial[256];
  const int v = int(blockIdx.x), thread = int(threadIdx.x);
  const bool sum = v < sums;
  double r = sum ? 0.0 : -1.7e308;
  for (std::int64_t row = thread; row < rows; row += 256) {
    const double x = row_results[v * rows + row];
    r = sum ? r + x : max_or_nan(r, x);
  }
  partial[thread] = r;
  for (int m = 128; m > 0; m /= 2) {
    __syncthreads();
    if (thread < m) {
      const double x = partial[thread + m];
      partial[thread] = sum ? partial[thread] + x : max_or_nan(partial[thread], x);
    }
  }
  if (thread == 0) results[v] = partial[0];
}

// results: host array. Waits for the queue.
template <class R, class Sampler>
void reduce_cuda(const CellArrays<R>& a, const Sampler& sampler, double* results,
                 const Queue& queue) {
  constexpr int values = Sampler::sums + Sampler::maxima;
  const std::int64_t rows = std::int64_t(a.upper[1] - a.lower[1]) * (a.upper[2] - a.lower[2]);
  const memory::Buffer scratch(MemorySpace::device,
                               std::size_t(rows * values + values) * sizeof(double));
  double* const row_results = scratch.as<double>();
  const cudaStream_t stream = static_cast<cudaStream_t>(queue.stream);
  reduce_rows_kernel<R, Sampler>
      <<<unsigned((rows + 3) / 4), 128, 0, stream>>>(a, sampler, row_results, rows);
  check_cuda(cudaGetLastError(), "cannot launch a reduction");
  reduce_values_kernel<<<values, 256, 0, stream>>>(row_results, rows, Sampler::sums,
                                                   row_results + rows * values);
  check_cuda(cudaGetLastError(), "cannot launch a reduction");
  copy_bytes(results, row_results + rows * values, values * sizeof(double), queue);
  synchronize(queue);
}

}  // namespace watersmeet::exec
