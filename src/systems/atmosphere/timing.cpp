// The kernels of a step of the atmosphere, each timed by itself. Only the clock is changed
// meanwhile, and put back: the stages read the solution and write a register that is dead between
// two steps.
#include "systems/atmosphere/system.hpp"

namespace watersmeet::atmosphere {

std::vector<exec::KernelTime> AtmosphereSystem::time_kernels(int repeats) {
  if (!globe_) fill_ghosts();
  synchronize(queue_);
  const systems::RunningClock running(clock(), queue_);
  systems::KernelTimer timer(queue_, team_->communicator(), repeats);
  const double word = static_cast<double>(size_of(precision_));
  const double cells = static_cast<double>(domain_->block(0).interior().count());
  const double stages = static_cast<double>(scheme_.stages.size());
  if (globe_) {
    timer.time({.name = "edges of panels", .launches = stages},
               [&] { couple_panels(launch(0, 1), 0); });
  } else {
    time_exchange(timer, exchange_, state_);
    timer.time({.name = "boundary conditions", .launches = stages},
               [&] { loops_->fill_boundaries(launch(0, 0), sides_); });
  }
  for (std::size_t s = 0; s < scheme_.stages.size(); ++s) {
    const double words = scheme_.words_of_stage(s) * n_variables;
    const exec::KernelTime work{.name = "stage " + std::to_string(s + 1),
                                .bytes = words * cells * word};
    exec::Launch l = launch(0, 1);
    l.update = scheme_.stages[s];
    timer.time(work, [&] { loops().stage(l); });
  }
  if (globe_ && globe_->has_sponge()) {
    timer.time({.name = "sponge"}, [&] { globe_->loops().damp(launch(1, 1)); });
  }
  for (const bool second : {false, true}) {
    if (!split()) break;
    timer.time({.name = second ? "columns 2" : "columns 1"},
               [&] { loops().solve_columns(launch(0, 1), split_call(second)); });
  }
  time_begin_step(timer, running, [&](const exec::StepRule& rule) {
    loops().begin_step(rule, 1e300, true, clock(), queue_);
  });
  return timer.kernels();
}

}  // namespace watersmeet::atmosphere
