#pragma once
// The loops of outer.hpp on CUDA. Their numbers come as arguments from a host that counts cycles,
// or from a control in device memory. Sums are made by a fixed number of thread blocks and then in
// their order, so that a run repeats its bits. Included by CUDA instantiation files only.

#include "solve/multigrid/outer.hpp"
#include "solve/multigrid/residual_cuda.hpp"

namespace watersmeet::solve::detail {

constexpr int measure_threads = 256;

// Sum over the threads of a block, in the same order always; valid in thread 0.
__device__ inline double block_total(double mine) {
  __shared__ double sums[measure_threads];
  sums[threadIdx.x] = mine;
  __syncthreads();
  for (int half = measure_threads / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  return sums[0];
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
#pragma unroll 4
    for (int i = int(threadIdx.x) % 32; i < a.n[0]; i += 32) {
      const double value = double(values[offset(a, i, j, k)]);
      const double term = __dmul_rn(__dmul_rn(widths.along[0][i], volume), value);
      sum += term;
      largest = max_or_nan(largest, abs_(value));
      largest_term = max_or_nan(largest_term, abs_(term));
    }
  }
  sum = block_total(sum);
  largest = exec::block_max_or_nan(largest);
  __syncthreads();
  largest_term = exec::block_max_or_nan(largest_term);
  if (threadIdx.x == 0) partial[blockIdx.x] = {largest, largest_term, sum};
}

// In the order of the blocks, by one thread block; valid in thread 0.
__device__ inline Measured sum_partial(const Measured* partial) {
  Measured mine;
  for (int b = int(threadIdx.x); b < measure_blocks; b += measure_threads) {
    mine.sum += partial[b].sum;
    mine.largest = max_or_nan(mine.largest, partial[b].largest);
    mine.largest_term = max_or_nan(mine.largest_term, partial[b].largest_term);
  }
  mine.sum = block_total(mine.sum);
  const double largest = exec::block_max_or_nan(mine.largest);
  __syncthreads();
  return {largest, exec::block_max_or_nan(mine.largest_term), mine.sum};
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

template <class R, class X>
__global__ void combine_kernel(const __grid_constant__ LevelArrays<R> y,
                               const __grid_constant__ LevelArrays<X> x, R x_factor, R y_factor) {
  for_cells(y.n[0], y.n[1], y.n[2], [&](int i, int j, int k) {
    const R value = x_factor * R(x.u[offset(x, i, j, k)]);
    R& to = y.u[offset(y, i, j, k)];
    to = y_factor == R(0) ? value : fma_(y_factor, to, value);
  });
}

template <class R>
__global__ void apply_kernel(const __grid_constant__ LevelArrays<R> a) {
  for_cells(a.n[0], a.n[1], a.n[2], [&](int i, int j, int k) {
    const std::int64_t at = offset(a, i, j, k);
    const Around<R> s = around(a, values_of(a, a.u), i, j, k);
    a.v[at] = -residual_of(s.weights, s.values, a.u[at], R(0));
  });
}

template <class R, class X>
__global__ void __launch_bounds__(measure_threads)
    dot_kernel(const __grid_constant__ LevelArrays<R> x, const __grid_constant__ LevelArrays<X> y,
               CellWidths widths, Measured* partial) {
  double sum = 0;
  const int rows = x.n[1] * x.n[2];
  constexpr int warps = measure_threads / 32;
  for (int row = int(blockIdx.x) * warps + int(threadIdx.x) / 32; row < rows;
       row += int(gridDim.x) * warps) {
    const int j = row % x.n[1], k = row / x.n[1];
    const double volume = widths.along[1][j] * widths.along[2][k];
    for (int i = int(threadIdx.x) % 32; i < x.n[0]; i += 32) {
      sum = fma_(widths.along[0][i] * volume * double(x.u[offset(x, i, j, k)]),
                 double(y.u[offset(y, i, j, k)]), sum);
    }
  }
  sum = block_total(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = {0, 0, sum};
}

template <class R, class C>
__global__ void hand_over_kernel(const __grid_constant__ LevelArrays<R> from,
                                 const __grid_constant__ LevelArrays<C> to, R factor) {
  for_cells(from.n[0], from.n[1], from.n[2], [&](int i, int j, int k) {
    to.f[offset(to, i, j, k)] = C(from.f[offset(from, i, j, k)] * factor);
  });
}

// A result from device memory, once it is there.
template <class Result>
void fetch(Result* result, const void* room, const Queue& queue) {
  copy_bytes(result, room, sizeof(*result), queue);
  synchronize(queue);
}
// The result at `room` of the partial ones behind it.
inline Measured finish_measure(void* room, const Queue& queue) {
  Measured* const all = static_cast<Measured*>(room);
  finish_measure_kernel<<<1, measure_threads, 0, stream_of(queue)>>>(all + 1, all);
  exec::check_cuda(cudaGetLastError(), "cannot launch a multigrid kernel");
  Measured result;
  fetch(&result, room, queue);
  return result;
}

// The loops of outer.hpp.
template <class R, class C>
class OuterLoopsCuda final : public OuterLoops<R, C> {
 public:
  Measured measure(const LevelArrays<R>& a, const CellWidths& widths, bool right_side, void* room,
                   const Queue& queue) const override {
    queue_measure(a, widths, right_side, nullptr, static_cast<Measured*>(room) + 1, queue);
    return finish_measure(room, queue);
  }
  void count(const LevelArrays<R>& a, const CellWidths& widths, bool right_side,
             const exec::SumScale& scale, std::int64_t* high_low, void* room,
             const Queue& queue) const override {
    std::uint64_t sums[2];
    fill_bytes(room, 0, sizeof sums, queue);
    count_kernel<R><<<measure_blocks, measure_threads, 0, stream_of(queue)>>>(
        a, widths, right_side, scale, static_cast<unsigned long long*>(room));
    exec::check_cuda(cudaGetLastError(), "cannot launch a multigrid kernel");
    fetch(&sums, room, queue);
    for (int w = 0; w < 2; ++w) exec::add_modulo(high_low[w], sums[w]);
  }
  void correct(const LevelArrays<R>& a, const LevelArrays<C>& correction, double scale, bool add,
               bool reset, const Queue& queue) const override {
    if (!add && !reset) return;
    launch(correct_kernel<R, C>, grid_of(a.n[0], a.n[1], a.n[2]), queue, a, correction, scale,
           reset);
  }
  Residual residual(const LevelArrays<R>& a, double mean, double scale, const LevelArrays<C>& cycle,
                    void* room, const Queue& queue) const override {
    Residual largest;
    fill_bytes(room, 0, sizeof largest, queue);
    queue_residual<false>(a, mean, scale, cycle, CorrectionPlaces<C>{},
                          static_cast<unsigned long long*>(room), nullptr, queue);
    fetch(&largest, room, queue);
    return largest;
  }
  void shift(const LevelArrays<R>& a, double mean, const Queue& queue) const override {
    launch(shift_kernel<R>, grid_of(a.n[0], a.n[1], a.n[2]), queue, a, mean);
  }
  void combine(const LevelArrays<R>& y, const LevelArrays<C>& x, double x_factor, double y_factor,
               const Queue& queue) const override {
    launch(combine_kernel<R, C>, grid_of(y.n[0], y.n[1], y.n[2]), queue, y, x, R(x_factor),
           R(y_factor));
  }
  void apply(const LevelArrays<R>& a, const Queue& queue) const override {
    launch(apply_kernel<R>, grid_of(a.n[0], a.n[1], a.n[2]), queue, a);
  }
  double dot(const LevelArrays<R>& x, const LevelArrays<C>& y, const CellWidths& widths, void* room,
             const Queue& queue) const override {
    dot_kernel<R, C><<<measure_blocks, measure_threads, 0, stream_of(queue)>>>(
        x, y, widths, static_cast<Measured*>(room) + 1);
    return finish_measure(room, queue).sum;
  }
  void hand_over(const LevelArrays<R>& from, const LevelArrays<C>& to, double factor,
                 const Queue& queue) const override {
    launch(hand_over_kernel<R, C>, grid_of(from.n[0], from.n[1], from.n[2]), queue, from, to,
           R(factor));
  }
};

}  // namespace watersmeet::solve::detail
