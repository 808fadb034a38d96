#pragma once
// The residual on CUDA, in one pass with the correction that it comes after:
//
//   phi_new = phi + scale e          28 bytes a cell in double with a correction in single
//   r = (f - mean - L phi_new) / scale of the next cycles          precision, 4 for r
//
// against 20 + 20 in two passes. Neighbours are corrected again by whoever needs them, so that
// phi_new cannot stand where phi stands: it goes to and fro between two arrays. Included by CUDA
// instantiation files only.

#include "solve/multigrid/device_control.hpp"
#include "solve/multigrid/kernels_cuda.hpp"
#include "solve/multigrid/outer.hpp"

namespace watersmeet::solve::detail {

// The caller's arrays, where their places are only known on the device.
template <class R>
__device__ __forceinline__ LevelArrays<R> given(LevelArrays<R> a, const DeviceControl* c) {
  if (c != nullptr) {
    a.u = static_cast<R*>(c->in_spare ? c->spare : c->solution);
    a.f = static_cast<R*>(c->right_side);
  }
  return a;
}

// Where the correction lies after so many cycles: a fused schedule goes to and fro between arrays.
template <class C>
struct CorrectionPlaces {
  C* after[most_inner_cycles] = {};
};

// phi in a column of cells and beside it, corrected on the way in.
template <class R, class C, bool corrects>
struct ColumnOfPhi {
  const R* phi;
  const C* e;
  std::int64_t phi_plane, e_plane;
  R scale;
  bool reset;
  __device__ __forceinline__ R operator()(int k, int phi_beside = 0, int e_beside = 0) const {
    const R before = __ldg(phi + k * phi_plane + phi_beside);
    if constexpr (!corrects) return before;
    const R after = fma_(scale, R(__ldg(e + k * e_plane + e_beside)), before);
    return reset ? R(0) : after;
  }
};

// Planes that a thread block marches through: its maxima cost two atomic operations a block, and
// the planes below and above its first and last one are read twice.
constexpr int residual_planes = 24;

// largest[0]: of the residual, largest[1]: of phi; bit patterns, 0 before. A thread goes up a
// column and keeps the values below and above; nothing that it reads is written meanwhile.
template <class R, class C, bool corrects>
__global__ void __launch_bounds__(block_x* block_y)
    residual_kernel(const __grid_constant__ LevelArrays<R> shape, double mean, double scale,
                    const __grid_constant__ LevelArrays<C> cycle,
                    const __grid_constant__ CorrectionPlaces<C> places, unsigned long long* largest,
                    const DeviceControl* control) {
  ColumnOfPhi<R, C, corrects> values{};
  R* to_phi = nullptr;
  if (control != nullptr) {
    const SolveControl& c = control->solve;
    if (!c.running) return;
    mean = c.mean;
    scale = c.next_scale;
    if constexpr (corrects) {
      values.scale = R(c.scale);
      values.reset = c.reset != 0;
      values.e = places.after[c.inner > 0 ? c.inner - 1 : 0];
      to_phi = static_cast<R*>(control->in_spare ? control->solution : control->spare);
    }
  }
  const LevelArrays<R> a = given(shape, control);
  const R over = R(1 / scale), shift = R(mean);
  R largest_residual = R(0), largest_phi = R(0);
  const int i = int(blockIdx.x * block_x + threadIdx.x),
            j = int(blockIdx.y * block_y + threadIdx.y);
  if (i < a.n[0] && j < a.n[1]) {
    const int k0 = int(blockIdx.z) * residual_planes, k1 = min(k0 + residual_planes, a.n[2]);
    const std::int64_t own = offset(a, i, j, 0);
    values.phi = a.u + own;
    values.phi_plane = a.stride[2];
    if constexpr (corrects) {
      values.e += offset(cycle, i, j, 0);
      values.e_plane = cycle.stride[2];
      to_phi += own;
    }
    const R* __restrict__ const f = a.f + own;
    C* __restrict__ const to = cycle.f + offset(cycle, i, j, 0);
    const auto neighbour = [&](int axis, int at) {
      return at < 0 ? a.below[axis] : at >= a.n[axis] ? a.above[axis] : at;
    };
    const int xl = neighbour(0, i - 1) - i, xu = neighbour(0, i + 1) - i;
    const int yl = neighbour(1, j - 1) - j, yu = neighbour(1, j + 1) - j;
    const int x_step = int(a.stride[0]), y_step = int(a.stride[1]);
    const int x_step_e = int(cycle.stride[0]), y_step_e = int(cycle.stride[1]);
    PointWeights<R> w{__ldg(a.lower[0] + i),
                      __ldg(a.upper[0] + i),
                      __ldg(a.lower[1] + j),
                      __ldg(a.upper[1] + j),
                      R(0),
                      R(0),
                      R(0)};
    const R dx = __ldg(a.diagonal[0] + i), dy = __ldg(a.diagonal[1] + j);
    R below = values(neighbour(2, k0 - 1)), here = values(k0);
#pragma unroll 4
    for (int k = k0; k < k1; ++k) {
      const R above = values(neighbour(2, k + 1));
      w.z_lower = __ldg(a.lower[2] + k);
      w.z_upper = __ldg(a.upper[2] + k);
      w.diagonal = dx + (dy + __ldg(a.diagonal[2] + k));
      const Neighbours<R> around{values(k, xl * x_step, xl * x_step_e),
                                 values(k, xu * x_step, xu * x_step_e),
                                 values(k, yl * y_step, yl * y_step_e),
                                 values(k, yu * y_step, yu * y_step_e),
                                 below,
                                 above};
      const R r = residual_of(w, around, here, __ldg(f + k * a.stride[2]) - shift);
      to[k * cycle.stride[2]] = C(r * over);
      if constexpr (corrects) to_phi[k * a.stride[2]] = here;
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

// With `corrects` for solves with a control only, which then has phi in the other array.
template <bool corrects, class R, class C>
void queue_residual(const LevelArrays<R>& a, double mean, double scale, const LevelArrays<C>& cycle,
                    const CorrectionPlaces<C>& places, unsigned long long* largest,
                    const DeviceControl* control, const Queue& queue) {
  launch(residual_kernel<R, C, corrects>,
         grid_of(a.n[0], a.n[1], (a.n[2] + residual_planes - 1) / residual_planes), queue, a, mean,
         scale, cycle, places, largest, control);
}

// The end of a solve: phi less its mean, where the caller wants it.
template <class R>
__global__ void settle_kernel(const __grid_constant__ LevelArrays<R> shape, bool singular,
                              const DeviceControl* control) {
  if (!control->carried_out || !(singular || control->in_spare)) return;
  const R mean = singular ? R(control->solution_mean) : R(0);
  const LevelArrays<R> from = given(shape, control);
  R* const to = static_cast<R*>(control->solution);
  for_cells(from.n[0], from.n[1], from.n[2], [&](int i, int j, int k) {
    const std::int64_t at = offset(from, i, j, k);
    to[at] = from.u[at] - mean;
  });
}
template <class R>
void queue_settle(const LevelArrays<R>& a, bool singular, const DeviceControl* control,
                  const Queue& queue) {
  launch(settle_kernel<R>, grid_of(a.n[0], a.n[1], a.n[2]), queue, a, singular, control);
}

}  // namespace watersmeet::solve::detail
