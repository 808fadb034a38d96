#pragma once
// A multigrid cycle that the host queues: on the CPU, and on several ranks of any device. On GPUs it
// is recorded the second time that it is queued, where its messages can be: it has hundreds of small
// launches.

#include <utility>

#include "comm/team.hpp"
#include "exec/recorded_work.hpp"
#include "solve/multigrid/arrays.hpp"
#include "solve/multigrid/cycle.hpp"

namespace watersmeet::solve {

template <class R>
class SharedCycle {
 public:
  virtual ~SharedCycle() = default;

  // On entry level 0's f holds the right-hand side. Afterwards u is what one cycle makes of 0, or
  // of the u before.
  void run(Start start) {
    Recorded& recorded = recorded_[static_cast<int>(start)];
    if (!std::exchange(recorded.seen, true) || !recordable()) return queue_cycle(start);
    if (recorded.work.empty()) recorded.work.record(queue_, [&] { queue_cycle(start); });
    recorded.work.replay(queue_);
  }
  // The cells of level 0 on this rank.
  virtual LevelArrays<R> finest() const = 0;
  // The level that all ranks have whole, from 0; -1: none.
  virtual int gathered() const = 0;

 protected:
  SharedCycle(comm::Team* team, const Queue& queue) : team_(team), queue_(queue) {}
  virtual void queue_cycle(Start start) = 0;
  // Whether a cycle ends with the arrays where it began with them.
  virtual bool same_each_time() const = 0;

  comm::Team* team_;  // null for one rank
  Queue queue_;

 private:
  bool recordable() const {
    return team_ != nullptr && team_->transport() != nullptr && exec::can_record(queue_) &&
           team_->transport()->recordable() && same_each_time();
  }
  struct Recorded {
    bool seen = false;
    exec::RecordedWork work;
  };
  Recorded recorded_[2];  // by the start
};

}  // namespace watersmeet::solve
