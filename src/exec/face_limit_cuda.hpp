#pragma once
// CUDA loops of the flux limiter (exec/face_limit.hpp): a thread a cell. Where nothing was found
// the blocks of later passes return at once. Else a warp, whose cells are of one row in x, computes
// those of its planes alone that have flags nearby.

#include <algorithm>
#include <cstdint>

#include "exec/back_end.hpp"
#include "exec/cell_map_cuda.hpp"
#include "exec/check_cuda.hpp"
#include "exec/face_limit.hpp"
#include "exec/tuning.hpp"

namespace watersmeet::exec {

// Calls compute(k) for the planes of a thread that passes `first` to `last` concern. The lanes of a warp look at 32 of its planes at once.
template <class R, class Scheme, class Compute>
__device__ void for_concerned_planes(const CellArrays<R>& a, const DirectCell& cell,
                                     const LimitPass<R>& pass, const Scheme& scheme, int first,
                                     int last, const Compute& compute) {
  static_assert(DirectTuning::x == 32, "a warp has one row");
  if (cell.j >= a.upper[1]) return;
  for (int k = cell.k; k < a.upper[2]; k += DirectTuning::x * cell.planes) {
    const int own = k + int(threadIdx.x) * cell.planes;
    unsigned left =
        __ballot_sync(~0u, own < a.upper[2] && row_concerned(pass, scheme, first, last, a.lower[0],
                                                             a.upper[0], cell.j, own));
    for (; left != 0; left &= left - 1) {
      if (cell.inside) compute(k + (__ffs(int(left)) - 1) * cell.planes);
    }
  }
}

template <class R, class Scheme>
__global__ void __launch_bounds__(DirectTuning::threads)
    limit_find_kernel(const CellArrays<R> a, const bool last, const Scheme scheme,
                      const LimitPass<R> pass, Clock* const clock) {
  using Word = unsigned long long;
  if (!clock->active || pass.idle(pass.number - 1)) return;
  const DirectCell cell = direct_cell(a);
  const int i = cell.i, j = cell.j;
  const auto look = [&](int k) {
    // Others are as the first pass found them. A flag that this pass sets meanwhile only makes a neighbour look at itself in vain.
    if (pass.number > 1 && !flagged_nearby(pass.flags, scheme, i, j, k)) return;
    const std::int64_t at = i + j * a.stride_j + k * a.stride_k;
    Vec<R, Scheme::variables> stored, before;
#pragma unroll
    for (int v = 0; v < Scheme::variables; ++v) {
      stored[v] = a.out[at + v * a.stride_var];
      before[v] = a.in[at + v * a.stride_var];
    }
    const bool good = pass.number > limit_passes ? scheme.acceptable(stored)
                                                 : scheme.acceptable_after(before, stored);
    if (!good) {
      atomicAdd(reinterpret_cast<Word*>(&pass.record->found[pass.number - 1]), Word{1});
    }
    if (pass.number > limit_passes) {
      if (!good && last) {
        atomicMax(reinterpret_cast<Word*>(&clock->signal_bits),
                  Word{double_to_bits(double(root_(R(-1))))});
      }
      return;
    }
    R& flag = pass.flags.cell[pass.flags.at(i, j, k)];
    const bool fresh = !good && (pass.number == 1 || !(flag > R(0)));
    if (pass.number == 1 || fresh) flag = fresh ? R(pass.number) : R(0);
    if (!fresh) return;
    atomicAdd(reinterpret_cast<Word*>(&pass.record->limited), Word{1});
    if (pass.rows.marks) pass.rows.mark(pass.number, j, k) = 1;
  };
  if (pass.number > 1) {
    for_concerned_planes(a, cell, pass, scheme, 1, pass.number - 1, look);
  } else if (cell.inside) {
    for (int k = cell.k; k < a.upper[2]; k += cell.planes) look(k);
  }
}

template <class R, class Scheme, class Finish>
__global__ void __launch_bounds__(DirectTuning::threads)
    limit_correct_kernel(const CellArrays<R> a, const StageUpdate<R> update, const Scheme scheme,
                         const Scheme low, const Finish finish, const LimitPass<R> pass,
                         Clock* const clock) {
  if (!clock->active || pass.idle(pass.number)) return;
  const R dt = R(clock->dt);
  const DirectCell cell = direct_cell(a);
  const int i = cell.i, j = cell.j;
  for_concerned_planes(a, cell, pass, scheme, pass.number, pass.number, [&](int k) {
    Vec<R, Scheme::variables> value;
    if (!correct_cell(a, update, scheme, low, pass, dt, i, j, k, value)) return;
    if (update.last) {
      const R signal = finish(value);
      atomicMax(reinterpret_cast<unsigned long long*>(&clock->signal_bits),
                static_cast<unsigned long long>(double_to_bits(double(signal))));
    }
    const std::int64_t at = i + j * a.stride_j + k * a.stride_k;
#pragma unroll
    for (int v = 0; v < Scheme::variables; ++v) a.out[at + v * a.stride_var] = value[v];
  });
}

// Later passes leave out most planes. Their blocks are fewer and have more planes each: about eight blocks for each of 132 multiprocessors.
template <class R>
dim3 later_grid(const CellArrays<R>& a) {
  constexpr unsigned enough = 1024;
  dim3 grid = direct_grid(a);
  const unsigned rounds = std::clamp(grid.x * grid.y * grid.z / enough, 1u, 32u);
  grid.z = (grid.z + rounds - 1) / rounds;
  return grid;
}

template <class R, class Scheme>
void limit_find(OnCuda, const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                const LimitPass<R>& pass, Clock* clock, const Queue& queue) {
  const dim3 grid = pass.number == 1 ? direct_grid(a) : later_grid(a);
  limit_find_kernel<R, Scheme>
      <<<grid, direct_block(a), 0, static_cast<cudaStream_t>(queue.stream)>>>(a, update.last,
                                                                              scheme, pass, clock);
  check_cuda(cudaGetLastError(), "cannot launch the search for inadmissible cells");
}

template <class R, class Scheme, class Finish>
void limit_correct(OnCuda, const CellArrays<R>& a, const StageUpdate<R>& update,
                   const Scheme& scheme, const Scheme& low, const Finish& finish,
                   const LimitPass<R>& pass, Clock* clock, const Queue& queue) {
  limit_correct_kernel<R, Scheme, Finish>
      <<<later_grid(a), direct_block(a), 0, static_cast<cudaStream_t>(queue.stream)>>>(
          a, update, scheme, low, finish, pass, clock);
  check_cuda(cudaGetLastError(), "cannot launch the flux limiter");
}

}  // namespace watersmeet::exec
