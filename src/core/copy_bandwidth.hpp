#pragma once
// Copy bandwidth of the host's memory.

namespace watersmeet {

// Bytes read + written per second of a copy of two arrays far larger than the caches, with
// `threads` threads, median of five. Takes about half a second.
double measure_host_copy_bandwidth(int threads);

}  // namespace watersmeet
