// Full approximation storage on the grids of the solver, and the sequence of grids on which a
// steady run starts.
//
//   cycle(l)   smooth; unless l is the coarsest, once (V) or twice (W):
//                r = R_l(W) + F_l,  W_c0 = W_c = inject W,  F_c = restrict r - R_c(W_c0),
//                cycle(l + 1),  W += P (W_c - W_c0);
//              smooth again
//
// R_c(W_c0) is also what the first stage of the coarse grid begins with, where it has a launch: it
// continues with R_c + F_c = restrict r, and leaves F_c to the stages after it.
//
// Sources of the case, -V S, are a part of R on the finest grid alone, at every stage. r brings them down as it does all of R: where the
// finest residual is zero a cycle changes nothing, so that a run converges to the state with its sources. On the coarse grids that a run
// starts on, they are the forcing F = restrict (-V S).
//
// Whether once or twice: a visit of the coarsest grid is never doubled. Smoothing is a step of the
// five stages.
#include <algorithm>

#include "core/error.hpp"
#include "systems/aerodynamics/solver/flow_solver.hpp"

namespace watersmeet::aerodynamics {

namespace {
// Counts the stages of `times` visits of grid l, as cycle() makes them.
void count_cycle(const Method& method, std::size_t l, double times, std::vector<double>& counts) {
  const std::size_t coarsest = counts.size() - 1;
  const int steps = l == coarsest ? 1 : method.pre + method.post;
  counts[l] += times * 5 * steps;
  if (l == coarsest) return;
  const double visits = times * (l + 1 < coarsest ? static_cast<int>(method.cycle) : 1);
  counts[l] += visits;
  if (l + 1 < coarsest && method.pre == 0) counts[l + 1] += visits;  // the forcing by itself
  count_cycle(method, l + 1, visits, counts);
}

// The coarsest grid on which a sequence starts.
constexpr std::size_t sequence_depth = 2;
}  // namespace

std::vector<double> evaluations(const Method& method, std::size_t coarse) {
  std::vector<double> counts(coarse + 1, 0.0);
  if (method.steady) {
    count_cycle(method, 0, 1, counts);
  } else {
    counts[0] = 4;
  }
  return counts;
}

const TransferTables& FlowSolver::tables_of(std::size_t coarse) {
  const bool starting = coarse == 1 && &level(0) == start_.get();
  return starting ? start_transfer_.tables() : coarse_[coarse - 1]->transfer.tables();
}

Inject<double> FlowSolver::injection(std::size_t coarse) {
  const memory::State& state = registers_of(coarse);
  return {tables_of(coarse),
          {registers_of(coarse - 1).start(0)},
          {state.start(0)},
          {state.start(Grid::injected)},
          level(coarse - 1).parameters().pitch,
          level(coarse).parameters().pitch};
}

// The residual of the finer grid is in register 2.
Descend<double> FlowSolver::descent(std::size_t coarse) {
  const Inject<double> states = injection(coarse);
  return {{states.tables,
           {registers_of(coarse - 1).start(2)},
           {registers_of(coarse).start(Grid::forcing)},
           states.fine_pitch,
           states.coarse_pitch},
          states};
}

Correct<double> FlowSolver::correction(std::size_t coarse) {
  const memory::State& state = registers_of(coarse);
  const LevelParameters& fine = level(coarse - 1).parameters();
  return {tables_of(coarse),
          fine.model,
          {registers_of(coarse - 1).start(0)},
          {state.start(0)},
          {state.start(Grid::injected)},
          fine.pitch,
          level(coarse).parameters().pitch,
          fine.share};
}

void FlowSolver::inject(std::size_t coarse) {
  level(coarse).loops().inject(injection(coarse), clock(), queue_);
}
void FlowSolver::correct_from(std::size_t coarse) {
  level(coarse - 1).loops().correct(correction(coarse), clock(), queue_);
}

bool FlowSolver::transfers_read_sensor(std::size_t l) {
  return level(l).parameters().share.start != nullptr;
}

void FlowSolver::make_sensor(std::size_t l, bool pressures) {
  StageCall sensor = call(l, 0, 0);
  sensor.sensor = stages_read_sensor(l);
  sensor.shares = transfers_read_sensor(l);
  sensor.pressures = pressures;
  level(l).loops().local_step(sensor);
}

void FlowSolver::descend(std::size_t l, bool forced, bool pressures) {
  const std::size_t coarse = l + 1;
  // r, with the sensor of this state, which is also that of the transfers.
  if (needs_sensor(l)) make_sensor(l, pressures);
  StageCall fine = call(l, 0, 2);
  fine.update.form = StageForm::residual;
  fine.damped = transfers_read_sensor(l);
  if (forced) fine.forcing = {registers_of(l).start(Grid::forcing)};
  evaluate(l, fine);
  level(coarse).loops().descend(descent(coarse), clock(), queue_);
  visit(coarse);
  correct_from(coarse);
}

void FlowSolver::visit(std::size_t coarse) {
  const bool steps_first = coarse == coarse_.size() || method_.pre > 0;
  const bool with_step = steps_first && coarse < program_first_;
  if (!with_step) {
    StageCall here = call(coarse, 0, Grid::forcing);
    here.update.form = StageForm::forcing;
    evaluate(coarse, here);
  }
  cycle(coarse, true, with_step);
}

void FlowSolver::run_program(std::size_t l, bool forced) {
  const auto program = std::find_if(programs_.begin(), programs_.end(), [&](const Program& p) {
    return p.first == l && p.forced == forced;
  });
  require(program != programs_.end(), "a program for every coarse grid that has one");
  const LevelParameters& first = level(l).parameters();
  CoarseProgram<double> body;
  for (std::size_t g = l; g <= coarse_.size(); ++g) {
    Grid& grid = *coarse_[g - 1];
    const LevelParameters& p = grid.level->parameters();
    ProgramGrid<double>& to = body.grids[body.count];
    to.blocks = p.pool.blocks.data();
    to.places = grid.level->places(queue_);
    to.nodes = static_cast<std::int32_t>(p.nodes);
    to.pitch = p.pitch;
    for (int r = 0; r < program_registers; ++r) to.registers[r] = {grid.state.start(r)};
    to.area = p.area;
    to.inverse_volume = p.inverse_volume;
    to.local_step = p.local_step;
    to.surfaces = p.surfaces;
    to.surface_of = p.surface_of;
    to.transfer = grid.transfer.tables();
    if (!program->plan.shares.empty()) to.share = program->plan.shares[g - l];
    ++body.count;
  }
  body.operators = first.operators;
  body.model = first.model;
  body.cfl = cfl_now();
  for (int s = 0; const StageUpdate<double>& stage : five_stages()) body.stages[s++] = stage;
  body.clock = clock();
  body.solution = program->solution;
  body.blocks = program->plan.blocks;
  body.directions = program->plan.directions;
  const std::span ops(program->ops.as<const ProgramOp>(), program->count);
  level(l).loops().program(body, ops, program->plan.bytes, clock(), queue_);
  if (program->solution == 1) registers_of(l).swap(0, 1);
}

void FlowSolver::cycle(std::size_t l, bool forced, bool makes_forcing) {
  if (l >= program_first_ && l > 0) {
    run_program(l, forced);
    return;
  }
  const std::size_t coarsest = coarse_.size();
  if (l == coarsest) {
    smooth(l, forced, {.forcing = makes_forcing});
    return;
  }
  bool pressures = stages_make_pressures(l) && method_.pre > 0;
  for (int s = 1; s <= method_.pre; ++s) {
    smooth(l, forced,
           {.forcing = makes_forcing && s == 1, .pressures = pressures && s == method_.pre});
  }
  if (l == 0 && taken(Measure::one_grid)) {
    for (int s = 0; s < method_.post; ++s) smooth(l, forced, {});
    return;
  }
  const int visits = l + 1 < coarsest ? static_cast<int>(method_.cycle) : 1;
  for (int v = 0; v < visits; ++v) {
    descend(l, forced, pressures);
    pressures = false;
  }
  for (int s = 0; s < method_.post; ++s) smooth(l, forced, {});
}

void FlowSolver::repeated_cycle() {
  // While the CFL number grows no two cycles are the same. One grid alone has too few launches to
  // pay for it.
  const comm::Transport* const transport = team_->transport();
  const bool same = queue_.backend == Backend::cuda && !coarse_.empty() && cycle_ >= method_.ramp &&
                    (transport == nullptr || transport->recordable());
  if (!same) {
    cycle(0, false);
    return;
  }
  const Level* const finest = &level(0);
  const void* const solution = state_.start(0);
  for (const RecordedCycle& r : recorded_) {
    if (r.level != finest || r.solution != solution || r.stalls != stalls_.size()) continue;
    r.work.replay(queue_);
    for (int s = 0; s < r.swaps; ++s) state_.swap(0, 1);
    swapped_ = r.swaps;
    return;
  }
  RecordedCycle made;
  made.level = finest;
  made.solution = solution;
  made.stalls = stalls_.size();
  made.work.record(queue_, [this] { cycle(0, false); });
  made.swaps = swapped_;
  made.work.replay(queue_);
  recorded_.push_back(std::move(made));
}

std::int64_t FlowSolver::sequenced_cycles() const {
  if (!method_.grid_sequencing || coarse_.empty()) return 0;
  return static_cast<std::int64_t>(std::min(sequence_depth, coarse_.size())) *
         method_.first_order_cycles;
}

std::size_t FlowSolver::first_grid() const {
  const std::int64_t left = sequenced_cycles() - cycle_;
  if (left <= 0) return 0;
  return static_cast<std::size_t>((left + method_.first_order_cycles - 1) /
                                  method_.first_order_cycles);
}

// The forcing of grid l, by way of register 2 of the finer ones, which is not in use before a cycle.
void FlowSolver::restrict_sources(std::size_t l) {
  fill_bytes(state_.start(2), 0, state_.register_bytes(), queue_);
  write_source_rates({state_.start(0)}, {state_.start(2)}, 0);
  for (std::size_t coarse = 1; coarse <= l; ++coarse) {
    level(coarse).loops().descend(descent(coarse), clock(), queue_);
    const memory::State& state = registers_of(coarse);
    if (coarse < l)
      copy_bytes(state.start(2), state.start(Grid::forcing), state.register_bytes(), queue_);
  }
}

// Begins and ends with the finest state, so that nothing else has to be remembered: nodes that the
// coarse grid keeps have its values.
void FlowSolver::sequenced_cycle(std::size_t l) {
  for (std::size_t coarse = 1; coarse <= l; ++coarse) inject(coarse);
  local_steps(0, 0, false);  // for the signal
  if (transfers_read_sensor(0)) make_sensor(0);
  if (sources_) restrict_sources(l);
  cycle(l, sources_ != nullptr);
  for (std::size_t coarse = l; coarse > 0; --coarse) correct_from(coarse);
}

}  // namespace watersmeet::aerodynamics
