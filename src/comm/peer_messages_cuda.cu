// Kernels of the messages between GPUs. The order of memory is that of exec/gate_cuda.hpp. Chunks are loaded past the
// first-level cache, which does not see what other devices store.
#include <cstring>
#include <type_traits>

#include "comm/peer_messages.hpp"
#include "exec/check_cuda.hpp"
#include "exec/gate_cuda.hpp"

namespace watersmeet::comm::peer {

namespace {

constexpr int block_threads = 512;

struct Batch {
  Item items[2 * most_ranks];
  int first_block[2 * most_ranks + 1] = {};
  int sends = 0, count = 0;
};

constexpr std::size_t piece_of(std::size_t bytes) {
  const std::size_t even = (bytes + lanes - 1) / lanes, rounded = (even + 255) / 256 * 256;
  return rounded > smallest_piece ? rounded : smallest_piece;
}

// All threads of the block wait until *number >= least. False when the waiting was ended.
__device__ bool reached(const std::uint64_t* number, std::uint64_t least, const int* stop) {
  const bool stopped = threadIdx.x == 0 && !exec::wait_for(number, least, stop);
  return __syncthreads_or(stopped) == 0;
}
// What the block has stored before is seen by who reads this number.
__device__ void publish(std::uint64_t* number, std::uint64_t value) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
    exec::store_release(number, value);
  }
}

template <class Word>
__device__ void copy_words(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr int ahead = 4;
  const int n = int(bytes / sizeof(Word)), step = block_threads;
  Word* const target = reinterpret_cast<Word*>(to);
  const Word* const source = reinterpret_cast<const Word*>(from);
  int i = int(threadIdx.x);
  for (; i + (ahead - 1) * step < n; i += ahead * step) {
    Word w[ahead];
#pragma unroll
    for (int u = 0; u < ahead; ++u) w[u] = __ldcg(source + i + u * step);
#pragma unroll
    for (int u = 0; u < ahead; ++u) target[i + u * step] = w[u];
  }
  for (; i < n; i += step) target[i] = __ldcg(source + i);
  const std::size_t rest = std::size_t(n) * sizeof(Word) + threadIdx.x;
  if (rest < bytes)
    to[rest] = std::byte(__ldcg(reinterpret_cast<const unsigned char*>(from) + rest));
}
// Copies the part of one thread block, at most a slot.
__device__ void copy_chunk(std::byte* to, const std::byte* from, std::size_t bytes) {
  const std::uintptr_t both =
      reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  if (both % 16 == 0) {
    copy_words<uint4>(to, from, bytes);
  } else if (both % 8 == 0) {
    copy_words<unsigned long long>(to, from, bytes);
  } else if (both % 4 == 0) {
    copy_words<unsigned>(to, from, bytes);
  } else {
    copy_words<unsigned char>(to, from, bytes);
  }
}

__device__ std::size_t slot_of(int lane, std::uint64_t chunk) {
  return (std::size_t(lane) * slots + std::size_t((chunk - 1) % slots)) * slot_bytes;
}
__device__ std::uint64_t& number_of(std::uint64_t* numbers, int lane) {
  return numbers[std::size_t(lane) * number_stride];
}
__device__ bool wait_for_slot(const Side& side, int lane, std::uint64_t chunk, const int* stop) {
  return reached(&number_of(side.freed, lane), chunk > slots ? chunk - slots : 0, stop);
}

__global__ void __launch_bounds__(block_threads)
    move_kernel(const Batch batch, const Side* sides, const int* stop) {
  int at = 0;
  while (batch.first_block[at + 1] <= int(blockIdx.x)) ++at;
  const Item& item = batch.items[at];
  const int lane = int(blockIdx.x) - batch.first_block[at];
  const std::size_t piece = piece_of(item.bytes), first = std::size_t(lane) * piece;
  const std::size_t bytes = item.bytes - first < piece ? item.bytes - first : piece;
  std::byte* const start = static_cast<std::byte*>(item.start) + first;
  const Side side = sides[item.peer];
  const bool sends = at < batch.sends;
  std::uint64_t chunk = number_of(sends ? side.sent : side.received, lane);
  for (std::size_t done = 0; done < bytes; done += slot_bytes) {
    const std::size_t now = bytes - done < slot_bytes ? bytes - done : slot_bytes;
    ++chunk;
    if (sends) {
      if (!wait_for_slot(side, lane, chunk, stop)) return;
      copy_chunk(side.far_ring + slot_of(lane, chunk), start + done, now);
      publish(&number_of(side.far_arrived, lane), chunk);
    } else {
      if (!reached(&number_of(side.arrived, lane), chunk, stop)) return;
      copy_chunk(start + done, side.ring + slot_of(lane, chunk), now);
      publish(&number_of(side.far_freed, lane), chunk);
    }
  }
  if (threadIdx.x == 0) number_of(sends ? side.sent : side.received, lane) = chunk;
}

// A thread reads, sends and combines the same words: none is changed before it was sent.
__global__ void __launch_bounds__(block_threads)
    reduce_kernel(std::uint64_t* maxima, int of_maxima, std::uint64_t* sums, int words, int piece,
                  int rank, int ranks, const Side* sides, const int* stop) {
  constexpr int slot_words = int(slot_bytes / sizeof(std::uint64_t));
  const int lane = int(blockIdx.x), end = min(words, (lane + 1) * piece);
  const auto word = [&](int i) { return i < of_maxima ? maxima + i : sums + (i - of_maxima); };
  for (int first = lane * piece; first < end; first += slot_words) {
    const int n = min(slot_words, end - first);
    for (int p = 0; p < ranks; ++p) {
      if (p == rank) continue;
      const Side side = sides[p];
      const std::uint64_t chunk = number_of(side.sent, lane) + 1;
      if (!wait_for_slot(side, lane, chunk, stop)) return;
      auto* const to = reinterpret_cast<std::uint64_t*>(side.far_ring + slot_of(lane, chunk));
      for (int i = int(threadIdx.x); i < n; i += block_threads) to[i] = *word(first + i);
      publish(&number_of(side.far_arrived, lane), chunk);
      if (threadIdx.x == 0) number_of(side.sent, lane) = chunk;
    }
    for (int p = 0; p < ranks; ++p) {
      if (p == rank) continue;
      const Side side = sides[p];
      const std::uint64_t chunk = number_of(side.received, lane) + 1;
      if (!reached(&number_of(side.arrived, lane), chunk, stop)) return;
      const auto* const from =
          reinterpret_cast<const unsigned long long*>(side.ring + slot_of(lane, chunk));
      for (int i = int(threadIdx.x); i < n; i += block_threads) {
        const std::uint64_t theirs = __ldcg(from + i);
        std::uint64_t* const mine = word(first + i);
        if (first + i >= of_maxima) {
          *mine += theirs;  // modulo 2^64: the sum of signed words
        } else if (theirs > *mine) {
          *mine = theirs;
        }
      }
      publish(&number_of(side.far_freed, lane), chunk);
      if (threadIdx.x == 0) number_of(side.received, lane) = chunk;
    }
    __syncthreads();  // before the next chunk's numbers are read
  }
}

cudaStream_t stream_of(const Queue& queue) {
  require(queue.backend == Backend::cuda, "messages between GPUs are work of a GPU's queue");
  return static_cast<cudaStream_t>(queue.stream);
}

}  // namespace

void move_messages(std::span<const Item> sends, std::span<const Item> receives, const Side* sides,
                   const int* stop, const Queue& queue) {
  Batch batch;
  const auto add = [&](const Item& item) {
    if (item.bytes == 0) return;
    require(batch.count < 2 * most_ranks, "one message each way between two ranks");
    batch.items[batch.count] = item;
    const std::size_t piece = piece_of(item.bytes);
    batch.first_block[batch.count + 1] =
        batch.first_block[batch.count] + static_cast<int>((item.bytes + piece - 1) / piece);
    ++batch.count;
  };
  for (const Item& item : sends) add(item);
  batch.sends = batch.count;
  for (const Item& item : receives) add(item);
  if (batch.count == 0) return;
  move_kernel<<<unsigned(batch.first_block[batch.count]), block_threads, 0, stream_of(queue)>>>(
      batch, sides, stop);
  exec::check_cuda(cudaGetLastError(), "cannot launch the messages between GPUs");
}

void reduce_words(std::span<std::uint64_t> maxima, std::span<std::int64_t> sums, int rank,
                  int ranks, const Side* sides, const int* stop, const Queue& queue) {
  const int words = static_cast<int>(maxima.size() + sums.size());
  if (words == 0) return;
  const int piece = static_cast<int>(
      piece_of(static_cast<std::size_t>(words) * sizeof(std::uint64_t)) / sizeof(std::uint64_t));
  reduce_kernel<<<unsigned((words + piece - 1) / piece), block_threads, 0, stream_of(queue)>>>(
      maxima.data(), static_cast<int>(maxima.size()), reinterpret_cast<std::uint64_t*>(sums.data()),
      words, piece, rank, ranks, sides, stop);
  exec::check_cuda(cudaGetLastError(), "cannot launch the reduction over GPUs");
}

void wait_for_device() { exec::check_cuda(cudaDeviceSynchronize(), "device work failed"); }

Handle share_memory(void* start) {
  cudaIpcMemHandle_t handle{};
  exec::check_cuda(cudaIpcGetMemHandle(&handle, start), "cannot share device memory");
  Handle shared;
  static_assert(sizeof handle == sizeof shared.bytes);
  std::memcpy(shared.bytes, &handle, sizeof handle);
  return shared;
}

void* open_memory(const Handle& shared, std::string& why) {
  cudaIpcMemHandle_t handle{};
  std::memcpy(&handle, shared.bytes, sizeof handle);
  void* start = nullptr;
  const cudaError_t status = cudaIpcOpenMemHandle(&start, handle, cudaIpcMemLazyEnablePeerAccess);
  if (status == cudaSuccess) return start;
  why = cudaGetErrorString(status);
  cudaGetLastError();  // no fault of later calls
  return nullptr;
}

void close_memory(void* start) noexcept {
  if (start != nullptr) cudaIpcCloseMemHandle(start);
}

}  // namespace watersmeet::comm::peer
