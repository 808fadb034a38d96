#pragma once
// One thread that writes files while the solver computes. Jobs run in the order given; what a job
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
  // Jobs behind one that failed are dropped, so that no checkpoint is later than a snapshot that is
  // missing, and ranks whose jobs fail together also end together. `inline_jobs`: submit() carries a
  // job out itself, where a second thread must not use MPI.
  explicit Writer(std::size_t limit = 2, bool inline_jobs = false);
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  // Waits for the jobs; an error is lost here, so call drain() first.
  ~Writer();

  // Throws the error kept, if any, and does not take the job then; else queues it.
  void submit(std::function<void()> job);
  // Waits until all jobs are done, then throws the error kept, if any.
  void drain();
  // Jobs queued or running.
  std::size_t pending() const;

 private:
  void work();
  void rethrow();

  const std::size_t limit_;
  const bool inline_jobs_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  std::exception_ptr error_;
  bool busy_ = false, failed_ = false;
  bool ending_ = false;
  std::thread thread_;  // last: starts when the rest exists
};

}  // namespace watersmeet::io
