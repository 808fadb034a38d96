#pragma once
// What a compiled kernel needs of a multiprocessor, for `bench`.

#include <cstddef>
#include <string>

namespace watersmeet::exec {

struct KernelReport {
  std::string name;   // "ring", "direct", "cpu"
  int registers = 0;  // 0 on the CPU, as all that follows
  int threads = 0, blocks_per_multiprocessor = 0, warps_per_multiprocessor = 0;
  std::size_t shared_bytes = 0, local_bytes = 0;
};

}  // namespace watersmeet::exec
