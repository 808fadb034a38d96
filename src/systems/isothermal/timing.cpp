// The kernels of a step of the isothermal system, each timed by itself. What a stage writes is of
// no use afterwards: repeated, it is no step of anything.
#include "systems/isothermal/system.hpp"

namespace watersmeet::isothermal {

std::vector<exec::KernelTime> IsothermalSystem::time_kernels(int repeats) {
  fill_ghosts(0);
  synchronize(queue_);
  const systems::RunningClock running(clock(), queue_);
  systems::KernelTimer timer(queue_, team_->communicator(), repeats);
  const double word = static_cast<double>(size_of(precision_));
  const double cells = static_cast<double>(domain_->block(0).interior().count());

  time_exchange(timer, exchange_, state_);
  if (method_ == Method::points19) {
    exec::Launch d = launch(0, 1);
    d.registers.out = divergence_.start(0);
    timer.time({.name = "div u",
                .bytes = 4 * cells * word,
                .launches = static_cast<double>(scheme_.stages())},
               [&] { loops_->divergence(d); });
    time_exchange(timer, divergence_exchange_, divergence_, " of div u");
  }
  for (int s = 0; s < scheme_.stages(); ++s) {
    exec::Launch l = launch(0, 1);
    l.update = update_of_stage(s);
    timer.time(
        {.name = "stage " + std::to_string(s + 1), .bytes = words_of_stage(s) * cells * word},
        [&] { loops_->stage(l); });
  }
  time_begin_step(timer, running, [&](const exec::StepRule& rule) {
    loops_->begin_step(rule, 1e300, true, clock(), queue_);
  });
  return timer.kernels();
}

}  // namespace watersmeet::isothermal
