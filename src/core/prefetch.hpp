#pragma once
// A hint that a thread will read a place before long: on a GPU the line comes into the second-level
// cache in the meantime, without a register that waits for it.

#include <cstdint>

#include "core/host_device.hpp"

namespace watersmeet {

template <class R>
WM_HD void prefetch(const R* place) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(place));
#else
  (void)place;
#endif
}

// Ends of rows lie in other lines each, and often in other pages: loops of a CPU over them ask for those some rows ahead.
constexpr int rows_ahead = 8;
template <class R>
void prefetch_end(const R* inside, const R* outside, int variables, std::int64_t stride_var) {
  for (int v = 0; v < variables; ++v) {
    __builtin_prefetch(inside + v * stride_var);
    __builtin_prefetch(outside + v * stride_var, 1);
  }
}

}  // namespace watersmeet
