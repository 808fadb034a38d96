#include "comm/time_limit.hpp"

#include <utility>

namespace watersmeet::comm {

TimeLimit::TimeLimit(double seconds, std::function<void()> overdue, std::function<void()> meanwhile)
    : limit_(seconds),
      overdue_(std::move(overdue)),
      meanwhile_(std::move(meanwhile)),
      thread_([this] { work(); }) {}

TimeLimit::~TimeLimit() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void TimeLimit::work() {
  RunningTime waited;
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, std::chrono::milliseconds(250), [this] { return done_; })) {
    lock.unlock();
    if (meanwhile_) meanwhile_();
    if (waited.seconds() > limit_) overdue_();
    lock.lock();
  }
}

}  // namespace watersmeet::comm
