#pragma once
// A hint to the compilers of kernels.

#include "core/host_device.hpp"

namespace watersmeet {

// Reads through an accessor of shared memory that follow are not moved before this: a compiler that reads everything first runs out of
// registers. Accessors of global memory, whose reads take longer than registers are worth, do not say `in_shared`.
template <class Accessor>
WM_HD void hold_reads() {
#if defined(__CUDA_ARCH__)
  if constexpr (requires { Accessor::in_shared; }) asm volatile("" ::: "memory");
#endif
}

}  // namespace watersmeet
