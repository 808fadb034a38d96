// The parts of a stage, each timed by itself, for `bench`.
#include "systems/boussinesq/system.hpp"

namespace watersmeet::boussinesq {

std::vector<exec::KernelTime> BoussinesqSystem::time_kernels(int repeats) {
  const systems::RunningClock running(clock(), queue_);
  systems::KernelTimer timer(queue_, team_->communicator(), repeats);
  const exec::Launch l = launch(0, 1);
  const double word = static_cast<double>(size_of(precision_)) * static_cast<double>(l.box.count());
  const auto time = [&](const char* name, double words, const auto& launch) {
    exec::KernelTime kernel;
    kernel.name = name;
    kernel.bytes = words * word;
    kernel.launches = static_cast<double>(scheme_.stages.size());
    timer.time(kernel, launch);
  };
  time("right-hand side and update", 4.0 * parameters_.variables(), [&] {
    exec::Launch stage = l;
    stage.update = scheme_.stages.back();
    loops_->stage(stage);
  });
  if (sources_.any()) {
    exec::Launch stage = l;
    stage.update = scheme_.stages.back();
    time("sources", sources_.words(stage.update), [&] { add_sources(stage, 0); });
  }
  if (implicit_.any()) {
    time("implicit diffusion", implicit_.words(parameters_.variables()),
         [&] { implicit_.advance(l); });
  }
  // What a CPU does together is timed together.
  const bool together = queue_.backend == Backend::cpu && ghosts_follow_at_once();
  const GhostRules rules_here = rules(1);
  if (iterative() || !together) {
    time("wall faces", 0, [&] { loops_->fill_ghosts(l, rules_here, true); });
  }
  if (iterative()) {
    time("divergence", 4, [&] { loops_->divergence(l, pressure_.start(1)); });
    time("pressure from nothing", 0, [&] {
      fill_bytes(pressure_.start(0), 0, pressure_.register_bytes(), queue_);
      solver_->solve({&pressure_, 0, 1, clock_.as<exec::Clock>(), nullptr}, stop_);
    });
  } else {
    time("pressure", words_of_pressure(),
         [&] { solve_pressure(l, together ? &rules_here : nullptr); });
  }
  if (together) {
    time("projection and ghosts", 7,
         [&] { loops_->project_and_fill(l, true, rules_here, tables_.pressure_rules()); });
    return timer.kernels();
  }
  time("ghosts of the pressure", 0,
       [&] { loops_->fill_pressure_ghosts(l, tables_.pressure_rules()); });
  time("projection", 7, [&] { loops_->project(l, true); });
  time("ghosts", 0, [&] { loops_->fill_ghosts(l, rules_here, false); });
  return timer.kernels();
}

}  // namespace watersmeet::boussinesq
