#pragma once
// Adding wide counts (exec/wide_count.hpp) on CUDA: those of a warp by shuffles, those of the warps
// in memory, word by word with the carry of the lower word's addition.

#include "exec/wide_count.hpp"

namespace watersmeet::exec {

// The sum over the whole warp, in its first lane.
__device__ __forceinline__ WideCount warp_sum(WideCount mine) {
  for (int lane = 16; lane > 0; lane /= 2) {
    mine = sum_of(mine, {__shfl_down_sync(0xffffffffu, mine.low, lane),
                         __shfl_down_sync(0xffffffffu, mine.high, lane)});
  }
  return mine;
}

__device__ __forceinline__ void add_to(WideCount* total, const WideCount& amount) {
  using Word = unsigned long long;
  const Word before = atomicAdd(reinterpret_cast<Word*>(&total->low), Word{amount.low});
  const Word carry = before + amount.low < before ? 1 : 0;
  atomicAdd(reinterpret_cast<Word*>(&total->high), Word{amount.high} + carry);
}

}  // namespace watersmeet::exec
