#pragma once
// How a launch that is repeated exchanges cells with the same launch on other GPUs of a host, without
// launches that only carry messages: a part of its thread blocks stores into the memory of the others, and a
// part waits for what they store here. Both have a side of the gate:
//
//     begin   wait until each number of `awaited` is at least passed + ahead
//     end     once all bytes of the side are moved: passed = passed + 1, and told = passed for each of `told`
//
// Those that send wait until what they sent before has been read, the others until the next message is
// there. `awaited` lies in the memory of this GPU, `told` in that of others; the gate itself lies in the memory of
// this GPU, so that a launch has the same arguments each time and can be recorded.

#include <cstdint>

#include "core/device.hpp"

namespace watersmeet::exec {

struct GateSide {
  static constexpr int most = 16;  // other GPUs
  const std::uint64_t* awaited[most] = {};
  std::uint64_t* told[most] = {};
  int awaited_count = 0, told_count = 0;
  std::uint64_t ahead = 0, passed = 0;
  unsigned long long bytes = 0, moved = 0;  // of a launch; so far
};
struct Gate {
  GateSide sends, receives;
  const int* stop = nullptr;  // in pinned memory; not 0 ends the wait, and nothing more is moved
};

// A launch that passes both sides without moving anything: what the others queued before theirs is done and seen by what is queued after it
// here. For launches that store into the memory of others as they compute.
void meet(Gate* gate, const Queue& queue);

}  // namespace watersmeet::exec
