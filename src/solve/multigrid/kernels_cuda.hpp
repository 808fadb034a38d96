#pragma once
// Loops of the levels on CUDA, one kernel a step: a thread a cell (a pair of cells where one of
// them has the colour). Neighbours are found by index, also around a period: no ghosts on one rank.
// Every other schedule is compared with these. Included by CUDA instantiation files only.

#include <algorithm>

#include "exec/check_cuda.hpp"
#include "solve/multigrid/control.hpp"
#include "solve/multigrid/kernels.hpp"
#include "solve/multigrid/points.hpp"

namespace watersmeet::solve::detail {

inline cudaStream_t stream_of(const Queue& queue) {
  return static_cast<cudaStream_t>(queue.stream);
}

__device__ __forceinline__ bool enabled(const When& when) {
  const SolveControl* const c = when.control;
  return c == nullptr || (c->running != 0 && when.cycle < c->inner);
}

constexpr int block_x = 32, block_y = 8;
constexpr unsigned most_grid_planes = 65535;

inline dim3 grid_of(int nx, int ny, int nz) {
  return dim3(unsigned((nx + block_x - 1) / block_x), unsigned((ny + block_y - 1) / block_y),
              std::min(unsigned(nz), most_grid_planes));
}

// body(i, j, k) for the cells of this thread in a box of nx x ny x nz.
template <class Body>
__device__ __forceinline__ void for_cells(int nx, int ny, int nz, const Body& body) {
  const int i = int(blockIdx.x * block_x + threadIdx.x);
  const int j = int(blockIdx.y * block_y + threadIdx.y);
  if (i >= nx || j >= ny) return;
  for (int k = int(blockIdx.z); k < nz; k += int(gridDim.z)) body(i, j, k);
}

template <class R>
__device__ __forceinline__ std::int64_t offset(const LevelArrays<R>& a, int i, int j, int k) {
  return i * a.stride[0] + j * a.stride[1] + k * a.stride[2];
}

// An array of a level, by the indices of its cells.
template <class R>
struct LevelValues {
  const LevelArrays<R>& a;
  const R* start;
  __device__ __forceinline__ R operator()(int i, int j, int k) const {
    return start[offset(a, i, j, k)];
  }
};
template <class R>
__device__ __forceinline__ LevelValues<R> values_of(const LevelArrays<R>& a, const R* start) {
  return {a, start};
}

template <class R>
__global__ void clear_kernel(const __grid_constant__ LevelArrays<R> a, When when) {
  if (!enabled(when)) return;
  for_cells(a.n[0] + 2 * a.ghosts[0], a.n[1] + 2 * a.ghosts[1], a.n[2] + 2 * a.ghosts[2],
            [&](int i, int j, int k) {
              a.u[offset(a, i - a.ghosts[0], j - a.ghosts[1], k - a.ghosts[2])] = R(0);
            });
}

template <class R>
__global__ void red_black_kernel(const __grid_constant__ LevelArrays<R> a, int colour, When when) {
  if (!enabled(when)) return;
  for_cells((a.n[0] + 1) / 2, a.n[1], a.n[2], [&](int pair, int j, int k) {
    const int i = 2 * pair + ((j + k + colour + a.parity) & 1);
    if (i >= a.n[0]) return;
    const std::int64_t at = offset(a, i, j, k);
    const Around<R> r = around(a, values_of(a, a.u), i, j, k);
    a.u[at] = relaxed(r.weights, r.values, a.u[at], a.f[at], a.omega);
  });
}

template <class R>
__global__ void jacobi_kernel(const __grid_constant__ LevelArrays<R> a, When when) {
  if (!enabled(when)) return;
  for_cells(a.n[0], a.n[1], a.n[2], [&](int i, int j, int k) {
    const std::int64_t at = offset(a, i, j, k);
    const Around<R> r = around(a, values_of(a, a.u), i, j, k);
    a.v[at] = relaxed(r.weights, r.values, a.u[at], a.f[at], a.omega);
  });
}

// Thomas' algorithm, a thread a column. A coloured column's old values are not needed, so that the
// eliminated right-hand side may stand in their place.
template <class R>
__global__ void lines_z_kernel(const __grid_constant__ LevelArrays<R> a, int colour, When when) {
  if (!enabled(when)) return;
  const bool all = colour < 0;
  for_cells(all ? a.n[0] : (a.n[0] + 1) / 2, a.n[1], 1, [&](int index, int j, int) {
    const int i = all ? index : 2 * index + ((j + colour + a.parity) & 1);
    if (i >= a.n[0]) return;
    R* const to = all ? a.v : a.u;
    R ratio = R(0), value = R(0);
    for (int k = 0; k < a.n[2]; ++k) {
      const std::int64_t at = offset(a, i, j, k);
      Around<R> r = around(a, values_of(a, a.u), i, j, k);
      const R lower = r.weights.z_lower, upper = r.weights.z_upper;
      r.weights.z_lower = r.weights.z_upper = R(0);
      const R right = neighbour_sum(r.weights, r.values, a.f[at]);
      const R pivot = R(1) / (r.weights.diagonal - lower * ratio);
      ratio = upper * pivot;
      value = fma_(lower, value, right) * pivot;
      a.w[at] = ratio;
      to[at] = value;
    }
    R u = R(0);
    for (int k = a.n[2] - 1; k >= 0; --k) {
      const std::int64_t at = offset(a, i, j, k);
      u = fma_(a.w[at], u, to[at]);
      to[at] = all ? fma_(a.omega, u - a.u[at], a.u[at]) : u;
    }
  });
}

template <class R>
__global__ void restrict_kernel(const __grid_constant__ LevelArrays<R> fine,
                                const __grid_constant__ TransferArrays<R> t,
                                const __grid_constant__ LevelArrays<R> coarse, When when) {
  if (!enabled(when)) return;
  for_cells(coarse.n[0], coarse.n[1], coarse.n[2], [&](int i, int j, int k) {
    coarse.f[offset(coarse, i, j, k)] =
        restricted(fine, t, values_of(fine, fine.u), values_of(fine, fine.f), i, j, k);
  });
}

template <class R>
__global__ void interpolate_kernel(const __grid_constant__ LevelArrays<R> fine,
                                   const __grid_constant__ TransferArrays<R> t,
                                   const __grid_constant__ LevelArrays<R> coarse, When when) {
  if (!enabled(when)) return;
  for_cells(fine.n[0], fine.n[1], fine.n[2], [&](int i, int j, int k) {
    fine.u[offset(fine, i, j, k)] += interpolated(t, coarse, values_of(coarse, coarse.u), i, j, k);
  });
}

// Where the values of a transform lie: a packed array, or a level's.
template <class R>
struct Placed {
  R* values;
  std::int64_t stride[3];
};

// One transform of the bottom along an axis; with `divide` into the eigenvalues' space: the result
// is divided by their sum.
template <class R>
__global__ void transform_kernel(const __grid_constant__ BottomArrays<R> b, Placed<R> in,
                                 Placed<R> out, const R* matrix, int axis, bool divide, When when) {
  if (!enabled(when)) return;
  for_cells(b.n[0], b.n[1], b.n[2], [&](int i, int j, int k) {
    const int index[3] = {i, j, k};
    const int to = index[axis], n = b.n[axis];
    const R* line = in.values;
    for (int d = 0; d < 3; ++d) {
      if (d != axis) line += index[d] * in.stride[d];
    }
    R sum = R(0);
    for (int from = 0; from < n; ++from) {
      sum = fma_(matrix[std::int64_t(from) * n + to], line[from * in.stride[axis]], sum);
    }
    if (divide) {
      const R eigenvalue = b.eigenvalue[0][i] + (b.eigenvalue[1][j] + b.eigenvalue[2][k]);
      sum = eigenvalue != R(0) ? sum / eigenvalue : R(0);
    }
    out.values[i * out.stride[0] + j * out.stride[1] + k * out.stride[2]] = sum;
  });
}

template <class R>
__device__ __forceinline__ std::int64_t word_of(R value) {
  if constexpr (sizeof(R) == 8) {
    return __double_as_longlong(value);
  } else {
    return __float_as_int(value);
  }
}

template <class R>
__device__ __forceinline__ R value_of(std::int64_t word) {
  if constexpr (sizeof(R) == 8) {
    return __longlong_as_double(word);
  } else {
    return __int_as_float(int(word));
  }
}

template <class R>
__global__ void to_words_kernel(const __grid_constant__ LevelArrays<R> part, PartPlace place,
                                std::int64_t* words) {
  for_cells(part.n[0], part.n[1], part.n[2], [&](int i, int j, int k) {
    const std::int64_t row = std::int64_t(place.first[2] + k) * place.whole[1] + place.first[1] + j;
    words[row * place.whole[0] + place.first[0] + i] = word_of(part.f[offset(part, i, j, k)]);
  });
}

template <class R>
__global__ void from_words_kernel(const __grid_constant__ LevelArrays<R> whole,
                                  const std::int64_t* words) {
  for_cells(whole.n[0], whole.n[1], whole.n[2], [&](int i, int j, int k) {
    const std::int64_t row = std::int64_t(k) * whole.n[1] + j;
    whole.f[offset(whole, i, j, k)] = value_of<R>(words[row * whole.n[0] + i]);
  });
}

template <class R>
__global__ void take_part_kernel(const __grid_constant__ LevelArrays<R> part, PartPlace place,
                                 const __grid_constant__ LevelArrays<R> whole) {
  const auto at = [&](int axis, int i) {
    const int g = place.first[axis] + i;
    const int n = whole.n[axis];
    if (g >= 0 && g < n) return g;
    if (whole.below[axis] == n - 1) return g < 0 ? g + n : g - n;  // a halo on a periodic axis
    return g < 0 ? whole.below[axis] : whole.above[axis];
  };
  for_cells(part.n[0] + 2 * part.ghosts[0], part.n[1] + 2 * part.ghosts[1],
            part.n[2] + 2 * part.ghosts[2], [&](int ii, int jj, int kk) {
              const int i = ii - part.ghosts[0], j = jj - part.ghosts[1], k = kk - part.ghosts[2];
              part.u[offset(part, i, j, k)] = whole.u[offset(whole, at(0, i), at(1, j), at(2, k))];
            });
}

template <class... Arguments, class... Given>
void launch(void (*kernel)(Arguments...), dim3 grid, const Queue& queue, const Given&... given) {
  kernel<<<grid, dim3(block_x, block_y), 0, stream_of(queue)>>>(given...);
  exec::check_cuda(cudaGetLastError(), "cannot launch a multigrid kernel");
}

template <class R>
dim3 grid_with_ghosts(const LevelArrays<R>& a) {
  return grid_of(a.n[0] + 2 * a.ghosts[0], a.n[1] + 2 * a.ghosts[1], a.n[2] + 2 * a.ghosts[2]);
}

// The loops of kernels.hpp.
template <class R>
class LevelLoopsCuda final : public LevelLoops<R> {
 public:
  void clear(const LevelArrays<R>& a, const When& when, const Queue& queue) const override {
    launch(clear_kernel<R>, grid_with_ghosts(a), queue, a, when);
  }
  void red_black(const LevelArrays<R>& a, int colour, const When& when,
                 const Queue& queue) const override {
    launch(red_black_kernel<R>, grid_of((a.n[0] + 1) / 2, a.n[1], a.n[2]), queue, a, colour, when);
  }
  void jacobi(const LevelArrays<R>& a, const When& when, const Queue& queue) const override {
    launch(jacobi_kernel<R>, grid_of(a.n[0], a.n[1], a.n[2]), queue, a, when);
  }
  void lines_z(const LevelArrays<R>& a, int colour, const When& when,
               const Queue& queue) const override {
    launch(lines_z_kernel<R>, grid_of(colour < 0 ? a.n[0] : (a.n[0] + 1) / 2, a.n[1], 1), queue, a,
           colour, when);
  }
  void restrict_residual(const LevelArrays<R>& fine, const TransferArrays<R>& t,
                         const LevelArrays<R>& coarse, const When& when,
                         const Queue& queue) const override {
    launch(restrict_kernel<R>, grid_of(coarse.n[0], coarse.n[1], coarse.n[2]), queue, fine, t,
           coarse, when);
  }
  void add_interpolated(const LevelArrays<R>& fine, const TransferArrays<R>& t,
                        const LevelArrays<R>& coarse, const When& when,
                        const Queue& queue) const override {
    launch(interpolate_kernel<R>, grid_of(fine.n[0], fine.n[1], fine.n[2]), queue, fine, t, coarse,
           when);
  }
  void solve_bottom(const LevelArrays<R>& a, const BottomArrays<R>& b, const When& when,
                    const Queue& queue) const override {
    const std::int64_t nx = b.n[0], ny = b.n[1];
    const auto packed = [&](R* values) { return Placed<R>{values, {1, nx, nx * ny}}; };
    const auto level = [&](R* values) {
      return Placed<R>{values, {a.stride[0], a.stride[1], a.stride[2]}};
    };
    const auto transform = [&](Placed<R> in, Placed<R> out, const R* matrix, int axis,
                               bool divide) {
      launch(transform_kernel<R>, grid_of(b.n[0], b.n[1], b.n[2]), queue, b, in, out, matrix, axis,
             divide, when);
    };
    const Placed<R> first = packed(b.work[0]), second = packed(b.work[1]);
    transform(level(a.f), first, b.forward[0], 0, false);
    transform(first, second, b.forward[1], 1, false);
    transform(second, first, b.forward[2], 2, true);
    transform(first, second, b.back[2], 2, false);
    transform(second, first, b.back[1], 1, false);
    transform(first, level(a.u), b.back[0], 0, false);
  }
  void to_words(const LevelArrays<R>& part, const PartPlace& place, std::int64_t* words,
                const Queue& queue) const override {
    launch(to_words_kernel<R>, grid_of(part.n[0], part.n[1], part.n[2]), queue, part, place, words);
  }
  void from_words(const LevelArrays<R>& whole, const std::int64_t* words,
                  const Queue& queue) const override {
    launch(from_words_kernel<R>, grid_of(whole.n[0], whole.n[1], whole.n[2]), queue, whole, words);
  }
  void take_part(const LevelArrays<R>& part, const PartPlace& place, const LevelArrays<R>& whole,
                 const Queue& queue) const override {
    launch(take_part_kernel<R>, grid_with_ghosts(part), queue, part, place, whole);
  }
};

}  // namespace watersmeet::solve::detail
