#pragma once
// Memory of the host: arrays, and how much of it this process may still take.

#include <cstddef>
#include <string>

namespace watersmeet {

// Memory from a page on, to be given back by std::free(); null where there is not enough. Large arrays ask the kernel for pages of 2 MiB,
// which a processor looks up less often than small ones (measured: docs/performance.md).
void* host_bytes(std::size_t bytes);

// In bytes: what the kernel calls available, or less where a control group limits the process, as in containers and jobs of Slurm, which are killed
// above their limit. Memory of files that a group can give back at once counts as free. Both versions of control groups are read; where nothing
// is known, the largest number. `proc` and `groups` are the places of /proc and of the file system of control groups.
std::size_t free_host_bytes(const std::string& proc = "/proc",
                            const std::string& groups = "/sys/fs/cgroup");

}  // namespace watersmeet
