#pragma once
// One thread that writes files while the solver goes on. Jobs run in the order given; what a job
// throws is kept and thrown again on the caller's thread.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace watersmeet::io {

class Writer {
 public:
  // At most `limit` jobs (1 or more) wait (each holds a copy of its data); submit() blocks while
  // the queue is full.
  // `drop_after_failure`: jobs behind one that failed are dropped instead of carried out, so that
  // ranks whose jobs fail together also end together. `inline_jobs`: submit() carries a job out
  // itself, where a second thread must not use MPI.
  explicit Writer(std::size_t limit = 2, bool drop_after_failure = false, bool inline_jobs = false);
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  // Waits for the jobs; their errors are lost here, so call drain() first.
  ~Writer();

  // Throws the oldest error kept, if any, and does not take the job then; else queues it.
  void submit(std::function<void()> job);
  // Waits until all jobs are done, then throws the oldest error kept, if any.
  void drain();
  // Jobs queued or running.
  std::size_t pending() const;

 private:
  void work();
  void rethrow_oldest();

  const std::size_t limit_;
  const bool drop_after_failure_, inline_jobs_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  std::deque<std::exception_ptr> errors_;
  bool busy_ = false, failed_ = false;
  bool ending_ = false;
  std::thread thread_;  // last: starts when the rest exists
};

}  // namespace watersmeet::io
