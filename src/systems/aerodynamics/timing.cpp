// The kernels of a step, each timed by itself, with the bytes that it moves at least: every array
// once. They read the solution and write registers that are dead between two steps.
#include <algorithm>

#include "systems/aerodynamics/flow_solver.hpp"
#include "systems/kernel_timer.hpp"

namespace watersmeet::aerodynamics {

std::vector<exec::KernelTime> FlowSolver::time_kernels(int repeats) {
  synchronize(queue_);
  const systems::RunningClock running(clock(), queue_);
  systems::KernelTimer timer(queue_, team_->communicator(), repeats);
  wanted_order_ = true;
  const double word = static_cast<double>(size_of(method_.precision));
  const double values = static_cast<double>(fine_->nodes()) * word;
  constexpr double state = n_variables;
  const double metrics = mesh_.dimensions() == 2 ? 4 : 9;
  const double stage_count = stages();
  const StageCall first = call(0, 0, 1);

  timer.time({.name = "steps and signal", .bytes = (state + metrics + 2) * values},
             [&] { local_steps(0, 0, false); });
  StageCall c = first;
  c.update.form = method_.steady ? StageForm::local : StageForm::global;
  c.update.blended = method_.blended;
  c.update.a = 1e-30;  // the state stays what it is
  // Reads W, W_0, S and a step, writes W; the register that stages share comes on top.
  const double plain = 3 * state + metrics + 1;
  const auto stage = [&](const char* name, double shared, double launches) {
    timer.time({.name = name, .bytes = (plain + shared * state) * values, .launches = launches},
               [&] { kernels_.stage(c); });
  };
  if (method_.steady && method_.blended) {
    c.update.beta = 1;
    stage("stage 1", 1, 1);
    c.update.first = false;
    c.update.beta = 0;
    stage("stages 2 and 4, dissipation kept", 1, 2);
    c.update.beta = 0.5;
    stage("stage 3", 2, 1);
    c.update.last = true;
    stage("stage 5", 1, 1);
  } else if (method_.steady) {
    stage("stage", 0, stage_count);
  } else {
    c.update.first = false;
    c.update.c = 0;
    stage("stage", 2, stage_count);
  }
  c.update = {};
  c.update.form = method_.steady ? StageForm::local : StageForm::global;
  c.update.a = c.update.c = 0;
  const double nodes_on_faces = static_cast<double>(fine_->arrays().surface_nodes);
  timer.time({.name = "penalties",
              .bytes = (4 * state + 3) * word * nodes_on_faces,
              .launches = stage_count},
             [&] { kernels_.surfaces(c); });
  if (team_->size() > 1) {
    timer.time({.name = "interface states of other ranks",
                .bytes = static_cast<double>(fine_->messages().bytes_sent()),
                .launches = stage_count},
               [&] {
                 fine_->messages().start(kernels_, first);
                 fine_->messages().finish(queue_);
               });
  }
  wanted_order_ = false;
  if (!coarse_.empty()) {
    const std::int64_t before = cycle_;
    cycle_ = std::max<std::int64_t>({cycle_, first_wanted_cycle(), method_.ramp});
    timer.time({.name = "whole multigrid cycle"}, [&] {
      swapped_ = 0;
      repeated_cycle();
      // The solution goes back to where the run looks for it; it has moved on by a cycle.
      if (swapped_ % 2 != 0) state_.swap(0, 1);
    });
    cycle_ = before;
  }
  synchronize(queue_);
  return timer.kernels();
}

}  // namespace watersmeet::aerodynamics
