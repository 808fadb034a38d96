#pragma once
// What a kernel says that may begin while the launch before it in its queue ends
// (exec/launch_cuda.hpp). Nothing on a CPU, in kernels launched one after the other, and on devices
// before compute capability 9.0.

#include "core/host_device.hpp"

namespace watersmeet {

// From here on the thread sees what the launch before has written.
WM_HD void await_launch_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// The next launch may begin when all thread blocks of this one have said so or are done.
WM_HD void let_next_launch_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

}  // namespace watersmeet
