#pragma once
// The loops of outer.hpp on CUDA. Their numbers come as arguments from a host that counts cycles,
// or from a control in device memory. Sums are made by a fixed number of thread blocks and then in
// their order, so that a run repeats its bits. Included by CUDA instantiation files only.

#include "solve/multigrid/outer.hpp"
#include "solve/multigrid/residual_cuda.hpp"

namespace watersmeet::solve::detail {

constexpr int measure_threads = 256;

// partial[b]: what thread block b found.
template <class R>
__global__ void __launch_bounds__(measure_threads)
    measure_kernel(const __grid_constant__ LevelArrays<R> shape, CellWidths widths, bool right_side,
                   const DeviceControl* control, Measured* partial) {
  if (control != nullptr && !control->carried_out) return;
  const LevelArrays<R> a = given(shape, control);
  const R* const values = right_side ? a.f : a.u;
  double sum = 0, largest = 0, largest_term = 0;
  const int rows = a.n[1] * a.n[2];
  constexpr int warps = measure_threads / 32;
  for (int row = int(blockIdx.x) * warps + int(threadIdx.x) / 32; row < rows;
       row += int(gridDim.x) * warps) {
    const int j = row % a.n[1], k = row / a.n[1];
    const double volume = widths.along[1][j] * widths.along[2][k];
#pragma unroll 4
    for (int i = int(threadIdx.x) % 32; i < a.n[0]; i += 32) {
      const double value = double(values[offset(a, i, j, k)]);
      const double term = __dmul_rn(__dmul_rn(widths.along[0][i], volume), value);
      sum += term;
      largest = max_or_nan(largest, abs_(value));
      largest_term = max_or_nan(largest_term, abs_(term));
    }
  }
  __shared__ double sums[measure_threads];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = measure_threads / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  largest = exec::block_max_or_nan(largest);
  __syncthreads();
  largest_term = exec::block_max_or_nan(largest_term);
  if (threadIdx.x == 0) partial[blockIdx.x] = {largest, largest_term, sums[0]};
}

// In the order of the blocks, by one thread block; valid in thread 0.
__device__ inline Measured sum_partial(const Measured* partial) {
  Measured mine;
  for (int b = int(threadIdx.x); b < measure_blocks; b += measure_threads) {
    mine.sum += partial[b].sum;
    mine.largest = max_or_nan(mine.largest, partial[b].largest);
    mine.largest_term = max_or_nan(mine.largest_term, partial[b].largest_term);
  }
  __shared__ double sums[measure_threads];
  sums[threadIdx.x] = mine.sum;
  __syncthreads();
  for (int half = measure_threads / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  const double largest = exec::block_max_or_nan(mine.largest);
  __syncthreads();
  return {largest, exec::block_max_or_nan(mine.largest_term), sums[0]};
}

// Whole numbers, modulo 2^64.
template <class R>
__global__ void __launch_bounds__(measure_threads)
    count_kernel(const __grid_constant__ LevelArrays<R> a, CellWidths widths, bool right_side,
                 exec::SumScale scale, unsigned long long* high_low) {
  const R* const values = right_side ? a.f : a.u;
  std::uint64_t high = 0, low = 0;
  const int rows = a.n[1] * a.n[2];
  constexpr int warps = measure_threads / 32;
  for (int row = int(blockIdx.x) * warps + int(threadIdx.x) / 32; row < rows;
       row += int(gridDim.x) * warps) {
    const int j = row % a.n[1], k = row / a.n[1];
    const double volume = widths.along[1][j] * widths.along[2][k];
#pragma unroll 4
    for (int i = int(threadIdx.x) % 32; i < a.n[0]; i += 32) {
      const double value = double(values[offset(a, i, j, k)]);
      const exec::MagicCount c =
          exec::count_with_magic(scale, __dmul_rn(__dmul_rn(widths.along[0][i], volume), value));
      high += c.high - exec::round_magic_bits;
      low += c.low - exec::round_magic_bits;
    }
  }
  high = exec::block_sum(high);
  __syncthreads();
  low = exec::block_sum(low);
  if (threadIdx.x != 0) return;
  atomicAdd(high_low, (unsigned long long)high);
  atomicAdd(high_low + 1, (unsigned long long)low);
}

static __global__ void __launch_bounds__(measure_threads)
    finish_measure_kernel(const Measured* partial, Measured* result) {
  const Measured m = sum_partial(partial);
  if (threadIdx.x == 0) *result = m;
}

// A host that counts cycles corrects phi in its place.
template <class R, class C>
__global__ void correct_kernel(const __grid_constant__ LevelArrays<R> a,
                               const __grid_constant__ LevelArrays<C> correction, double scale,
                               bool reset) {
  for_cells(a.n[0], a.n[1], a.n[2], [&](int i, int j, int k) {
    R& phi = a.u[offset(a, i, j, k)];
    phi = reset ? R(0) : fma_(R(scale), R(correction.u[offset(correction, i, j, k)]), phi);
  });
}

template <class R>
__global__ void shift_kernel(const __grid_constant__ LevelArrays<R> a, double mean) {
  for_cells(a.n[0], a.n[1], a.n[2],
            [&](int i, int j, int k) { a.u[offset(a, i, j, k)] -= R(mean); });
}

template <class R>
void queue_measure(const LevelArrays<R>& a, const CellWidths& widths, bool right_side,
                   const DeviceControl* control, Measured* partial, const Queue& queue) {
  measure_kernel<R><<<measure_blocks, measure_threads, 0, stream_of(queue)>>>(a, widths, right_side,
                                                                              control, partial);
  exec::check_cuda(cudaGetLastError(), "cannot launch a multigrid kernel");
}
// result[0]: what was found; behind it the partial results.
template <class R>
void measure_cuda(const LevelArrays<R>& a, const CellWidths& widths, bool right_side,
                  Measured* result, const Queue& queue) {
  queue_measure(a, widths, right_side, nullptr, result + 1, queue);
  finish_measure_kernel<<<1, measure_threads, 0, stream_of(queue)>>>(result + 1, result);
  exec::check_cuda(cudaGetLastError(), "cannot launch a multigrid kernel");
}
template <class R>
void count_cuda(const LevelArrays<R>& a, const CellWidths& widths, bool right_side,
                const exec::SumScale& scale, std::int64_t* high_low, const Queue& queue) {
  count_kernel<R><<<measure_blocks, measure_threads, 0, stream_of(queue)>>>(
      a, widths, right_side, scale, reinterpret_cast<unsigned long long*>(high_low));
  exec::check_cuda(cudaGetLastError(), "cannot launch a multigrid kernel");
}
template <class R, class C>
void correct_cuda(const LevelArrays<R>& a, const LevelArrays<C>& correction, double scale, bool add,
                  bool reset, const Queue& queue) {
  if (!add && !reset) return;
  launch(correct_kernel<R, C>, grid_of(a.n[0], a.n[1], a.n[2]), queue, a, correction, scale, reset);
}
template <class R, class C>
void residual_cuda(const LevelArrays<R>& a, double mean, double scale, const LevelArrays<C>& cycle,
                   Residual* largest, const Queue& queue) {
  fill_bytes(largest, 0, sizeof *largest, queue);
  queue_residual<false>(a, mean, scale, cycle, CorrectionPlaces<C>{},
                        reinterpret_cast<unsigned long long*>(largest), nullptr, queue);
}
template <class R>
void shift_cuda(const LevelArrays<R>& a, double mean, const Queue& queue) {
  launch(shift_kernel<R>, grid_of(a.n[0], a.n[1], a.n[2]), queue, a, mean);
}

}  // namespace watersmeet::solve::detail
