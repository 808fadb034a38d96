#include "exec/check_cuda.hpp"
#include "exec/clock_access.hpp"
#include "memory/buffer.hpp"

namespace watersmeet::exec::detail {

// One thread.
__global__ void copy_clock_kernel(Clock* to, const Clock* from) { *to = *from; }
__global__ void write_clock_kernel(Clock* to, const Clock value) { *to = value; }

void copy_clock_cuda(Clock* to, const Clock* clock, const Queue& queue) {
  copy_clock_kernel<<<1, 1, 0, static_cast<cudaStream_t>(queue.stream)>>>(to, clock);
  check_cuda(cudaGetLastError(), "cannot copy the clock");
}

Clock read_clock_cuda(const Clock* clock, const Queue& queue) {
  thread_local const memory::Buffer landing(MemorySpace::pinned, sizeof(Clock));
  copy_clock_cuda(landing.as<Clock>(), clock, queue);
  synchronize(queue);
  return *landing.as<Clock>();
}

void write_clock_cuda(Clock* clock, const Clock& value, const Queue& queue) {
  write_clock_kernel<<<1, 1, 0, static_cast<cudaStream_t>(queue.stream)>>>(clock, value);
  check_cuda(cudaGetLastError(), "cannot write the clock");
}

}  // namespace watersmeet::exec::detail
