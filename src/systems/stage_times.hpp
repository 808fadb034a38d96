#pragma once
// Times on the host for what is tabulated anew for every stage, as conditions at sides.

#include "core/device.hpp"
#include "exec/clock.hpp"

namespace watersmeet::systems {

class StageTimes {
 public:
  // After a step has begun; waits for the clock, which is on the device.
  void begin_step(const exec::Clock* clock, const Queue& queue);
  // `fraction` of the step after its beginning; its end is what the next step begins at, to the last bit.
  double at(double fraction) const { return fraction == 1 ? t_end_ : t_ + fraction * dt_; }

 private:
  double t_ = 0, dt_ = 0, t_end_ = 0;
};

// The time of the solution between two steps; waits for the clock.
double solution_time(const exec::Clock* clock, const Queue& queue);

}  // namespace watersmeet::systems
