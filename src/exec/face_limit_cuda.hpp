#pragma once
// CUDA loops of the flux limiter (exec/face_limit.hpp): a thread a cell. Where nothing was found
// the blocks of later passes return at once.

#include <algorithm>
#include <cstdint>

#include "exec/back_end.hpp"
#include "exec/cell_map_cuda.hpp"
#include "exec/check_cuda.hpp"
#include "exec/face_limit.hpp"
#include "exec/tuning.hpp"

namespace watersmeet::exec {

template <class R, class Scheme>
__global__ void __launch_bounds__(DirectTuning::threads)
    limit_find_kernel(const CellArrays<R> a, const bool last, const Scheme scheme,
                      const LimitPass<R> pass, Clock* const clock) {
  using Word = unsigned long long;
  if (!clock->active || pass.idle(pass.number - 1)) return;
  const auto [i, j, first, planes, inside] = direct_cell(a);
  if (!inside) return;
  for (int k = first; k < a.upper[2]; k += planes) {
    // Others are as the first pass found them. A flag that this pass sets meanwhile only makes a neighbour look at itself in vain.
    if (pass.number > 1 && !flagged_nearby(pass.flags, scheme, i, j, k)) continue;
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
      continue;
    }
    R& flag = pass.flags.cell[pass.flags.at(i, j, k)];
    const bool fresh = !good && (pass.number == 1 || !(flag > R(0)));
    if (pass.number == 1 || fresh) flag = fresh ? R(pass.number) : R(0);
    if (fresh) atomicAdd(reinterpret_cast<Word*>(&pass.record->limited), Word{1});
  }
}

template <class R, class Scheme, class Finish>
__global__ void __launch_bounds__(DirectTuning::threads)
    limit_correct_kernel(const CellArrays<R> a, const StageUpdate<R> update, const Scheme scheme,
                         const Scheme low, const Finish finish, const LimitPass<R> pass,
                         Clock* const clock) {
  if (!clock->active || pass.idle(pass.number)) return;
  const R dt = R(clock->dt);
  const auto [i, j, first, planes, inside] = direct_cell(a);
  if (!inside) return;
  for (int k = first; k < a.upper[2]; k += planes) {
    Vec<R, Scheme::variables> value;
    if (!correct_cell(a, update, scheme, low, pass, dt, i, j, k, value)) continue;
    if (update.last) {
      const R signal = finish(value);
      atomicMax(reinterpret_cast<unsigned long long*>(&clock->signal_bits),
                static_cast<unsigned long long>(double_to_bits(double(signal))));
    }
    const std::int64_t at = i + j * a.stride_j + k * a.stride_k;
#pragma unroll
    for (int v = 0; v < Scheme::variables; ++v) a.out[at + v * a.stride_var] = value[v];
  }
}

template <class R, class Scheme>
void limit_find(OnCuda, const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                const LimitPass<R>& pass, Clock* clock, const Queue& queue) {
  limit_find_kernel<R, Scheme>
      <<<direct_grid(a), direct_block(a), 0, static_cast<cudaStream_t>(queue.stream)>>>(
          a, update.last, scheme, pass, clock);
  check_cuda(cudaGetLastError(), "cannot launch the search for inadmissible cells");
}

template <class R, class Scheme, class Finish>
void limit_correct(OnCuda, const CellArrays<R>& a, const StageUpdate<R>& update,
                   const Scheme& scheme, const Scheme& low, const Finish& finish,
                   const LimitPass<R>& pass, Clock* clock, const Queue& queue) {
  limit_correct_kernel<R, Scheme, Finish>
      <<<direct_grid(a), direct_block(a), 0, static_cast<cudaStream_t>(queue.stream)>>>(
          a, update, scheme, low, finish, pass, clock);
  check_cuda(cudaGetLastError(), "cannot launch the flux limiter");
}

}  // namespace watersmeet::exec
