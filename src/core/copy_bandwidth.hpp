#pragma once
// Copy bandwidth of the host's memory.

#include <cstddef>

namespace watersmeet {

// Of arrays far larger than the caches, with which a measurement takes about half a second.
constexpr std::size_t large_copy = std::size_t{1} << 28;

// Bytes read + written per second of a copy of one array to another, of so many `bytes` each but at
// least 4 MiB, with `threads` threads, median of five.
double measure_host_copy_bandwidth(int threads, std::size_t bytes = large_copy);

}  // namespace watersmeet
