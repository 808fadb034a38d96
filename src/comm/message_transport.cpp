// Messages of the host through a Communicator. On the CPU they are under way from start() on. On a
// GPU the host posts them once the queue has come to the end of the packing: start() records an
// event, finish() waits for it. Receives cannot be posted earlier either, because earlier work of
// the queue (the unpacking of the last exchange) may still read the buffer that they fill.
#include <array>
#include <utility>
#include <vector>

#include "comm/transport.hpp"
#include "core/own_queue.hpp"
#include "memory/buffer.hpp"

namespace watersmeet::comm {

namespace {

class MessageTransport final : public Transport {
 public:
  MessageTransport(Communicator& ranks, Backend backend, bool device_buffers)
      : ranks_(ranks), backend_(backend), device_buffers_(device_buffers) {
    require(backend == Backend::cuda || !device_buffers, "device messages need a device");
  }

  std::string name() const override { return device_buffers_ ? "mpi-device" : "mpi"; }
  MemorySpace buffer_space() const override {
    return device_buffers_ ? MemorySpace::device : memory::staging_space(backend_);
  }

  void start(std::span<const Message> sends, const void* out, std::span<const Message> receives,
             void* in, const Queue& queue) override {
    require(!started_ && queue.backend == backend_, "one batch of messages at a time");
    started_ = true;
    out_.clear();
    in_.clear();
    for (const Message& m : sends) {
      if (m.size > 0) out_.push_back({m.peer, static_cast<const char*>(out) + m.first, m.size});
    }
    for (const Message& m : receives) {
      if (m.size > 0) in_.push_back({m.peer, static_cast<char*>(in) + m.first, m.size});
    }
    if (backend_ == Backend::cpu) {
      ranks_.begin(out_, in_);
    } else {
      mark(queue);
    }
  }

  void finish(const Queue& queue) override {
    require(started_ && queue.backend == backend_, "no batch of messages was started");
    if (backend_ == Backend::cuda) {
      wait(reached_);
      ranks_.begin(out_, in_);
    }
    ranks_.finish();
    started_ = false;
  }

  void all_reduce(std::span<std::uint64_t> maxima, std::span<std::int64_t> sums,
                  const Queue& queue) override {
    require(!started_ && queue.backend == backend_, "a reduction within a batch of messages");
    if (ranks_.size() == 1) return;
    if (backend_ == Backend::cpu) {
      reduce(maxima, sums);
      return;
    }
    const std::size_t bytes = maxima.size_bytes() + sums.size_bytes();
    if (words_.bytes() < bytes) {
      synchronize(queue);  // the last reduction may still copy from the old one
      words_ = memory::Buffer(MemorySpace::pinned, bytes);
    }
    auto* const first = words_.as<std::uint64_t>();
    const std::span host_maxima(first, maxima.size());
    const std::span host_sums(reinterpret_cast<std::int64_t*>(first + maxima.size()), sums.size());
    copy_bytes(host_maxima.data(), maxima.data(), maxima.size_bytes(), queue);
    copy_bytes(host_sums.data(), sums.data(), sums.size_bytes(), queue);
    mark(queue);
    wait(reached_);
    reduce(host_maxima, host_sums);
    copy_bytes(maxima.data(), host_maxima.data(), maxima.size_bytes(), queue);
    copy_bytes(sums.data(), host_sums.data(), sums.size_bytes(), queue);
  }

  void wait(const Event& event) override {
    ranks_.wait_until([&] { return event.ready(); }, "work on the device");
  }

 private:
  void reduce(std::span<std::uint64_t> maxima, std::span<std::int64_t> sums) {
    if (!maxima.empty()) ranks_.all_reduce_max(maxima);
    if (!sums.empty()) ranks_.all_reduce_sum(sums);
  }
  // The queue's present end becomes what reached_ stands for.
  void mark(const Queue& queue) {
    if (!std::exchange(has_event_, true)) reached_ = Event(queue);
    reached_.record(queue);
  }

  Communicator& ranks_;
  Backend backend_;
  bool device_buffers_, started_ = false, has_event_ = false;
  std::vector<Outgoing> out_;
  std::vector<Incoming> in_;
  Event reached_;
  memory::Buffer words_;
};

}  // namespace

std::unique_ptr<Transport> make_message_transport(Communicator& communicator, Backend backend,
                                                  bool device_buffers) {
  return std::make_unique<MessageTransport>(communicator, backend, device_buffers);
}

bool mpi_moves_device_memory(Communicator& communicator) {
  // An MPI without support of devices would read the pointer as one of the host and crash.
  if (communicator.native() == nullptr || !mpi_claims_cuda()) return false;
  std::array<unsigned char, 1024> sent{}, received{};
  for (std::size_t b = 0; b < sent.size(); ++b) {
    sent[b] = static_cast<unsigned char>(7 * b + b / 256 + 1);
  }
  try {
    const OwnQueue own(make_cuda_queue());
    const memory::Buffer from(MemorySpace::device, sent.size());
    const memory::Buffer to(MemorySpace::device, sent.size());
    copy_bytes(from.start(), sent.data(), sent.size(), own.queue);
    fill_bytes(to.start(), 0, sent.size(), own.queue);
    synchronize(own.queue);
    const Outgoing out[1] = {{communicator.rank(), from.start(), sent.size()}};
    const Incoming in[1] = {{communicator.rank(), to.start(), sent.size()}};
    communicator.exchange(out, in);
    copy_bytes(received.data(), to.start(), sent.size(), own.queue);
    synchronize(own.queue);
  } catch (const Error&) {
    return false;
  }
  return sent == received;
}

}  // namespace watersmeet::comm
