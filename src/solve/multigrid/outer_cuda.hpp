#pragma once
// The loops of outer.hpp on CUDA. Their numbers come as arguments from a host that counts cycles,
// or from a control in device memory. Sums are made by a fixed number of thread blocks and then in
// their order, so that a run repeats its bits. Included by CUDA instantiation files only.

#include "solve/multigrid/device_control.hpp"
#include "solve/multigrid/kernels_cuda.hpp"
#include "solve/multigrid/outer.hpp"

namespace watersmeet::solve::detail {

constexpr int measure_threads = 256;

// The caller's arrays, where their places are only known on the device.
template <class R>
__device__ __forceinline__ LevelArrays<R> given(LevelArrays<R> a, const DeviceControl* c) {
  if (c != nullptr) {
    a.u = static_cast<R*>(c->solution);
    a.f = static_cast<R*>(c->right_side);
  }
  return a;
}

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
  static_assert(measure_blocks == measure_threads, "a thread a partial result");
  const Measured mine = partial[threadIdx.x];
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

// Where the correction lies after so many cycles: a fused schedule goes to and fro between arrays.
template <class C>
struct CorrectionPlaces {
  C* after[most_inner_cycles] = {};
};

template <class R, class C>
__global__ void correct_kernel(const __grid_constant__ LevelArrays<R> shape,
                               const __grid_constant__ LevelArrays<C> correction,
                               CorrectionPlaces<C> places, double scale, bool add, bool reset,
                               const DeviceControl* control) {
  const C* e = correction.u;
  if (control != nullptr) {
    const SolveControl& c = control->solve;
    if (!c.running) return;
    scale = c.scale;
    add = c.inner > 0;
    reset = c.reset != 0;
    if (add) e = places.after[c.inner - 1];
  }
  if (!add && !reset) return;
  const LevelArrays<R> a = given(shape, control);
  for_cells(a.n[0], a.n[1], a.n[2], [&](int i, int j, int k) {
    R& phi = a.u[offset(a, i, j, k)];
    phi = reset ? R(0) : fma_(R(scale), R(e[offset(correction, i, j, k)]), phi);
  });
}

// Planes that a thread block of the residual marches through: its maxima cost two atomic operations
// a block, and the planes below and above its first and last one are read twice.
constexpr int residual_planes = 24;

// largest[0]: of the residual, largest[1]: of phi; bit patterns, 0 before. A thread goes up a
// column and keeps the values below and above; nothing that it reads is written meanwhile.
template <class R, class C>
__global__ void __launch_bounds__(block_x* block_y)
    residual_kernel(const __grid_constant__ LevelArrays<R> shape, double mean, double scale,
                    const __grid_constant__ LevelArrays<C> cycle, unsigned long long* largest,
                    const DeviceControl* control) {
  if (control != nullptr) {
    if (!control->solve.running) return;
    mean = control->solve.mean;
    scale = control->solve.next_scale;
  }
  const LevelArrays<R> a = given(shape, control);
  const R over = R(1 / scale), shift = R(mean);
  R largest_residual = R(0), largest_phi = R(0);
  const int i = int(blockIdx.x * block_x + threadIdx.x),
            j = int(blockIdx.y * block_y + threadIdx.y);
  if (i < a.n[0] && j < a.n[1]) {
    const int k0 = int(blockIdx.z) * residual_planes, k1 = min(k0 + residual_planes, a.n[2]);
    const auto plane = [&](int k) { return k * a.stride[2]; };
    const R* __restrict__ const u = a.u + offset(a, i, j, 0);
    const R* __restrict__ const f = a.f + offset(a, i, j, 0);
    C* __restrict__ const to = cycle.f + offset(cycle, i, j, 0);
    const auto beside = [&](int axis, int at, int step) {
      const int n = a.n[axis], next = at + step;
      const int there = next < 0 ? a.below[axis] : next >= n ? a.above[axis] : next;
      return (there - at) * a.stride[axis];
    };
    const std::int64_t xl = beside(0, i, -1), xu = beside(0, i, 1), yl = beside(1, j, -1),
                       yu = beside(1, j, 1);
    PointWeights<R> w{__ldg(a.lower[0] + i),
                      __ldg(a.upper[0] + i),
                      __ldg(a.lower[1] + j),
                      __ldg(a.upper[1] + j),
                      R(0),
                      R(0),
                      R(0)};
    const R dx = __ldg(a.diagonal[0] + i), dy = __ldg(a.diagonal[1] + j);
    R below = __ldg(u + plane(k0) + beside(2, k0, -1)), here = __ldg(u + plane(k0));
#pragma unroll 4
    for (int k = k0; k < k1; ++k) {
      const R* const at = u + plane(k);
      const R above = __ldg(at + beside(2, k, 1));
      w.z_lower = __ldg(a.lower[2] + k);
      w.z_upper = __ldg(a.upper[2] + k);
      w.diagonal = dx + (dy + __ldg(a.diagonal[2] + k));
      const Neighbours<R> around{__ldg(at + xl), __ldg(at + xu), __ldg(at + yl),
                                 __ldg(at + yu), below,          above};
      const R r = residual_of(w, around, here, __ldg(f + plane(k)) - shift);
      to[k * cycle.stride[2]] = C(r * over);
      largest_residual = max_or_nan(largest_residual, abs_(r));
      largest_phi = max_or_nan(largest_phi, abs_(here));
      below = here;
      here = above;
    }
  }
  largest_residual = exec::block_max_or_nan(largest_residual);
  __syncthreads();
  largest_phi = exec::block_max_or_nan(largest_phi);
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    atomicMax(largest, (unsigned long long)exec::double_to_bits(double(largest_residual)));
    atomicMax(largest + 1, (unsigned long long)exec::double_to_bits(double(largest_phi)));
  }
}

template <class R>
__global__ void shift_kernel(const __grid_constant__ LevelArrays<R> shape, double mean,
                             const DeviceControl* control) {
  if (control != nullptr) {
    if (!control->carried_out) return;
    mean = control->solution_mean;
  }
  const LevelArrays<R> a = given(shape, control);
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
template <class R, class C>
void queue_correct(const LevelArrays<R>& a, const LevelArrays<C>& correction,
                   const CorrectionPlaces<C>& places, double scale, bool add, bool reset,
                   const DeviceControl* control, const Queue& queue) {
  launch(correct_kernel<R, C>, grid_of(a.n[0], a.n[1], a.n[2]), queue, a, correction, places, scale,
         add, reset, control);
}
template <class R, class C>
void queue_residual(const LevelArrays<R>& a, double mean, double scale, const LevelArrays<C>& cycle,
                    unsigned long long* largest, const DeviceControl* control, const Queue& queue) {
  launch(residual_kernel<R, C>,
         grid_of(a.n[0], a.n[1], (a.n[2] + residual_planes - 1) / residual_planes), queue, a, mean,
         scale, cycle, largest, control);
}
template <class R>
void queue_shift(const LevelArrays<R>& a, double mean, const DeviceControl* control,
                 const Queue& queue) {
  launch(shift_kernel<R>, grid_of(a.n[0], a.n[1], a.n[2]), queue, a, mean, control);
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
  queue_correct(a, correction, CorrectionPlaces<C>{}, scale, add, reset, nullptr, queue);
}
template <class R, class C>
void residual_cuda(const LevelArrays<R>& a, double mean, double scale, const LevelArrays<C>& cycle,
                   Residual* largest, const Queue& queue) {
  fill_bytes(largest, 0, sizeof *largest, queue);
  queue_residual(a, mean, scale, cycle, reinterpret_cast<unsigned long long*>(largest), nullptr,
                 queue);
}
template <class R>
void shift_cuda(const LevelArrays<R>& a, double mean, const Queue& queue) {
  queue_shift(a, mean, nullptr, queue);
}

}  // namespace watersmeet::solve::detail
