#pragma once
// The most threads and ranks that a command line may ask for on one host. OpenMP lays out a team on the
// stack, which some 50,000 threads overflow; a host has far fewer processors than either number.

namespace watersmeet {

inline constexpr int most_threads = 4096;  // of a rank
inline constexpr int most_ranks = 1024;    // of a host; also the most that are predicted

}  // namespace watersmeet
