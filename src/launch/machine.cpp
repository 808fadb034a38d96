// From /proc, as the Linux manual pages proc(5) describe it.
#include "launch/machine.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

#include "core/host_memory.hpp"

namespace watersmeet::launch {
namespace {

// The cores of the process's affinity mask: fewer than the machine's inside a job or a container.
int usable_cores() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::thread::hardware_concurrency());
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "unknown CPU";
}

}  // namespace

MachineInfo machine_info() {
  MachineInfo info;
  char name[256] = {};
  if (::gethostname(name, sizeof name - 1) == 0) info.host = name;
  info.cpu = cpu_name();
  info.cores = usable_cores();
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    std::size_t kib = 0;
    if (!(words >> key >> kib)) continue;
    if (key == "MemTotal:") info.memory = kib * 1024;
  }
  info.memory_free = std::min(free_host_bytes(), info.memory);
  return info;
}

}  // namespace watersmeet::launch
