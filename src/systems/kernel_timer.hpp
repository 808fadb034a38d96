#pragma once
// Times the kernels of a step one by one, for System::time_kernels(). Each is put into the empty
// queue several times in a row, so that what is measured is the kernel and not its launch, and the
// time of one is the median of several such series. All ranks time the same kernels the
// same number of times, so that messages between them may be among these.

#include <functional>
#include <vector>

#include "comm/communicator.hpp"
#include "core/device.hpp"
#include "exec/clock.hpp"
#include "exec/kernel_report.hpp"

namespace watersmeet::systems {

// During its lifetime the clock has the values of a step like the last one, so that kernels do
// their work; what they do to it is put back.
class RunningClock {
 public:
  RunningClock(exec::Clock* clock, const Queue& queue);
  ~RunningClock();
  RunningClock(const RunningClock&) = delete;
  RunningClock& operator=(const RunningClock&) = delete;
  // `rule` with the step fixed to the last one: without stages there is no signal to make one from.
  exec::StepRule fixed(exec::StepRule rule) const;

 private:
  exec::Clock* clock_;
  Queue queue_;
  exec::Clock saved_;
};

class KernelTimer {
 public:
  KernelTimer(const Queue& queue, comm::Communicator& ranks, int repeats)
      : queue_(queue), ranks_(ranks), repeats_(repeats) {}

  // Adds `kernel`, whose `seconds` become those of one call of `launch`. Collective.
  void time(exec::KernelTime kernel, const std::function<void()>& launch);
  // Adds a part of a kernel: what `launch` takes longer than `without`, the kernel without it.
  void time_part(exec::KernelTime part, const std::function<void()>& launch,
                 const std::function<void()>& without);

  const std::vector<exec::KernelTime>& kernels() const { return kernels_; }

 private:
  double median(const std::function<void()>& launch);  // seconds of one launch

  Queue queue_;
  comm::Communicator& ranks_;
  int repeats_;
  std::vector<exec::KernelTime> kernels_;
};

}  // namespace watersmeet::systems
