// The kernels of a step of shallow water, each timed by itself. Only the clock is changed
// meanwhile, and put back: the stages read the solution and write a register that is dead between
// two steps.
#include "systems/shallow_water/system.hpp"

namespace watersmeet::shallow_water {

std::vector<exec::KernelTime> ShallowWaterSystem::time_kernels(int repeats) {
  fill_ghosts();
  synchronize(queue_);
  const systems::RunningClock running(clock(), queue_);
  systems::KernelTimer timer(queue_, team_->communicator(), repeats);
  const double word = static_cast<double>(size_of(precision_));
  const double cells = static_cast<double>(domain_->block(0).interior().count());
  const double stages = static_cast<double>(scheme_.stages.size());
  if (sphere_) {
    const double cells_of_edges = 2.0 * static_cast<double>(case_.links.faces());
    // Both lines of cells on both sides are read, ghosts and records are written.
    const double words = 2 * strip_values + n_variables + n_rim_values;
    timer.time({.name = "panel edges",
                .bytes = cells_of_edges * words * word + double(sphere_->bytes_sent()),
                .launches = stages},
               [&] { couple_panels(); });
  } else {
    time_exchange(timer, exchange_, state_);
  }
  if (tables_.sides().any) {
    timer.time({.name = "boundary conditions", .launches = stages},
               [&] { loops_->fill_boundaries(launch(0, 0), tables_.sides()); });
  }
  for (std::size_t s = 0; s < scheme_.stages.size(); ++s) {
    exec::Launch l = launch(0, 1);
    l.update = scheme_.stages[s];
    const double words = scheme_.words_of_stage(s) * n_variables + (flat() ? 0 : 1);
    timer.time({.name = "stage " + std::to_string(s + 1), .bytes = words * cells * word},
               [&] { loops_->stage(l); });
  }
  time_begin_step(timer, running, [&](const exec::StepRule& rule) {
    loops_->begin_step(rule, 1e300, true, clock(), queue_);
  });
  return timer.kernels();
}

}  // namespace watersmeet::shallow_water
