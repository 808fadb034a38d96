#pragma once
// Time as the host sees it: since a moment, and of some work, which is the CPU's part of
// seconds_of() in core/device.hpp.

#include <chrono>
#include <functional>

namespace watersmeet {

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline double host_seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return seconds_since(begin);
}

}  // namespace watersmeet
