#pragma once
// The residual on CUDA, with the correction before it (residual_march.hpp) or without, and the end
// of a solve. Included by CUDA instantiation files only.

#include "solve/multigrid/device_control.hpp"
#include "solve/multigrid/kernels_cuda.hpp"
#include "solve/multigrid/outer.hpp"
#include "solve/multigrid/residual_march.hpp"

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

// largest[0]: of the residual, largest[1]: of phi; bit patterns, 0 before. shares: far planes are stored (residual_march.hpp).
template <class R, class C, bool corrects, bool shares>
__global__ void __launch_bounds__(ResidualThread<R, C, corrects>::threads, 2)
    residual_kernel(const __grid_constant__ LevelArrays<R> shape, double mean, double scale,
                    const __grid_constant__ LevelArrays<C> cycle,
                    const __grid_constant__ CorrectionPlaces<C> places,
                    const __grid_constant__ FarSides<C> far, int planes,
                    unsigned long long* largest, const DeviceControl* control) {
  using Thread = ResidualThread<R, C, corrects, shares>;
  ResidualWork<R, C> work;
  if constexpr (shares) work.far = far;
  if (control != nullptr) {
    const SolveControl& c = control->solve;
    if (!c.running || (!corrects && control->from_zero)) return;
    mean = c.mean;
    scale = c.next_scale;
    if constexpr (corrects) {
      work.scale = R(c.scale);
      work.reset = c.reset != 0;
      work.e = places.after[c.inner > 0 ? c.inner - 1 : 0];
      work.to = static_cast<R*>(control->in_spare ? control->solution : control->spare);
    }
  }
  const LevelArrays<R> a = given(shape, control);
  work.phi = corrects && control->from_zero ? nullptr : a.u;
  work.f = a.f;
  work.r = cycle.f;
  work.over = R(1 / scale);
  work.mean = R(mean);
  const int block[3] = {int(blockIdx.x), int(blockIdx.y), int(blockIdx.z)};
  Thread thread;
  thread.start(a, cycle, work, block, planes, int(threadIdx.x));
  if (thread.exists) {
    for (int k = thread.k0; k < thread.k1; ++k) thread.step(a, cycle, work, k);
    thread.finish(a, work);
  }
  const R largest_residual = exec::block_max_or_nan(thread.largest);
  __syncthreads();
  const R largest_phi = exec::block_max_or_nan(thread.largest_phi);
  if (threadIdx.x == 0) {
    atomicMax(largest, (unsigned long long)exec::double_to_bits(double(largest_residual)));
    atomicMax(largest + 1, (unsigned long long)exec::double_to_bits(double(largest_phi)));
  }
}

// With `corrects` for solves with a control only, which then has phi in the other array.
template <bool corrects, bool shares = false, class R, class C>
void queue_residual(const LevelArrays<R>& a, double mean, double scale, const LevelArrays<C>& cycle,
                    const CorrectionPlaces<C>& places, unsigned long long* largest,
                    const DeviceControl* control, const Queue& queue, const FarSides<C>& far = {}) {
  using Thread = ResidualThread<R, C, corrects>;
  const int tiles_x = (a.n[0] + Thread::tile_x - 1) / Thread::tile_x;
  const int tiles_y = (a.n[1] + Thread::tile_y - 1) / Thread::tile_y;
  // Long chunks read fewer planes twice; small grids are cut for the sake of all multiprocessors.
  int planes = 32;
  while (planes > 4 && tiles_x * tiles_y * ((a.n[2] + planes - 1) / planes) < 528) planes /= 2;
  const dim3 blocks(static_cast<unsigned>(tiles_x), static_cast<unsigned>(tiles_y),
                    static_cast<unsigned>((a.n[2] + planes - 1) / planes));
  residual_kernel<R, C, corrects, shares><<<blocks, Thread::threads, 0, stream_of(queue)>>>(
      a, mean, scale, cycle, places, far, planes, largest, control);
  exec::check_cuda(cudaGetLastError(), "cannot launch a multigrid kernel");
}

// The residual of 0, which is the right-hand side: 12 bytes a cell.
template <class R, class C>
__global__ void __launch_bounds__(256)
    right_side_kernel(const __grid_constant__ LevelArrays<R> shape,
                      const __grid_constant__ LevelArrays<C> cycle,
                      const __grid_constant__ FarSides<C> far, unsigned long long* largest,
                      const DeviceControl* control) {
  if (!control->solve.running || !control->from_zero) return;
  const R* const f = static_cast<const R*>(control->right_side);
  const R mean = R(control->solve.mean), over = R(1 / control->solve.next_scale);
  R mine = R(0);
  const int rows = shape.n[1] * shape.n[2], warps = int(blockDim.x) / 32;
  for (int row = int(blockIdx.x) * warps + int(threadIdx.x) / 32; row < rows;
       row += int(gridDim.x) * warps) {
    const int j = row % shape.n[1], k = row / shape.n[1];
#pragma unroll 4
    for (int i = int(threadIdx.x) % 32; i < shape.n[0]; i += 32) {
      const R r = f[offset(shape, i, j, k)] - mean;
      const std::int64_t at = offset(cycle, i, j, k);
      cycle.f[at] = C(r * over);
      far.each(k, [&](C* there) { there[at] = C(r * over); });
      mine = max_or_nan(mine, abs_(r));
    }
  }
  mine = exec::block_max_or_nan(mine);
  if (threadIdx.x == 0) {
    atomicMax(largest, (unsigned long long)exec::double_to_bits(double(mine)));
  }
}
template <class R, class C>
void queue_right_side(const LevelArrays<R>& a, const LevelArrays<C>& cycle, const FarSides<C>& far,
                      unsigned long long* largest, const DeviceControl* control,
                      const Queue& queue) {
  right_side_kernel<R, C>
      <<<measure_blocks, 256, 0, stream_of(queue)>>>(a, cycle, far, largest, control);
  exec::check_cuda(cudaGetLastError(), "cannot launch a multigrid kernel");
}

// The end of a solve: phi less its mean, where the caller asks for it.
template <class R>
__global__ void settle_kernel(const __grid_constant__ LevelArrays<R> shape, bool singular,
                              const DeviceControl* control) {
  const bool nothing = control->from_zero != 0;
  if (!control->carried_out || !(singular || control->in_spare || nothing)) return;
  const R mean = singular ? R(control->solution_mean) : R(0);
  const LevelArrays<R> from = given(shape, control);
  R* const to = static_cast<R*>(control->solution);
  for_cells(from.n[0], from.n[1], from.n[2], [&](int i, int j, int k) {
    const std::int64_t at = offset(from, i, j, k);
    to[at] = nothing ? R(0) : from.u[at] - mean;
  });
}
template <class R>
void queue_settle(const LevelArrays<R>& a, bool singular, const DeviceControl* control,
                  const Queue& queue) {
  launch(settle_kernel<R>, grid_of(a.n[0], a.n[1], a.n[2]), queue, a, singular, control);
}

}  // namespace watersmeet::solve::detail
