#pragma once
// A hint that a thread will read a place before long: on a GPU the line comes into the second-level
// cache in the meantime, without a register that waits for it.

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

}  // namespace watersmeet
