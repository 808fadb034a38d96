// The kernels of a step of the isothermal system, each timed by itself. What a stage writes is of
// no use afterwards: repeated, it is no step of anything.
#include "systems/isothermal/system.hpp"
#include "systems/kernel_timer.hpp"

namespace watersmeet::isothermal {

std::vector<exec::KernelTime> IsothermalSystem::time_kernels(int repeats) {
  fill_ghosts(0);
  synchronize(queue_);
  const systems::RunningClock running(clock(), queue_);
  systems::KernelTimer timer(queue_, team_->communicator(), repeats);
  const double word = static_cast<double>(size_of(precision_));
  const double cells = static_cast<double>(domain_->block(0).interior().count());
  const std::string ghosts = team_->size() > 1 ? "ghost exchange" : "ghost copies";
  const auto filled = [&](const comm::Exchange& exchange, int variables) {
    return 2 * variables * word * static_cast<double>(exchange.cells_filled());
  };
  const double stages = scheme_.stages();

  timer.time({.name = ghosts, .bytes = filled(exchange_, n_variables), .launches = stages},
             [&] { exchange_.fill(state_, 0, queue_); });
  if (method_ == Method::points19) {
    StageCall d = call(0, 1);
    d.out = divergence_.start(0);
    timer.time({.name = "div u", .bytes = 4 * cells * word, .launches = stages},
               [&] { kernels_.divergence(d); });
    timer.time({.name = ghosts + " of div u",
                .bytes = filled(divergence_exchange_, 1),
                .launches = stages},
               [&] { divergence_exchange_.fill(divergence_, 0, queue_); });
  }
  for (int s = 0; s < scheme_.stages(); ++s) {
    StageCall c = call(0, 1);
    c.update = update_of_stage(s);
    timer.time(
        {.name = "stage " + std::to_string(s + 1), .bytes = words_of_stage(s) * cells * word},
        [&] { kernels_.stage(c); });
  }
  const exec::StepRule rule = running.fixed(rule_);
  timer.time({.name = "begin step"},
             [&] { kernels_.begin_step(rule, 1e300, true, &forcing_, clock(), queue_); });
  if (team_->size() > 1) {
    timer.time({.name = "signal of all ranks"}, [&] { team_->combine(clock(), queue_); });
  }
  synchronize(queue_);
  return timer.kernels();
}

}  // namespace watersmeet::isothermal
