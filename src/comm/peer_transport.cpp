// Messages and reductions between the GPUs of one host as kernels of the queue that store straight
// into each other's memory (peer_messages.hpp), or as what the caller launches itself (place()). A
// kernel has the same arguments each time, so that exchanges can be recorded. It waits for kernels of
// other ranks: a word in pinned memory ends that.
#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "comm/peer_messages.hpp"
#include "comm/transport.hpp"
#include "core/own_queue.hpp"
#include "memory/buffer.hpp"

namespace watersmeet::comm {

namespace {

// What a rank sends to the others about its memory.
struct Shared {
  peer::Handle handle;
  char fault[256] = "";
};

class PeerTransport final : public Transport {
 public:
  explicit PeerTransport(Communicator& ranks)
      : ranks_(ranks),
        n_(static_cast<std::size_t>(ranks.size())),
        stop_(MemorySpace::pinned, sizeof(int)),
        memory_(MemorySpace::device, n_ * peer::side_bytes),
        counts_(MemorySpace::device, n_ * 2 * peer::numbers_bytes),
        sides_(MemorySpace::device, n_ * sizeof(peer::Side)) {
    const OwnQueue own(make_cuda_queue());
    *stop_.as<int>() = 0;
    fill_bytes(memory_.start(), 0, memory_.bytes(), own.queue);
    fill_bytes(counts_.start(), 0, counts_.bytes(), own.queue);
    try {
      opened_ = open_all(memory_.start());
      lay_sides(own.queue);
      try_reduction(own.queue);
    } catch (...) {
      close_all();
      throw;
    }
  }
  PeerTransport(const PeerTransport&) = delete;
  PeerTransport& operator=(const PeerTransport&) = delete;

  // Nobody stores into memory that was given back: in an orderly end all ranks have done their work
  // first. After a fault they may not come, and the memory stays until the process ends.
  ~PeerTransport() override {
    if (std::uncaught_exceptions() == exceptions_ && !given_up_) {
      ranks_.limited("end of the messages between GPUs", [this] {
        peer::wait_for_device();
        ranks_.barrier();
        close_all();
        ranks_.barrier();
      });
      return;
    }
    give_up();
    static std::vector<memory::Buffer> kept;
    for (Landing& landing : landings_) kept.push_back(std::move(landing.memory));
    kept.push_back(std::move(memory_));
    kept.push_back(std::move(stop_));
    kept.push_back(std::move(counts_));
    kept.push_back(std::move(sides_));
  }

  std::string name() const override { return "peer"; }
  MemorySpace buffer_space() const override { return MemorySpace::device; }
  bool any_queue() const override { return true; }
  bool recordable() const override { return true; }

  void start(std::span<const Message> sends, const void* out, std::span<const Message> receives,
             void* in, const Queue& queue) override {
    require(!started_, "one batch of messages at a time");
    require_use();
    sends_.clear();
    receives_.clear();
    for (const Message& m : sends) {
      sends_.push_back(
          {const_cast<char*>(static_cast<const char*>(out)) + m.first, m.size, m.peer});
    }
    for (const Message& m : receives) {
      receives_.push_back({static_cast<char*>(in) + m.first, m.size, m.peer});
    }
    peer::move_messages(sends_, receives_, sides_.as<peer::Side>(), stop_.as<int>(), queue);
    started_ = true;
  }
  // The messages are work of the queue: what comes after them finds them done.
  void finish(const Queue&) override {
    require(started_, "no batch of messages was started");
    started_ = false;
  }

  bool direct() const override { return true; }
  std::shared_ptr<const DirectMessages> place(std::span<const Message> sends,
                                              std::span<const Message> receives) override;
  const FarBuffers* reach(std::span<void* const> buffers, bool willing) override;

  void all_reduce(std::span<std::uint64_t> maxima, std::span<std::int64_t> sums,
                  const Queue& queue) override {
    require(!started_, "a reduction within a batch of messages");
    require_use();
    peer::reduce_words(maxima, sums, ranks_.rank(), ranks_.size(), sides_.as<peer::Side>(),
                       stop_.as<int>(), queue);
  }

  void wait(const Event& event) override {
    try {
      ranks_.wait_until([&] { return event.ready(); }, "messages between GPUs");
    } catch (...) {
      give_up();
      throw;
    }
  }

 private:
  // The memory of the other ranks, each of which opens that of this one.
  std::vector<void*> open_all(void* start) {
    Shared mine;
    mine.handle = peer::share_memory(start);
    std::vector<Shared> all(n_);
    std::vector<void*> opened(n_, nullptr);
    ranks_.all_gather(&mine, sizeof mine, all.data());
    for (std::size_t p = 0; p < n_; ++p) {
      if (p == rank() || mine.fault[0] != '\0') continue;
      std::string why;
      opened[p] = peer::open_memory(all[p].handle, why);
      if (opened[p] == nullptr) {
        const std::string fault =
            "cannot reach the GPU memory of rank " + std::to_string(p) + ": " + why;
        mine.fault[fault.copy(mine.fault, sizeof mine.fault - 1)] = '\0';
      }
    }
    ranks_.all_gather(&mine, sizeof mine, all.data());
    for (std::size_t p = 0; p < n_; ++p) {
      if (all[p].fault[0] == '\0') continue;
      close(opened);
      throw AgreedError(ErrorKind::unsupported, "rank " + std::to_string(p) + " of " +
                                                    std::to_string(n_) + " " + all[p].fault);
    }
    return opened;
  }

  // Rank q's memory begins with what arrives from rank 0, then from rank 1, and so on.
  void lay_sides(const Queue& queue) {
    std::vector<peer::Side> sides(n_);
    const auto numbers = [](std::byte* start, int which) {
      return reinterpret_cast<std::uint64_t*>(
          start + peer::ring_bytes + static_cast<std::size_t>(which) * peer::numbers_bytes);
    };
    for (std::size_t p = 0; p < n_; ++p) {
      if (p == rank()) continue;
      peer::Side& side = sides[p];
      std::byte* const here = memory_.as<std::byte>() + p * peer::side_bytes;
      std::byte* const there = static_cast<std::byte*>(opened_[p]) + rank() * peer::side_bytes;
      side.ring = here;
      side.far_ring = there;
      side.arrived = numbers(here, 0);
      side.far_arrived = numbers(there, 0);
      side.freed = numbers(here, 1);
      side.far_freed = numbers(there, 1);
      side.sent = counts_.as<std::uint64_t>() + 2 * p * peer::lanes * peer::number_stride;
      side.received = side.sent + peer::lanes * peer::number_stride;
    }
    copy_bytes(sides_.start(), sides.data(), sides_.bytes(), queue);
    synchronize(queue);
    ranks_.barrier();  // nobody stores into memory that its owner still clears
  }

  // Whether what is stored arrives: a host may let the memory be opened and lose what goes there.
  void try_reduction(const Queue& queue) {
    constexpr std::chrono::seconds limit{10};
    std::int64_t word = ranks_.rank() + 1;
    const memory::Buffer on_device(MemorySpace::device, sizeof word);
    copy_bytes(on_device.start(), &word, sizeof word, queue);
    all_reduce({}, {on_device.as<std::int64_t>(), 1}, queue);
    Event done(queue);
    done.record(queue);
    const auto begun = std::chrono::steady_clock::now();
    while (!done.ready() && std::chrono::steady_clock::now() - begun < limit) {
      std::this_thread::yield();
    }
    if (!done.ready()) stop_waiting();
    copy_bytes(&word, on_device.start(), sizeof word, queue);
    synchronize(queue);
    const std::int64_t n = ranks_.size();
    std::uint64_t lost[1] = {word == n * (n + 1) / 2 ? 0u : 1u};
    ranks_.all_reduce_max(std::span<std::uint64_t>(lost));
    if (lost[0] == 0) return;
    throw AgreedError(ErrorKind::unsupported,
                      "what one GPU stores in the memory of another does not arrive");
  }

  void require_use() const {
    if (!given_up_) return;
    throw Error(ErrorKind::communication, "rank " + std::to_string(ranks_.rank()) + " of " +
                                              std::to_string(n_) +
                                              ": the messages between GPUs were given up earlier");
  }
  std::size_t rank() const { return static_cast<std::size_t>(ranks_.rank()); }
  // Ends the kernels that wait for other ranks on the device.
  void stop_waiting() { *static_cast<volatile int*>(stop_.as<int>()) = 1; }
  void give_up() {
    given_up_ = true;
    stop_waiting();
  }
  static void close(std::vector<void*>& opened) {
    for (void*& start : opened) peer::close_memory(std::exchange(start, nullptr));
  }
  void close_all() {
    close(opened_);
    for (Landing& landing : landings_) close(landing.opened);
    for (FarBuffers& far : reached_) {
      for (std::vector<void*>& opened : far) close(opened);
    }
  }

  // Where the messages of a batch arrive: their bytes, then the numbers of its gate and the gate. As
  // long on all ranks.
  struct Landing {
    memory::Buffer memory;
    std::vector<void*> opened;  // of the other ranks
    std::shared_ptr<bool> used = std::make_shared<bool>(false);
  };
  Landing& free_landing(std::size_t bytes);

  Communicator& ranks_;
  std::size_t n_;
  memory::Buffer stop_, memory_, counts_, sides_;
  std::vector<void*> opened_;       // memory of the other ranks
  std::deque<Landing> landings_;    // their addresses stay
  std::deque<FarBuffers> reached_;  // and these
  std::vector<peer::Item> sends_, receives_;
  bool started_ = false, given_up_ = false;
  int exceptions_ = std::uncaught_exceptions();
};

// Given back to be used again, since all ranks make and drop their batches in the same order.
PeerTransport::Landing& PeerTransport::free_landing(std::size_t bytes) {
  for (Landing& landing : landings_) {
    if (!*landing.used && landing.memory.bytes() >= bytes) return landing;
  }
  Landing landing;
  landing.memory = memory::Buffer(MemorySpace::device, memory::whole_granules(bytes));
  landing.opened = open_all(landing.memory.start());
  landings_.push_back(std::move(landing));
  return landings_.back();
}

std::shared_ptr<const DirectMessages> PeerTransport::place(std::span<const Message> sends,
                                                           std::span<const Message> receives) {
  require_use();
  static_assert(peer::most_ranks <= exec::GateSide::most);
  struct Places {
    std::uint64_t bytes = 0;                     // of all that arrives
    std::uint64_t first[peer::most_ranks] = {};  // where that of a rank begins
  };
  Places mine;
  for (const Message& m : receives) {
    mine.first[m.peer] = m.first;
    mine.bytes = std::max<std::uint64_t>(mine.bytes, m.first + m.size);
  }
  std::vector<Places> all(n_);
  ranks_.all_gather(&mine, sizeof mine, all.data());
  std::uint64_t most = 0;
  for (const Places& places : all) most = std::max(most, places.bytes);
  if (most == 0) return nullptr;
  // Numbers of two ranks lie in different cache lines.
  constexpr std::size_t numbers = peer::most_ranks * peer::number_stride * sizeof(std::uint64_t);
  const std::size_t arrived_at = (most + 255) / 256 * 256, freed_at = arrived_at + numbers,
                    gate_at = freed_at + numbers;
  const auto number = [](void* start, std::size_t at, std::size_t rank) {
    return reinterpret_cast<std::uint64_t*>(static_cast<std::byte*>(start) + at) +
           rank * peer::number_stride;
  };
  const auto address = [](const void* p) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(p));
  };
  Landing& landing = free_landing(gate_at + sizeof(exec::Gate));
  *landing.used = true;
  // The messages may be dropped after the end of the transport.
  const std::shared_ptr<DirectMessages> direct(
      new DirectMessages, [used = landing.used](const DirectMessages* messages) {
        *used = false;
        delete messages;
      });
  direct->in = landing.memory.as<std::byte>();
  direct->gate = reinterpret_cast<exec::Gate*>(direct->in + gate_at);
  exec::Gate gate;
  gate.stop = stop_.as<int>();
  for (const Message& m : sends) {
    const std::size_t p = static_cast<std::size_t>(m.peer);
    direct->far.push_back(address(landing.opened[p]) - address(direct->in) +
                          static_cast<std::int64_t>(all[p].first[rank()]));
    exec::GateSide& side = gate.sends;
    side.awaited[side.awaited_count++] = number(direct->in, freed_at, p);
    side.told[side.told_count++] = number(landing.opened[p], arrived_at, rank());
    side.bytes += m.size;
  }
  gate.receives.ahead = 1;
  for (const Message& m : receives) {
    const std::size_t p = static_cast<std::size_t>(m.peer);
    exec::GateSide& side = gate.receives;
    side.awaited[side.awaited_count++] = number(direct->in, arrived_at, p);
    side.told[side.told_count++] = number(landing.opened[p], freed_at, rank());
    side.bytes += m.size;
  }
  // Nobody uses the memory any more for what it was before, or before its numbers are set.
  peer::wait_for_device();
  ranks_.barrier();
  const OwnQueue own(make_cuda_queue());
  fill_bytes(direct->in + arrived_at, 0, 2 * numbers, own.queue);
  copy_bytes(direct->gate, &gate, sizeof gate, own.queue);
  synchronize(own.queue);
  ranks_.barrier();
  return direct;
}

const FarBuffers* PeerTransport::reach(std::span<void* const> buffers, bool willing) {
  require_use();
  std::uint64_t unwilling[1] = {willing ? 0u : 1u};
  ranks_.all_reduce_max(std::span<std::uint64_t>(unwilling));
  if (unwilling[0] != 0) return nullptr;
  FarBuffers& far = reached_.emplace_back();
  for (void* const start : buffers) far.push_back(open_all(start));
  return &far;
}

}  // namespace

const FarBuffers* Transport::reach(std::span<void* const>, bool) { return nullptr; }

std::shared_ptr<const DirectMessages> Transport::place(std::span<const Message>,
                                                       std::span<const Message>) {
  return nullptr;
}

std::unique_ptr<Transport> make_peer_transport(Communicator& communicator) {
  return std::make_unique<PeerTransport>(communicator);
}

}  // namespace watersmeet::comm
