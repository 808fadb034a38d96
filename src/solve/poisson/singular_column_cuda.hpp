#pragma once
// The two sums of the singular column (singular_column.hpp) by one thread block: one warp, each
// lane a piece of the column, with sums over the lanes in between.

#include <cstdint>

namespace watersmeet::solve {

template <class R>
struct SingularColumn {
  const double *widths, *distances;
  std::int64_t cells, begin;  // of the whole column; the first one here
  bool periodic;
  // With several slabs: the messages of all, from their part of the column on.
  const R* gathered;
  std::int64_t gathered_stride;
  const std::int64_t* first;  // cell of each slab
  int slabs;
};

// Sum over the lanes before this one, and over all of them.
struct LaneSums {
  double before, all;
};
static __device__ __forceinline__ LaneSums sum_over_lanes(double mine) {
  const int lane = int(threadIdx.x) & 31;
  double up_to = mine;
  for (int d = 1; d < 32; d *= 2) {
    const double other = __shfl_up_sync(0xffffffffu, up_to, d);
    if (lane >= d) up_to += other;
  }
  const double before = __shfl_up_sync(0xffffffffu, up_to, 1);
  return {lane == 0 ? 0.0 : before, __shfl_sync(0xffffffffu, up_to, 31)};
}

// x and f in shared memory, the same array; the 32 threads of a warp.
template <class R>
__device__ void solve_singular_column_warp(const SingularColumn<R>& c, double* x) {
  const std::int64_t lane = threadIdx.x & 31;
  const std::int64_t begin = lane * c.cells / 32, end = (lane + 1) * c.cells / 32;
  double length = 0, sum = 0;
  for (std::int64_t k = begin; k < end; ++k) {
    length += c.widths[k];
    sum += c.widths[k] * x[k];
  }
  length = sum_over_lanes(length).all;
  const double mean = sum_over_lanes(sum).all / length;
  // The flux below the piece, but for a constant on a periodic axis.
  double flux = 0;
  for (std::int64_t k = begin; k < end; ++k) flux += c.widths[k] * (x[k] - mean);
  double below = sum_over_lanes(flux).before, turn = 0, way = 0;
  flux = below;
  for (std::int64_t k = begin; k < end; ++k) {
    flux += c.widths[k] * (x[k] - mean);
    turn += c.distances[k + 1] * flux;
    way += c.distances[k + 1];
  }
  const LaneSums turns = sum_over_lanes(turn), ways = sum_over_lanes(way);
  const double constant = c.periodic ? -turns.all / ways.all : 0.0;
  flux = below + constant;
  double value = turns.before + constant * ways.before;
  sum = 0;
  for (std::int64_t k = begin; k < end; ++k) {
    flux += c.widths[k] * (x[k] - mean);
    x[k] = value;
    sum += c.widths[k] * value;
    value += c.distances[k + 1] * flux;
  }
  const double offset = sum_over_lanes(sum).all / length;
  for (std::int64_t k = begin; k < end; ++k) x[k] -= offset;
}

// Reads the column (here or from the messages), solves it, and writes its nz cells that are here,
// `stride` apart.
template <class R>
__device__ void solve_singular_column_block(const SingularColumn<R>& c, R* modes,
                                            std::int64_t stride, std::int64_t nz) {
  extern __shared__ __align__(16) unsigned char block_memory[];
  double* const x = reinterpret_cast<double*>(block_memory);
  if (c.slabs == 0) {
    for (std::int64_t k = threadIdx.x; k < nz; k += blockDim.x) x[k] = double(modes[k * stride]);
  } else {
    for (int s = 0; s < c.slabs; ++s) {
      const R* const part = c.gathered + s * c.gathered_stride;
      for (std::int64_t k = c.first[s] + threadIdx.x; k < c.first[s + 1]; k += blockDim.x)
        x[k] = double(part[k - c.first[s]]);
    }
  }
  __syncthreads();
  if (threadIdx.x < 32) solve_singular_column_warp(c, x);
  __syncthreads();
  for (std::int64_t k = threadIdx.x; k < nz; k += blockDim.x) modes[k * stride] = R(x[c.begin + k]);
}

}  // namespace watersmeet::solve
