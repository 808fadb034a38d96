#pragma once
// The machine below the program, as `watersmeet info` and the provenance of a run name it.

#include <cstddef>
#include <string>

namespace watersmeet::launch {

struct MachineInfo {
  std::string host;  // name of the host
  std::string cpu;   // "Intel(R) Xeon(R) Platinum 8480C"; "unknown CPU" where it does not say
  int cores = 1;     // that this process may use
  std::size_t memory = 0, memory_free = 0;  // bytes; 0: unknown
};

MachineInfo machine_info();

}  // namespace watersmeet::launch
