// The writer thread; see the header. One mutex guards queue and errors, one condition variable signals every
// change.
#include "io/writer.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace watersmeet::io {

Writer::Writer(std::size_t limit, bool inline_jobs)
    : limit_(std::max<std::size_t>(limit, 1)),
      inline_jobs_(inline_jobs),
      thread_([this] { work(); }) {}

Writer::~Writer() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

// Called with the mutex held.
void Writer::rethrow() {
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Writer::submit(std::function<void()> job) {
  require(job != nullptr, "the writer needs a job");
  if (inline_jobs_) {
    job();
    return;
  }
  {
    std::unique_lock lock(mutex_);
    rethrow();
    changed_.wait(lock, [this] { return jobs_.size() < limit_; });
    rethrow();
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
}

void Writer::drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return jobs_.empty() && !busy_; });
  rethrow();
}

std::size_t Writer::pending() const {
  const std::lock_guard lock(mutex_);
  return jobs_.size() + (busy_ ? 1 : 0);
}

void Writer::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !jobs_.empty() || ending_; });
    if (jobs_.empty()) return;
    std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    if (failed_) {
      changed_.notify_all();
      continue;
    }
    busy_ = true;
    lock.unlock();
    changed_.notify_all();
    std::exception_ptr failure;
    try {
      job();
    } catch (...) {
      failure = std::current_exception();
    }
    job = nullptr;  // frees the job's data before the caller may continue
    lock.lock();
    if (failure) {
      error_ = failure;
      failed_ = true;
    }
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace watersmeet::io
