#pragma once
// The CPU's part of seconds_of() in core/device.hpp, for builds with and without CUDA.

#include <chrono>
#include <functional>

namespace watersmeet {

inline double host_seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace watersmeet
