// The steps of the solver.
#include <algorithm>

#include "core/error.hpp"
#include "exec/clock_access.hpp"
#include "systems/aerodynamics/solver/flow_solver.hpp"

namespace watersmeet::aerodynamics {

namespace {

// Five stages of Jameson (1991) with the dissipation of stages 2 and 4 kept from before.
constexpr double five_a[] = {0.25, 1.0 / 6.0, 0.375, 0.5, 1.0};
constexpr double five_beta[] = {1.0, 0.0, 0.56, 0.0, 0.44};
// The classical scheme: b of the next state, c in the sum.
constexpr double four_b[] = {0.5, 0.5, 1.0, 0.0};
constexpr double four_c[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
// Which of the tabulated times 0, dt/2, dt a stage is at.
constexpr int four_time[] = {0, 1, 1, 2};

}  // namespace

StageCall FlowSolver::call(std::size_t l, int in, int out) {
  const memory::State& state = registers_of(l);
  StageCall c;
  c.in = {state.start(in)};
  c.out = {state.start(out)};
  c.base = {state.start(0)};
  c.kept = {state.start(3)};
  c.clock = clock();
  c.queue = queue_;
  return c;
}

void FlowSolver::write_source_rates(TableAddress<double> in, ArrayAddress<double> out,
                                    double fraction) const {
  exec::Launch launch;
  launch.registers.layout = &state_.layout(0);
  launch.registers.in = in.start;
  launch.registers.out = out.start;
  launch.box = {{0, 0, 0}, {fine_->nodes(), 1, 1}};
  launch.clock = clock_.as<exec::Clock>();
  launch.queue = queue_;
  sources_->write_rates(launch, fraction);
}

void FlowSolver::evaluate(std::size_t l, const StageCall& asked, double fraction) {
  StageCall stage = asked;
  if (l == 0 && sources_) {
    stage.forcing = {source_rates_.start(0)};
    stage.forced = 0;
    for (int v = 0; v < n_variables; ++v) stage.forced |= int{sources_->changes(v)} << v;
    write_source_rates(stage.in, stage.forcing, fraction);
  }
  // Between two steps the solution is that of the end of the one before.
  write_side_values(l, stage.in, full_order_ ? 1 : fraction);
  StateMessages& messages = level(l).messages();
  FlowLoops& loops = level(l).loops();
  // On a GPU penalties are summed with the stage, and the states of other ranks come before it; on
  // the CPU they follow the stage, and those states come meanwhile.
  const bool together = queue_.backend == Backend::cuda;
  if (together && !messages.empty()) {
    messages.start(loops, stage.in, level(l).parameters().pitch, queue_);
    messages.finish(queue_);
  }
  if (together || messages.empty()) {
    StageCall all = stage;
    all.whole = true;
    if (!loops.stage(all)) loops.surfaces(all);
    return;
  }
  messages.start(loops, stage.in, level(l).parameters().pitch, queue_);
  loops.stage(stage);
  messages.finish(queue_);
  loops.surfaces(stage);
}

double FlowSolver::cfl_now() const {
  if (method_.ramp <= 0) return method_.cfl;
  const double done = static_cast<double>(cycle_) / method_.ramp;
  return method_.cfl * std::min(1.0, 0.25 + 0.75 * done);
}

// Steps, sensor where stages read it, and, of the finest grid, the signal.
void FlowSolver::local_steps(std::size_t l, int reg, bool always) {
  StageCall c = call(l, reg, reg);
  c.cfl = cfl_now();
  c.steps = true;
  c.sensor = stages_read_sensor(l);
  c.signal = l == 0;
  c.always = always;
  level(l).loops().local_step(c);
}

void FlowSolver::state_changed() {
  state_.set_valid_ghosts(0, 0);
  exec::Clock now = exec::read_clock(clock(), queue_);
  now.signal_bits = 0;
  exec::write_clock(clock(), now, queue_);
  cycle_ = now.step;
  watched_ = -1;  // also where this cycle was begun before, from another state
  converged_ = false;
  local_steps(0, 0, true);
  double signal = exec::bits_to_double(exec::read_clock(clock(), queue_).signal_bits);
  team_->communicator().all_reduce_max(std::span<double>(&signal, 1));
  exec::write_signal(clock(), signal, queue_);
}

void FlowSolver::begin_step(double t_limit, bool allowed) {
  team_->combine(clock(), queue_);
  if (!method_.steady) {
    fine_->loops().begin_step(method_.rule, t_limit, allowed, clock(), queue_);
    if (allowed && time_varying_) tabulate_stages();
    return;
  }
  if (allowed) watch();
  exec::StepRule cycles;
  cycles.fixed = 1;
  fine_->loops().begin_step(cycles, t_limit, allowed && !converged_, clock(), queue_);
  if (converged_) {
    exec::Clock now = exec::read_clock(clock(), queue_);
    if (now.status == exec::ClockStatus::running) now.status = exec::ClockStatus::converged;
    exec::write_clock(clock(), now, queue_);
  }
}

void FlowSolver::tabulate_stages() {
  const exec::Clock now = exec::read_clock(clock(), queue_);
  const double times[] = {now.t, now.t + 0.5 * now.dt, now.t + now.dt};
  fine_->tabulate(conditions_, times, queue_);
}

// Tabulates the conditions of all grids.
void FlowSolver::tabulate_now(double t) {
  fine_->tabulate(conditions_, {&t, 1}, queue_);
  if (start_) start_->tabulate(conditions_, {&t, 1}, queue_);
  for (const auto& grid : coarse_) grid->level->tabulate(conditions_, {&t, 1}, queue_);
}

void FlowSolver::run_stages() {
  if (!method_.steady) {
    run_global_step();
    return;
  }
  swapped_ = 0;
  const std::size_t first = first_grid();
  if (first > 0) {
    sequenced_cycle(first);
  } else {
    repeated_cycle();
  }
  ++cycle_;
  swaps_.push_back(swapped_);
  if (swaps_.size() > 4) swaps_.pop_front();
}

void FlowSolver::run_global_step() {
  constexpr int from[] = {0, 1, 2, 1}, to[] = {1, 2, 1, 2};
  for (int s = 0; s < 4; ++s) {
    if (time_varying_) fine_->use_outside(four_time[s]);
    StageCall c = call(0, from[s], to[s]);
    c.update.form = StageForm::global;
    c.update.a = four_b[s];
    c.update.c = four_c[s];
    c.update.first = s == 0;
    c.update.last = s == 3;
    evaluate(0, c, 0.5 * four_time[s]);
  }
  local_steps(0, 2, false);
  state_.swap(0, 2);
}

std::vector<StageUpdate<double>> FlowSolver::five_stages() const {
  std::vector<StageUpdate<double>> stages;
  for (int s = 0; s < 5; ++s) {
    StageUpdate<double>& u = stages.emplace_back();
    u.form = StageForm::local;
    u.a = five_a[s];
    u.blended = method_.blended;
    u.beta = method_.blended ? five_beta[s] : 1.0;
    u.first = s == 0;
    u.last = s == 4;
  }
  return stages;
}

// With order 1 all differences are first ones already: where these have their full strength a sensor
// changes none of them, and only transfers between grids look at it.
bool FlowSolver::stages_read_sensor(std::size_t l) {
  const LevelParameters& p = level(l).parameters();
  return p.sensor && (p.uniform_order != 1 || p.model.dissipation_scale < 1);
}

// Whether the first stage makes the steps of the nodes: where it has the radii, and where a
// launch does everything for a node. Not where a sensor of neighbours is read.
bool FlowSolver::steps_with_stage(std::size_t l) {
  const LevelParameters& p = level(l).parameters();
  if (queue_.backend != Backend::cuda || stages_read_sensor(l)) return false;
  const bool general = features_of(p.model) == Features::general;
  if (!general && p.gathered_order > 0) return true;
  return (general || p.pool.cubes.empty()) && p.surface_of && level(l).messages().empty();
}

// Whether the last stage makes the pressures that the sensor of its state needs: where it does the
// penalties as well.
bool FlowSolver::stages_make_pressures(std::size_t l) {
  return needs_sensor(l) && level(l).parameters().pressure && level(l).messages().empty();
}

// One step of the five stages with local time steps, from register 0 to register 0. `forced`: with
// the forcing of a coarse grid.
void FlowSolver::smooth(std::size_t l, bool forced, OnTheWay makes) {
  const bool together = steps_with_stage(l);
  if (!together) local_steps(l, 0, false);
  constexpr int from[] = {0, 1, 2, 1, 2}, to[] = {1, 2, 1, 2, 1};
  const std::vector<StageUpdate<double>> stages = five_stages();
  for (int s = 0; s < 5; ++s) {
    StageCall c = call(l, from[s], to[s]);
    if (forced) c.forcing = {registers_of(l).start(Grid::forcing)};
    c.update = stages[static_cast<std::size_t>(s)];
    c.cfl = cfl_now();
    c.steps = together && s == 0;
    c.signal = c.steps && l == 0;
    c.update.makes_forcing = makes.forcing && s == 0;
    c.pressures = makes.pressures && s == 4;
    evaluate(l, c);
  }
  registers_of(l).swap(0, 1);
  if (l == 0) ++swapped_;
}

void FlowSolver::undo_stages() {
  if (!method_.steady) {
    state_.swap(0, 2);
    return;
  }
  require(!swaps_.empty(), "a step to take back");
  for (int s = 0; s < swaps_.back(); ++s) state_.swap(0, 1);
  swaps_.pop_back();
  --cycle_;
}

void FlowSolver::evaluate_residual() {
  if (time_varying_) tabulate_now(exec::read_clock(clock(), queue_).t);
  full_order_ = true;
  // Steps and sensor of this state; the signal is that of the last step and stays.
  StageCall before = call(0, 0, 0);
  before.cfl = cfl_now();
  before.steps = before.sensor = true;
  before.always = true;
  level(0).loops().local_step(before);
  StageCall c = call(0, 0, 2);
  c.update.form = StageForm::residual;
  c.always = true;
  evaluate(0, c);
  full_order_ = false;
}

}  // namespace watersmeet::aerodynamics
