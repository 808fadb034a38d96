#pragma once
// Messages between the GPUs of one host by kernels that store into each other's memory (CUDA
// inter-process communication), for peer_transport.cpp. Between two ranks there are `lanes`, each
// with a ring of slots in the receiver's memory. A message is cut into a piece a lane and chunks of
// at most a slot; a thread block moves a lane's piece on either side:
//
//   sender     wait until the slot is free | store the chunk into it | arrived = chunk's number
//   receiver   wait until it arrived | copy the chunk out | freed = its number (in sender's memory)
//
// Numbers continue from message to message, so that a kernel has the same arguments each time and can
// be recorded. A rank sends to all before it waits for any, all thread blocks of a kernel fit on
// the device at once, and ranks call in the same order: no two wait for each other.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/device.hpp"

namespace watersmeet::comm::peer {

constexpr int lanes = 16, slots = 4, most_ranks = 16;
constexpr std::size_t slot_bytes = std::size_t{1} << 17;
constexpr std::size_t smallest_piece = 8192;  // a lane's: 16 bytes for each thread of a block
constexpr std::size_t number_stride = 16;     // numbers of two lanes lie in different cache lines

// Bytes of memory in which messages from one rank arrive: slots, then `arrived`, then `freed`.
constexpr std::size_t ring_bytes = lanes * slots * slot_bytes;
constexpr std::size_t numbers_bytes = lanes * number_stride * sizeof(std::uint64_t);
constexpr std::size_t side_bytes = ring_bytes + 2 * numbers_bytes;

// A rank as its neighbour sees it. `sent` and `received` are chunks of each lane so far.
struct Side {
  std::byte *ring = nullptr, *far_ring = nullptr;
  std::uint64_t *arrived = nullptr, *far_arrived = nullptr;
  std::uint64_t *freed = nullptr, *far_freed = nullptr;
  std::uint64_t *sent = nullptr, *received = nullptr;
};

struct Item {
  void* start = nullptr;
  std::size_t bytes = 0;
  int peer = 0;
};

// `sides`: of every rank, in device memory; `stop`: in pinned memory, not 0 ends all waiting, and
// what has not been moved then is not.
void move_messages(std::span<const Item> sends, std::span<const Item> receives, const Side* sides,
                   const int* stop, const Queue& queue);
// Maximum and sum over the ranks 0 to ranks - 1, of which `rank` is this one, in place.
void reduce_words(std::span<std::uint64_t> maxima, std::span<std::int64_t> sums, int rank,
                  int ranks, const Side* sides, const int* stop, const Queue& queue);

// For all work of this process on its device.
void wait_for_device();

// Device memory that another process of this host may open.
struct Handle {
  unsigned char bytes[64] = {};
};
Handle share_memory(void* start);
// Null when this process cannot reach the memory; `why` says why.
void* open_memory(const Handle& handle, std::string& why);
void close_memory(void* start) noexcept;

}  // namespace watersmeet::comm::peer
