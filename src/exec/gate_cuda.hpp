#pragma once
// The two ends of a gate in a kernel. Order of memory: a thread block's stores come before the number that
// one of its threads stores with release semantics at system scope, behind a barrier and a fence, and a
// number read with acquire semantics comes before the loads of the block behind the next barrier (PTX
// ISA, "Memory consistency model", causality order).

#include "exec/gate.hpp"

namespace watersmeet::exec {

static __device__ __forceinline__ std::uint64_t load_acquire(const std::uint64_t* p) {
  std::uint64_t value;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(p) : "memory");
  return value;
}
static __device__ __forceinline__ void store_release(std::uint64_t* p, std::uint64_t value) {
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(p), "l"(value) : "memory");
}

// Waits until *number >= least. False when `stop` ended the wait.
static __device__ __forceinline__ bool wait_for(const std::uint64_t* number, std::uint64_t least,
                                                const int* stop) {
  constexpr int polls_between_stops = 4096;  // a look at the host's memory takes about 1 us
  for (int polls = 0; load_acquire(number) < least; ++polls) {
    if (polls < polls_between_stops) continue;
    if (*static_cast<const volatile int*>(stop) != 0) return false;
    polls = 0;
  }
  return true;
}

// By all threads of a thread block of at least GateSide::most threads. False: nothing is to be moved, and
// leave() is not called.
static __device__ __forceinline__ bool enter(const GateSide& side, const int* stop) {
  const int t = int(threadIdx.x);
  const bool stopped =
      t < side.awaited_count && !wait_for(side.awaited[t], side.passed + side.ahead, stop);
  return __syncthreads_or(stopped) == 0;
}
// Blocks end in any order: the last one tells. `far`: what was moved lies in the memory of another GPU.
static __device__ __forceinline__ void leave(GateSide& side, unsigned long long bytes, bool far) {
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (far) {
    __threadfence_system();
  } else {
    __threadfence();
  }
  if (atomicAdd(&side.moved, bytes) + bytes != side.bytes) return;
  side.moved = 0;
  const std::uint64_t passed = side.passed + 1;
  side.passed = passed;
  __threadfence_system();
  for (int t = 0; t < side.told_count; ++t) store_release(side.told[t], passed);
}

}  // namespace watersmeet::exec
