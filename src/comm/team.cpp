// Queues and events of a team, and the reduction between two steps.
#include "comm/team.hpp"

namespace watersmeet::comm {

Team::Team(const Queue& queue)
    : self_(make_self()),
      communicator_(self_.get()),
      exchange_queue_(queue),
      all_on_gpus_(queue.backend == Backend::cuda) {}

Team::Team(Communicator& communicator, std::unique_ptr<Transport> transport, const Queue& queue,
           Overlap overlap)
    : communicator_(&communicator),
      transport_(std::move(transport)),
      exchange_queue_(queue),
      overlap_(overlap) {
  if (queue.backend == Backend::cuda && transport_) {
    exchange_queue_ = make_cuda_queue(true);
    exchange_queue_.threads = queue.threads;
    own_queue_ = true;
  }
  event_ = Event(queue);
  std::uint64_t cpus[1] = {queue.backend == Backend::cpu ? 1u : 0u};
  communicator.all_reduce_max(std::span<std::uint64_t>(cpus));
  all_on_gpus_ = cpus[0] == 0;
  overlap_ = effective_overlap(overlap_, all_on_gpus_, transport_ && transport_->direct());
}

Team::~Team() {
  if (!own_queue_) return;
  transport_.reset();  // it may still have work in the queue
  destroy_queue(exchange_queue_);
}

const Queue& Team::queue_in_turn(const Queue& computing) const {
  return transport_ && transport_->any_queue() ? computing : exchange_queue_;
}

void Team::order(const Queue& earlier, const Queue& later) {
  if (earlier.stream == later.stream) return;
  event_.record(earlier);
  event_.queue_waits(later);
}

void Team::all_reduce(std::span<std::uint64_t> maxima, std::span<std::int64_t> sums,
                      const Queue& computing) {
  if (!transport_) return;
  const Queue& messages = queue_in_turn(computing);
  order(computing, messages);
  transport_->all_reduce(maxima, sums, messages);
  order(messages, computing);
}

void Team::combine(exec::Clock* clock, const Queue& queue) {
  all_reduce({&clock->signal_bits, 2}, {&clock->work_units, 1}, queue);
}

void Team::wait(const Event& event) const {
  if (transport_) {
    transport_->wait(event);
  } else {
    event.wait();
  }
}

}  // namespace watersmeet::comm
