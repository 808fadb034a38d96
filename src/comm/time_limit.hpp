#pragma once
// A limit of time for calls of libraries that wait for other ranks and have no limit of their own:
// MPI_Init, MPI_Comm_split, MPI_Finalize, and what parallel HDF5 does with MPI. Such a call cannot
// be taken back, so that at its limit the process can only end.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace watersmeet::comm {

// Seconds since its making in which this process ran. While a process is stopped (Slurm suspends
// whole jobs, with all their ranks) that time is not waiting: at most a second counts between two calls.
class RunningTime {
 public:
  double seconds() {
    const auto now = std::chrono::steady_clock::now();
    const double since = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds_ += since < 1 ? since : 1;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  double seconds_ = 0;
};

class TimeLimit {
 public:
  // A thread calls `meanwhile` every quarter of a second, and `overdue`, which must end the
  // process, when the object has lived for `seconds`.
  TimeLimit(double seconds, std::function<void()> overdue, std::function<void()> meanwhile = {});
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  void work();

  const double limit_;
  const std::function<void()> overdue_, meanwhile_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;  // last: starts when the rest exists
};

}  // namespace watersmeet::comm
