#include "run/stop_requests.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <limits>

#include "config/si_units.hpp"
#include "core/error.hpp"
#include "core/host_seconds.hpp"

namespace watersmeet::run {

namespace {
std::atomic<int> signal_arrived{0};

void on_signal(int number) {
  signal_arrived = number;
  if (number == SIGINT) std::signal(SIGINT, SIG_DFL);  // the second one ends the process
}
}  // namespace

SignalWatch::SignalWatch() {
  signal_arrived = 0;
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (const int number : {SIGINT, SIGTERM, SIGUSR1}) sigaction(number, &action, nullptr);
}
SignalWatch::~SignalWatch() {
  for (const int number : {SIGINT, SIGTERM, SIGUSR1}) std::signal(number, SIG_DFL);
}
int SignalWatch::arrived() { return signal_arrived; }

StopRequests::StopRequests(std::string directory, double wall_seconds, bool look_for_file)
    : stop_file_(std::move(directory) + "/STOP"),
      begin_(std::chrono::steady_clock::now()),
      last_look_(begin_),
      wall_seconds_(wall_seconds > 0 ? wall_seconds : std::numeric_limits<double>::infinity()),
      look_for_file_(look_for_file) {
  if (const char* end = std::getenv("SLURM_JOB_END_TIME")) {
    const double left = std::atof(end) - static_cast<double>(std::time(nullptr));
    if (left > 0) wall_seconds_ = std::min(wall_seconds_, left);
  }
  // A minute for the last checkpoint, a tenth of limits shorter than that.
  reserve_ = std::min(60.0, 0.1 * wall_seconds_);
}

double StopRequests::seconds_left() const { return wall_seconds_ - seconds_since(begin_); }

std::string reason_of(std::uint64_t request) {
  constexpr const char* reasons[] = {"",        "the STOP file", "the wall-clock limit",
                                     "SIGUSR1", "SIGTERM",       "Ctrl-C"};
  return request < std::size(reasons) ? reasons[request] : "";
}

std::uint64_t StopRequests::request() {
  switch (SignalWatch::arrived()) {
    case SIGINT:
      return stop_request::interrupt;
    case SIGTERM:
      return stop_request::terminate;
    case SIGUSR1:
      return stop_request::user_signal;
    default:
      break;
  }
  if (seconds_left() < 2 * checkpoint_seconds_ + reserve_) return stop_request::wall_clock;
  const auto now = std::chrono::steady_clock::now();
  if (look_for_file_ && now - last_look_ > std::chrono::milliseconds(500)) {
    last_look_ = now;
    std::error_code ignored;
    if (std::filesystem::exists(stop_file_, ignored)) {
      std::filesystem::remove(stop_file_, ignored);
      stop_file_seen_ = true;
    }
  }
  return stop_file_seen_ ? stop_request::stop_file : stop_request::none;
}

double wall_limit(const std::string& option, const config::Input& input) {
  if (option.empty()) return input.is_set("time.wall") ? input.duration("time.wall") : 0.0;
  char* end = nullptr;
  const double number = std::strtod(option.c_str(), &end);
  std::string unit(end);
  unit.erase(0, unit.find_first_not_of(' ') == std::string::npos ? unit.size()
                                                                 : unit.find_first_not_of(' '));
  const config::SiUnit* const found = config::find_si_unit(unit.empty() ? "s" : unit);
  if (end == option.c_str() || found == nullptr || found->dimension != std::string("time") ||
      !(number > 0)) {
    throw Error(ErrorKind::user_input, "--wall " + option +
                                           ": give a number of seconds, or text with " +
                                           config::si_units_of("time") + ", such as 4h");
  }
  return found->of(number);
}

}  // namespace watersmeet::run
