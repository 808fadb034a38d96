#include "systems/stage_times.hpp"

#include "exec/clock_access.hpp"

namespace watersmeet::systems {

void StageTimes::begin_step(const exec::Clock* clock, const Queue& queue) {
  const exec::Clock now = exec::read_clock(clock, queue);
  t_ = now.t;
  // A step that is not carried out must not ask beyond the end.
  dt_ = now.active ? now.dt : 0;
  t_end_ = now.active ? now.t_end : now.t;
}

double solution_time(const exec::Clock* clock, const Queue& queue) {
  const exec::Clock now = exec::read_clock(clock, queue);
  return now.pending ? now.t_end : now.t;
}

}  // namespace watersmeet::systems
