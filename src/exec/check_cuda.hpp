#pragma once
// Turns CUDA status codes into Error{device}. For *_cuda* files only.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/math.hpp"
#include "exec/kernel_report.hpp"

namespace watersmeet::exec {

inline void check_cuda(cudaError_t status, const char* what) {
  if (status != cudaSuccess) {
    cudaGetLastError();  // else the next launch would report this error again
    throw Error(ErrorKind::device, std::string(what) + ": " + cudaGetErrorString(status) + " (" +
                                       cudaGetErrorName(status) + ")");
  }
}

// What `make` returns on the current device, made once for each: how a kernel may be launched, and how
// many of its blocks fit, belongs to a device, and a process may use one after the other. Each lambda
// has a store of its own.
template <class Make>
auto of_device(Make make) -> decltype(make()) {
  static std::mutex mutex;
  static std::map<int, decltype(make())> made;
  int device = 0;
  check_cuda(cudaGetDevice(&device), "no current device");
  const std::lock_guard<std::mutex> lock(mutex);
  auto found = made.find(device);
  if (found == made.end()) found = made.emplace(device, make()).first;
  return found->second;
}

// Bytes of shared memory that a thread block can have on the current device: 227 KiB for compute
// capability 9.0, 163 for 8.0, 99 for 8.6 and 8.9. WATERSMEET_SHARED_MEMORY lowers it, so that tests
// see what such a device does.
inline std::size_t most_shared_memory() {
  return of_device([] {
    int device = 0, bytes = 0;
    check_cuda(cudaGetDevice(&device), "no current device");
    check_cuda(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
               "cannot determine the shared memory of a thread block");
    const auto most = static_cast<std::size_t>(bytes);
    const char* const lowered = std::getenv("WATERSMEET_SHARED_MEMORY");
    return lowered == nullptr ? most
                              : std::min(most, std::size_t{std::strtoull(lowered, nullptr, 10)});
  });
}

// Lets a kernel be launched with this much dynamic shared memory. The limit belongs to the kernel,
// for all its launches in this process, and CUDA refuses launches beyond it: it is never lowered.
// Throws Error{device} where the current device has less.
template <class Kernel>
void allow_shared(Kernel kernel, std::size_t bytes, const char* what) {
  if (bytes > most_shared_memory()) check_cuda(cudaErrorInvalidValue, what);
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  cudaFuncAttributes attributes{};
  check_cuda(cudaFuncGetAttributes(&attributes, kernel), what);
  if (static_cast<std::size_t>(attributes.maxDynamicSharedSizeBytes) >= bytes) return;
  check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(bytes)),
             what);
}

// The number of a thread in its block.
static __device__ __forceinline__ int thread_of_block() {
  return int(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

// The values of the threads of a block joined into one, valid in thread 0; what 0 and a value are joined to is the value. Every thread of
// the block must call it.
template <class T, class Join>
__device__ __forceinline__ T join_block(T mine, const Join& join) {
  __shared__ T warps[32];
  for (int lane = 16; lane > 0; lane /= 2)
    mine = join(mine, __shfl_down_sync(0xffffffffu, mine, lane));
  const int thread = thread_of_block();
  const int count = int(blockDim.x * blockDim.y * blockDim.z + 31) / 32;
  if (thread % 32 == 0) warps[thread / 32] = mine;
  __syncthreads();
  if (thread < 32) {
    mine = thread < count ? warps[thread] : T(0);
    for (int lane = 16; lane > 0; lane /= 2)
      mine = join(mine, __shfl_down_sync(0xffffffffu, mine, lane));
  }
  return mine;
}
// Their largest, NaN if any is; none is less than 0.
template <class R>
__device__ R block_max_or_nan(R mine) {
  return join_block(mine, [](R a, R b) { return max_or_nan(a, b); });
}
// Their sum modulo 2^64.
static __device__ __forceinline__ std::uint64_t block_sum(std::uint64_t mine) {
  return join_block(mine, [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

// Registers, shared memory and occupancy of a kernel.
template <class Kernel>
KernelReport report_kernel(Kernel kernel, int threads, std::size_t dynamic_shared) {
  cudaFuncAttributes attributes{};
  check_cuda(cudaFuncGetAttributes(&attributes, kernel), "cannot read a kernel's attributes");
  KernelReport r;
  r.registers = attributes.numRegs;
  r.threads = threads;
  r.shared_bytes = attributes.sharedSizeBytes + dynamic_shared;
  r.local_bytes = attributes.localSizeBytes;
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&r.blocks_per_multiprocessor, kernel,
                                                           threads, dynamic_shared),
             "cannot compute a kernel's occupancy");
  r.warps_per_multiprocessor = r.blocks_per_multiprocessor * threads / 32;
  return r;
}

// Blocks of a kernel that the current device holds at once.
inline int resident_blocks(const KernelReport& kernel) {
  int index = 0, processors = 1;
  check_cuda(cudaGetDevice(&index), "no current device");
  check_cuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, index),
             "cannot read the device");
  return processors * (kernel.blocks_per_multiprocessor > 1 ? kernel.blocks_per_multiprocessor : 1);
}

}  // namespace watersmeet::exec
