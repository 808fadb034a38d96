#pragma once
// Copy bandwidth of the host's memory.

#include <cstddef>

namespace watersmeet {

// Bytes of an array far larger than the caches. A measurement with it takes about half a second.
constexpr std::size_t large_copy = std::size_t{1} << 28;

// Bytes per second, read and written, of a copy from one array to another with `threads` threads,
// median of five copies. Each array has `bytes` bytes, at least 4 MiB; both are allocated here.
double measure_host_copy_bandwidth(int threads, std::size_t bytes = large_copy);

}  // namespace watersmeet
