#pragma once
// The ranks that compute a case together, as a system sees them: who they are, how their messages
// travel, and the queue on which messages are ordered beside the computation.

#include <memory>

#include "comm/transport.hpp"
#include "exec/clock.hpp"

namespace watersmeet::comm {

// Whether cells are computed while messages travel; automatic: where the messages are large enough
// to pay for it (comm/exchange.cpp).
enum class Overlap { off, on, automatic };
// Automatic is off beside CPU ranks, where messages hardly move while the processors compute, and
// between GPUs that store into each other's memory, where halves gain nothing (docs/scaling.md).
constexpr Overlap effective_overlap(Overlap wanted, bool all_on_gpus, bool direct) {
  return wanted == Overlap::automatic && (!all_on_gpus || direct) ? Overlap::off : wanted;
}

class Team {
 public:
  // One rank: no transport.
  explicit Team(const Queue& queue);
  // `communicator` outlives the team. On a GPU the team makes itself a queue of high priority. Collective.
  Team(Communicator& communicator, std::unique_ptr<Transport> transport, const Queue& queue,
       Overlap overlap);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  Communicator& communicator() const { return *communicator_; }
  Transport* transport() const { return transport_.get(); }  // null for one rank
  int rank() const { return communicator_->rank(); }
  int size() const { return communicator_->size(); }
  // The same on all ranks, since it decides what travels when.
  Overlap overlap() const { return overlap_; }
  bool all_on_gpus() const { return all_on_gpus_; }
  // Where messages and what must follow them at once are queued; the computing queue on the CPU.
  // One queue for all of them: NCCL must not be used from two streams at once.
  const Queue& exchange_queue() const { return exchange_queue_; }

  // The same for messages beside which nothing is computed: `computing` where the transport takes
  // work of any queue, which saves two waits of one queue for another.
  const Queue& queue_in_turn(const Queue& computing) const;

  // Later work of `later` follows the earlier work of `earlier`.
  void order(const Queue& earlier, const Queue& later);
  // Transport::all_reduce() in the order of the computing queue; nothing to do on one rank.
  void all_reduce(std::span<std::uint64_t> maxima, std::span<std::int64_t> sums,
                  const Queue& computing);
  // Signal, work and stop request of a step, over all ranks, before the next step begins.
  void combine(exec::Clock* clock, const Queue& queue);
  // Waits on the host for what may depend on other ranks.
  void wait(const Event& event) const;

 private:
  std::unique_ptr<Communicator> self_;
  Communicator* communicator_;
  std::unique_ptr<Transport> transport_;
  Queue exchange_queue_;
  bool own_queue_ = false, all_on_gpus_ = false;
  Overlap overlap_ = Overlap::off;
  Event event_;
};

}  // namespace watersmeet::comm
