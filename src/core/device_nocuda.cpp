// core/device.hpp for a build without CUDA: the CPU back end alone.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "core/copy_bandwidth.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/host_memory.hpp"
#include "core/host_seconds.hpp"

namespace watersmeet {

namespace {
[[noreturn]] void no_cuda() {
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
}
}  // namespace

bool built_with_cuda() { return false; }
std::string cuda_version() { return "none"; }
std::vector<DeviceInfo> cuda_devices() { return {}; }
void select_cuda_device(int) { no_cuda(); }
Queue make_cuda_queue(bool) { no_cuda(); }
void destroy_queue(Queue&) {}
void synchronize(const Queue&) {}
Event::Event(const Queue&) {}
Event::~Event() = default;
void Event::record(const Queue&) {}
bool Event::ready() const { return true; }
void Event::wait() const {}
void Event::queue_waits(const Queue&) const {}

void* allocate_bytes(MemorySpace space, std::size_t bytes) {
  if (space == MemorySpace::device) no_cuda();
  if (bytes == 0) return nullptr;
  void* const p = host_bytes(bytes);
  if (!p) {
    throw Error(ErrorKind::resource,
                fmt::format("not enough host memory for an array of {:.3f} GiB",
                            double(bytes) / 1073741824.0));
  }
  return p;
}
void free_bytes(MemorySpace, void* p) noexcept { std::free(p); }
void copy_bytes(void* to, const void* from, std::size_t bytes, const Queue&) {
  if (bytes) std::memcpy(to, from, bytes);
}
void copy_rows(const Rows& to, const Rows& from, std::size_t bytes, std::size_t rows,
               std::size_t planes, const Queue&) {
  for (std::size_t k = 0; k < planes; ++k) {
    for (std::size_t j = 0; j < rows; ++j) {
      std::memcpy(to.start + (k * to.of_plane + j) * to.pitch,
                  from.start + (k * from.of_plane + j) * from.pitch, bytes);
    }
  }
}
void fill_bytes(void* to, int value, std::size_t bytes, const Queue&) {
  if (bytes) std::memset(to, value, bytes);
}
double measure_copy_bandwidth(const Queue& queue) {
  return measure_host_copy_bandwidth(queue.threads);
}
double seconds_of(const Queue&, const std::function<void()>& work) { return host_seconds_of(work); }
double arithmetic_peak(const Queue&, Precision) { return 0; }

}  // namespace watersmeet
