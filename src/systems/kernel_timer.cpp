#include "systems/kernel_timer.hpp"

#include <algorithm>
#include <span>

#include "core/error.hpp"
#include "exec/clock_access.hpp"

namespace watersmeet::systems {

namespace {
// A series is this long, so that the resolution of events (half a microsecond) does not matter, but
// has no more launches than a queue takes at once without the host waiting for room.
constexpr double series_seconds = 2e-3;
constexpr double most_launches = 100;
}  // namespace

RunningClock::RunningClock(exec::Clock* clock, const Queue& queue)
    : clock_(clock), queue_(queue), saved_(exec::read_clock(clock, queue)) {
  exec::Clock running = saved_;
  running.active = 1;
  running.pending = 0;
  exec::write_clock(clock, running, queue);
}

RunningClock::~RunningClock() {
  try {
    exec::write_clock(clock_, saved_, queue_);
  } catch (const Error&) {  // a fault of the device, which the caller has reported
  }
}

exec::StepRule RunningClock::fixed(exec::StepRule rule) const {
  rule.fixed = saved_.dt > 0 ? saved_.dt : 1.0;
  return rule;
}

double KernelTimer::median(const std::function<void()>& launch) {
  const auto series = [&](int launches) {
    ranks_.barrier();
    synchronize(queue_);
    return seconds_of(queue_, [&] {
      for (int n = 0; n < launches; ++n) launch();
    });
  };
  series(1);  // what the first launch of a kernel loads does not count
  double one = std::max(series(1), 1e-9);
  ranks_.all_reduce_max(std::span<double>(&one, 1));
  const int launches = static_cast<int>(std::clamp(series_seconds / one, 1.0, most_launches));
  std::vector<double> samples;
  for (int r = 0; r < std::max(1, repeats_); ++r) samples.push_back(series(launches) / launches);
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

void KernelTimer::time(exec::KernelTime kernel, const std::function<void()>& launch) {
  kernel.seconds = median(launch);
  kernels_.push_back(std::move(kernel));
}

void KernelTimer::time_part(exec::KernelTime part, const std::function<void()>& launch,
                            const std::function<void()>& without) {
  const double rest = median(without);
  part.seconds = std::max(1e-9, median(launch) - rest);  // rates divide by it
  kernels_.push_back(std::move(part));
}

}  // namespace watersmeet::systems
