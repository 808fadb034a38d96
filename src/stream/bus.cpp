#include "stream/bus.hpp"

#include <algorithm>
#include <array>

#include "core/copy_bandwidth.hpp"
#include "core/host_seconds.hpp"
#include "memory/buffer.hpp"

namespace watersmeet::stream {

double measure_bus(const Queue& queue) {
  if (queue.backend == Backend::cpu) return 0.5 * measure_host_copy_bandwidth(queue.threads);
  constexpr std::size_t bytes = std::size_t{1} << 28;
  const memory::Buffer host[2] = {memory::Buffer(MemorySpace::pinned, bytes),
                                  memory::Buffer(MemorySpace::pinned, bytes)};
  const memory::Buffer device[2] = {memory::Buffer(MemorySpace::device, bytes),
                                    memory::Buffer(MemorySpace::device, bytes)};
  Queue in = make_cuda_queue(), out = make_cuda_queue();
  std::array<double, 6> seconds{};
  for (double& of_copies : seconds) {
    of_copies = host_seconds_of([&] {
      copy_bytes(device[0].start(), host[0].start(), bytes, in);
      copy_bytes(host[1].start(), device[1].start(), bytes, out);
      synchronize(in);
      synchronize(out);
    });
  }
  destroy_queue(in);
  destroy_queue(out);
  // The first one warms up; other work on the machine only ever adds.
  return static_cast<double>(bytes) / *std::min_element(seconds.begin() + 1, seconds.end());
}

}  // namespace watersmeet::stream
