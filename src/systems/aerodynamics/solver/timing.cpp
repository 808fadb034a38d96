// The kernels of a step, each timed by itself, with the bytes that it moves at least: every array
// once. They read the solution and write registers that are dead between two steps. Penalties that
// belong to a stage, as sums before or in the same launch, are what this takes longer with them.

#include "systems/aerodynamics/solver/flow_solver.hpp"
#include "systems/kernel_timer.hpp"

namespace watersmeet::aerodynamics {

// The work of a cycle besides the steps on the finest grid. The solution does not change: what is
// added to it is the difference of a state to itself.
void FlowSolver::time_coarser_grids(systems::KernelTimer& timer, double visits) {
  const double value =
      static_cast<double>(fine_->nodes()) * static_cast<double>(size_of(method_.precision));
  constexpr double state_size = n_variables;
  const double metrics = mesh_.dimensions() == 2 ? 4 : 9;
  const double coarse_value =
      value * static_cast<double>(coarse_[0]->level->nodes()) / static_cast<double>(fine_->nodes());
  // The sensor reads pressures or states, and the troubled nodes.
  const bool pressures = stages_make_pressures(0) && method_.pre > 0;
  const double shares = transfers_read_sensor(0) ? 1 : 0;
  if (needs_sensor(0)) {
    make_sensor(0);
    const double sensors = stages_read_sensor(0) ? static_cast<double>(mesh_.dimensions()) : 0;
    timer.time({.name = "sensor",
                .bytes = ((pressures ? 1 : state_size) + 1 + sensors + shares) * value,
                .launches = visits},
               [&] { make_sensor(0, pressures); });
  }
  StageCall fine = call(0, 0, 2);
  fine.update.form = StageForm::residual;
  fine.damped = transfers_read_sensor(0);
  timer.time({.name = "residual",
              .bytes = (2 * state_size + metrics + shares) * value,
              .launches = visits},
             [&] { level(0).loops().stage(fine); });
  const Descend<double> down = descent(1);
  timer.time({.name = "states and residuals down",
              .bytes = state_size * (value + 4 * coarse_value),
              .launches = visits},
             [&] { level(1).loops().descend(down, clock(), queue_); });
  timer.time({.name = "coarser grids", .launches = visits}, [&] { visit(1); });
  inject(1);
  const Correct<double> up = correction(1);
  timer.time({.name = "corrections up",
              .bytes = state_size * (2 * value + 2 * coarse_value) + shares * value,
              .launches = visits},
             [&] { level(0).loops().correct(up, clock(), queue_); });
}

std::vector<exec::KernelTime> FlowSolver::time_kernels(int repeats) {
  synchronize(queue_);
  const systems::RunningClock running(clock(), queue_);
  systems::KernelTimer timer(queue_, team_->communicator(), repeats);
  full_order_ = true;
  FlowLoops& loops = fine_->loops();
  const double word = static_cast<double>(size_of(method_.precision));
  const double values = static_cast<double>(fine_->nodes()) * word;
  constexpr double state = n_variables;
  const double metrics = mesh_.dimensions() == 2 ? 4 : 9;
  const double stage_count = stages();
  const StageCall first = call(0, 0, 1);
  // Steps of the finest grid in a cycle, and visits of the next coarser one.
  const bool cycles = !coarse_.empty();
  const double steps = cycles ? method_.pre + method_.post : 1;
  const double visits = !cycles ? 0 : coarse_.size() > 1 ? static_cast<double>(method_.cycle) : 1;

  const bool with_stage = method_.steady && steps_with_stage(0);
  if (!with_stage) {
    timer.time({.name = "steps and signal",
                .bytes = (state + metrics + 2) * values,
                .launches = method_.steady ? steps : 1},
               [&] { local_steps(0, 0, false); });
  }
  StageCall c = first;
  c.update.form = method_.steady ? StageForm::local : StageForm::global;
  c.update.blended = method_.blended;
  c.update.a = 1e-30;  // the state stays what it is
  // Reads W, W_0, S and a step, writes W; the register that stages share comes on top.
  const double plain = 3 * state + metrics + 1;
  const auto stage = [&](const char* name, double shared, double launches) {
    timer.time(
        {.name = name, .bytes = (plain + shared * state) * values, .launches = launches * steps},
        [&] { loops.stage(c); });
  };
  if (method_.steady && method_.blended) {
    c.update.beta = 1;
    c.cfl = cfl_now();
    c.steps = c.signal = with_stage;
    stage(with_stage ? "stage 1 with steps and signal" : "stage 1", 1, 1);
    c.steps = c.signal = false;
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
  if (sources_) {
    timer.time({.name = "sources",
                .bytes = sources_->words({}) * values,
                .launches = stage_count * steps + visits},
               [&] { write_source_rates(first.in, {source_rates_.start(0)}, 0); });
  }
  const double nodes_on_faces = static_cast<double>(fine_->parameters().surface_nodes);
  // The bytes of penalties that are summed before a stage: W and areas, the sums written and read, an entry.
  exec::KernelTime penalties{
      .name = "penalties",
      .bytes = ((3 * state + 3) * word + double{sizeof(SumEntry)}) * nodes_on_faces,
      .launches = stage_count * steps + visits};
  StageCall all = c;
  all.whole = queue_.backend == Backend::cuda || team_->size() == 1;
  if (loops.stage(all)) {
    timer.time_part(
        penalties, [&] { loops.stage(all); }, [&] { loops.stage(c); });
  } else {
    c.update = {};
    c.update.form = method_.steady ? StageForm::local : StageForm::global;
    c.update.a = c.update.c = 0;
    // W, W_0, areas, a step, and what the stage wrote, read and written.
    penalties.bytes = (4 * state + 4) * word * nodes_on_faces;
    timer.time(penalties, [&] { loops.surfaces(c); });
  }
  if (team_->size() > 1) {
    timer.time({.name = "interface states of other ranks",
                .bytes = static_cast<double>(fine_->messages().bytes_sent()),
                .launches = stage_count * steps + visits},
               [&] {
                 fine_->messages().start(loops, first.in, fine_->parameters().pitch, queue_);
                 fine_->messages().finish(queue_);
               });
  }
  if (cycles) time_coarser_grids(timer, visits);
  full_order_ = false;
  synchronize(queue_);
  return timer.kernels();
}

}  // namespace watersmeet::aerodynamics
