#pragma once
// Small tables of the host on the device.

#include <vector>

#include "memory/buffer.hpp"

namespace watersmeet::memory {

// A copy of these numbers on the device; waits for the queue.
template <class T>
Buffer copy_there(const std::vector<T>& values, const Queue& queue) {
  Buffer buffer(working_space(queue.backend), values.size() * sizeof(T));
  if (values.empty()) return buffer;
  copy_bytes(buffer.start(), values.data(), buffer.bytes(), queue);
  synchronize(queue);
  return buffer;
}

}  // namespace watersmeet::memory
