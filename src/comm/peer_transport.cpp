// Messages and reductions between the GPUs of one host as kernels of the queue that store straight
// into each other's memory (peer_messages.hpp). A kernel has the same arguments each time, so that
// exchanges can be recorded. It waits for kernels of other ranks: a word in pinned memory ends that.
#include <chrono>
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
        sides_(MemorySpace::device, n_ * sizeof(peer::Side)),
        opened_(n_, nullptr) {
    const OwnQueue own(make_cuda_queue());
    *stop_.as<int>() = 0;
    fill_bytes(memory_.start(), 0, memory_.bytes(), own.queue);
    fill_bytes(counts_.start(), 0, counts_.bytes(), own.queue);
    try {
      open_all();
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
  void open_all() {
    Shared mine;
    mine.handle = peer::share_memory(memory_.start());
    std::vector<Shared> all(n_);
    ranks_.all_gather(&mine, sizeof mine, all.data());
    for (std::size_t p = 0; p < n_; ++p) {
      if (p == rank() || mine.fault[0] != '\0') continue;
      std::string why;
      opened_[p] = peer::open_memory(all[p].handle, why);
      if (opened_[p] == nullptr) {
        const std::string fault =
            "cannot reach the GPU memory of rank " + std::to_string(p) + ": " + why;
        mine.fault[fault.copy(mine.fault, sizeof mine.fault - 1)] = '\0';
      }
    }
    ranks_.all_gather(&mine, sizeof mine, all.data());
    for (std::size_t p = 0; p < n_; ++p) {
      if (all[p].fault[0] == '\0') continue;
      throw AgreedError(ErrorKind::unsupported, "rank " + std::to_string(p) + " of " +
                                                    std::to_string(n_) + " " + all[p].fault);
    }
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
  void close_all() {
    for (void*& start : opened_) peer::close_memory(std::exchange(start, nullptr));
  }

  Communicator& ranks_;
  std::size_t n_;
  memory::Buffer stop_, memory_, counts_, sides_;
  std::vector<void*> opened_;  // memory of the other ranks
  std::vector<peer::Item> sends_, receives_;
  bool started_ = false, given_up_ = false;
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace

std::unique_ptr<Transport> make_peer_transport(Communicator& communicator) {
  return std::make_unique<PeerTransport>(communicator);
}

}  // namespace watersmeet::comm
