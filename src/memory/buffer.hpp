#pragma once
// Owning array in host, pinned or device memory.

#include <cstddef>
#include <utility>

#include "core/device.hpp"

namespace watersmeet::memory {

// Device memory of whole granules can be opened by other processes: less may be a part of an allocation that holds others, too.
constexpr std::size_t sharing_granule = std::size_t{1} << 21;
// Whether arrays of this size are made so that they can be opened; smaller ones would waste most of a granule.
constexpr bool is_shareable(std::size_t bytes) { return bytes > sharing_granule / 2; }
constexpr std::size_t whole_granules(std::size_t bytes) {
  return (bytes + sharing_granule - 1) / sharing_granule * sharing_granule;
}

class Buffer {
 public:
  Buffer() = default;
  // Not initialised. Throws Error{resource} when the memory is not there.
  Buffer(MemorySpace space, std::size_t bytes)
      : space_(space), bytes_(bytes), start_(allocate_bytes(space, bytes)) {}
  ~Buffer() { free_bytes(space_, start_); }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void* start() const { return start_; }
  template <class R>
  R* as() const {
    return static_cast<R*>(start_);
  }
  std::size_t bytes() const { return bytes_; }
  MemorySpace space() const { return space_; }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(space_, other.space_);
    std::swap(bytes_, other.bytes_);
    std::swap(start_, other.start_);
  }
  MemorySpace space_ = MemorySpace::host;
  std::size_t bytes_ = 0;
  void* start_ = nullptr;
};

// Where arrays that kernels of this back end work on live.
inline MemorySpace working_space(Backend backend) {
  return backend == Backend::cuda ? MemorySpace::device : MemorySpace::host;
}
// Where host copies of them live.
inline MemorySpace staging_space(Backend backend) {
  return backend == Backend::cuda ? MemorySpace::pinned : MemorySpace::host;
}

}  // namespace watersmeet::memory
