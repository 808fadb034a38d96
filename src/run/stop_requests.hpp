#pragma once
// Why a running case should end early: a signal, a STOP file, the wall-clock limit. Signals only
// set a flag; the driver looks at it between steps. A second Ctrl-C ends the process at once.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "config/input.hpp"

namespace watersmeet::run {

// Catches SIGINT, SIGTERM and SIGUSR1 for its lifetime.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  // 0, or the signal that arrived.
  static int arrived();
};

// Requests to stop, as numbers that ranks can compare: the largest one of all ranks is reported.
namespace stop_request {
constexpr std::uint64_t none = 0, stop_file = 1, wall_clock = 2, user_signal = 3, terminate = 4,
                        interrupt = 5;
}
// "SIGTERM", "the STOP file"; empty for none.
std::string reason_of(std::uint64_t request);

class StopRequests {
 public:
  // `wall_seconds` <= 0: no limit of ours; SLURM_JOB_END_TIME counts in any case. One rank alone
  // looks for the file.
  StopRequests(std::string directory, double wall_seconds, bool look_for_file = true);

  // stop_request::none while the run may continue. Cheap: the file is looked for twice a second.
  std::uint64_t request();
  // How long the last checkpoint took, with its writing, which the writer thread may report;
  // the wall-clock limit leaves room for two of them.
  void set_checkpoint_seconds(double seconds) { checkpoint_seconds_ = seconds; }
  double checkpoint_seconds() const { return checkpoint_seconds_; }
  // Seconds until the limit; infinite without one.
  double seconds_left() const;

 private:
  std::string stop_file_;
  std::chrono::steady_clock::time_point begin_, last_look_;
  double wall_seconds_, reserve_;
  std::atomic<double> checkpoint_seconds_{0};
  bool look_for_file_, stop_file_seen_ = false;
};

// --wall, then time.wall; 0 without either. "4h", "90 min", seconds.
double wall_limit(const std::string& option, const config::Input& input);

}  // namespace watersmeet::run
