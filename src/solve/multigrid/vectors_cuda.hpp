#pragma once
// The loops of vectors.hpp on CUDA. Included by CUDA instantiation files only.

#include "solve/multigrid/outer_cuda.hpp"
#include "solve/multigrid/vectors.hpp"

namespace watersmeet::solve::detail {

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
    const Around<R> s = around(a, a.u, i, j, k);
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
  __shared__ double sums[measure_threads];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = measure_threads / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = {0, 0, sums[0]};
}

template <class R, class C>
__global__ void hand_over_kernel(const __grid_constant__ LevelArrays<R> from,
                                 const __grid_constant__ LevelArrays<C> to, R factor) {
  for_cells(from.n[0], from.n[1], from.n[2], [&](int i, int j, int k) {
    to.f[offset(to, i, j, k)] = C(from.f[offset(from, i, j, k)] * factor);
  });
}

template <class R, class X>
void combine_cuda(const LevelArrays<R>& y, const LevelArrays<X>& x, double x_factor,
                  double y_factor, const Queue& queue) {
  launch(combine_kernel<R, X>, grid_of(y.n[0], y.n[1], y.n[2]), queue, y, x, R(x_factor),
         R(y_factor));
}
template <class R>
void apply_cuda(const LevelArrays<R>& a, const Queue& queue) {
  launch(apply_kernel<R>, grid_of(a.n[0], a.n[1], a.n[2]), queue, a);
}
template <class R, class X>
void dot_cuda(const LevelArrays<R>& x, const LevelArrays<X>& y, const CellWidths& widths,
              Measured* result, const Queue& queue) {
  dot_kernel<R, X>
      <<<measure_blocks, measure_threads, 0, stream_of(queue)>>>(x, y, widths, result + 1);
  finish_measure_kernel<<<1, measure_threads, 0, stream_of(queue)>>>(result + 1, result);
  exec::check_cuda(cudaGetLastError(), "cannot launch a multigrid kernel");
}
template <class R, class C>
void hand_over_cuda(const LevelArrays<R>& from, const LevelArrays<C>& to, double factor,
                    const Queue& queue) {
  launch(hand_over_kernel<R, C>, grid_of(from.n[0], from.n[1], from.n[2]), queue, from, to,
         R(factor));
}

}  // namespace watersmeet::solve::detail
