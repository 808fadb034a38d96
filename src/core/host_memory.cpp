// As the Linux documentation describes it: proc(5), cgroups(7), admin-guide/cgroup-v1/memory and admin-guide/cgroup-v2.
#include "core/host_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

namespace watersmeet {
namespace {

constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();

// The number after a word, or of a file that holds nothing else; `unknown` also for the word "max".
std::size_t number_in(const std::string& path, const std::string& word = "") {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first;
    std::size_t number = 0;
    if (!word.empty() && (!(words >> first) || first != word)) continue;
    return words >> number ? number : unknown;
  }
  return unknown;
}

struct Names {
  const char *limit, *usage, *inactive;
};

// Free memory within the limits of a control group and of those above it, in bytes. In a container the path may be that of the host: then only the topmost exists.
std::size_t free_in_groups(const std::string& root, std::string path, const Names& names) {
  std::size_t free = unknown;
  while (true) {
    const std::string folder = root + path + "/";
    const std::size_t limit = number_in(folder + names.limit);
    const std::size_t usage = number_in(folder + names.usage);
    if (limit != unknown && usage != unknown) {
      const std::size_t files = number_in(folder + "memory.stat", names.inactive);
      const std::size_t used = files == unknown ? usage : usage - std::min(usage, files);
      free = std::min(free, limit - std::min(limit, used));
    }
    if (path.empty()) return free;
    path.erase(path.find_last_of('/'));
  }
}

}  // namespace

void* host_bytes(std::size_t bytes) {
  constexpr std::size_t small_page = 4096, large_page = std::size_t{2} << 20;
  const bool large = bytes >= 2 * large_page;
  const std::size_t page = large ? large_page : small_page;
  void* const p = std::aligned_alloc(page, (bytes + page - 1) / page * page);
  if (p && large) madvise(p, bytes, MADV_HUGEPAGE);  // a hint
  return p;
}

std::size_t free_host_bytes(const std::string& proc, const std::string& groups) {
  const std::size_t kib = number_in(proc + "/meminfo", "MemAvailable:");
  std::size_t free = kib == unknown ? unknown : kib * 1024;
  std::ifstream file(proc + "/self/cgroup");  // lines "4:memory:/job/step"; of version 2 "0::/job"
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(":/", first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    std::string path = line.substr(second + 1);
    if (path == "/") path.clear();
    if (controllers == ",,") {
      const Names names{"memory.max", "memory.current", "inactive_file"};
      free = std::min(free, free_in_groups(groups, path, names));
    } else if (controllers.find(",memory,") != std::string::npos) {
      const Names names{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
      free = std::min(free, free_in_groups(groups + "/memory", path, names));
    }
  }
  return free;
}

}  // namespace watersmeet
