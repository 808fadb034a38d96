#pragma once
// The beginning of a step (exec/begin_step.hpp) on the CPU.

#include "core/device.hpp"
#include "exec/begin_step.hpp"

namespace watersmeet::exec {

inline void begin_step(OnCpu, const StepRule& rule, double t_limit, bool allowed, NothingMore,
                       Clock* clock, const Queue&) {
  begin_step(*clock, rule, t_limit, allowed);
}
template <class Preparation>
void begin_step(OnCpu, const StepRule& rule, double t_limit, bool allowed,
                const Preparation& preparation, Clock* clock, const Queue&) {
  begin_step(*clock, rule, t_limit, allowed);
  if (!clock->active || !preparation.wanted()) return;
  const auto drawn = preparation.draw(*clock);
  for (std::int64_t e = 0; e < preparation.entries(); ++e) preparation.write(drawn, e);
}

}  // namespace watersmeet::exec
