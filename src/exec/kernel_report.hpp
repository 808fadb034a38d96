#pragma once
// What a compiled kernel needs of a multiprocessor, and how long it takes: for `bench`.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace watersmeet::exec {

struct KernelReport {
  std::string name;   // "ring", "direct", "cpu"
  int registers = 0;  // 0 on the CPU, as all that follows
  int threads = 0, blocks_per_multiprocessor = 0, warps_per_multiprocessor = 0;
  std::size_t shared_bytes = 0, local_bytes = 0;
};

// The report of that launch of a stage that leaves the multiprocessors emptiest.
inline KernelReport emptiest(const std::vector<KernelReport>& launches) {
  require(!launches.empty(), "a stage has a kernel");
  return *std::min_element(launches.begin(), launches.end(), [](const auto& a, const auto& b) {
    return a.warps_per_multiprocessor < b.warps_per_multiprocessor;
  });
}

// One of the kernels of a step, timed by itself.
struct KernelTime {
  std::string name;       // "z sweep and update"
  double seconds = 0;     // of one launch
  double bytes = 0;       // moved at least by one launch, every array once; 0: not known
  double launches = 1;    // in a step
  double flops = 0;       // done at least by one launch; 0: not counted
  double slow_flops = 0;  // of them, reciprocals and square roots
};

}  // namespace watersmeet::exec
