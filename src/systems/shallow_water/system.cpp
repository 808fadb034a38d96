// Set-up of the state and the step of shallow water.
#include "systems/shallow_water/system.hpp"

#include <algorithm>

#include "exec/stage_registers.hpp"
#include "exec/stage_weights.hpp"
#include "systems/strategies.hpp"

namespace watersmeet::shallow_water {

std::unique_ptr<systems::System> make_system() { return std::make_unique<ShallowWaterSystem>(); }

void ShallowWaterSystem::allocate(const systems::Placement& placement) {
  bind_placement(placement);
  const mesh::Block& block = domain_->block(0);
  const auto blocks = shapes(block.n);
  case_.plane.first_j = block.origin[1];
  state_ = memory::State(blocks, n_variables, registers, precision_, queue_);
  exchange_ = make_exchange(state_);
  if (sphere_) {
    sphere_->allocate(*domain_, *team_, precision_, queue_);
  } else {
    tables_ = BoundaryTables(boundaries_, geometry_, cells_, domain_->box(0), blocks[0].ghosts,
                             {flat() ? "0" : bed_text_, flow_.wet_dry}, precision_, needs_edges(),
                             queue_);
  }
  make_loops(placement.schedule);
  allocate_bed();
  if (has_sides()) allocate_outflow();
  synchronize(queue_);
}

void ShallowWaterSystem::make_loops(const std::string& schedule) {
  loops_ = shallow_water::make_loops(queue_.backend, precision_, traits_, case_);
  if (sphere_) return;
  if (!strategy_) strategy_ = systems::strategy_named(schedule);
  if (strategy_ && queue_.backend == Backend::cuda) {
    loops_->set_stage(make_axis_stage(traits_, *strategy_, case_));
  }
}

// Units from a depth of a thousandth of the width of the grid: water is no deeper than 2^31 of it,
// and 2^40 faces lose no more than 2^-56 (exec/wide_count.hpp).
void ShallowWaterSystem::allocate_outflow() {
  const double width = std::max(geometry_.spacing[0] * static_cast<double>(cells_[0]),
                                geometry_.spacing[1] * static_cast<double>(cells_[1]));
  const double reference =
      cell_area() * static_cast<double>(cells_[0] * cells_[1]) * (1e-3 * width);
  outflow_ = comm::WideTotals({"outflow_volume"}, std::span<const double>(&reference, 1), queue_);
  stage_weights_ = exec::stage_weights(scheme_.stages, precision_);
}

// Of the register that the stage reads, whose ghosts are filled.
void ShallowWaterSystem::count_outflow(std::size_t stage) {
  OutflowLedger ledger;
  ledger.total = outflow_.counts();
  ledger.per_one = outflow_.units_per_one(0);
  ledger.weighted_area = cell_area() * stage_weights_[stage];
  loops_->count_outflow(launch(0, 0), tables_.sides(), ledger);
}

// Between the parts of a plane, or of panels; those need nothing of the panels above and below.
comm::Exchange ShallowWaterSystem::make_exchange(const memory::State& state) const {
  return exchange_between_parts(state, reach(), [&](const mesh::Block& part) {
    Index3 width = part.ghosts(radius);
    if (sphere_) width[2] = 0;
    return width;
  });
}

exec::Launch ShallowWaterSystem::launch(int in, int out) const {
  exec::Launch l;
  l.registers.layout = &state_.layout(0);
  l.registers.in = state_.start(in);
  l.registers.out = state_.start(out);
  l.registers.increment = state_.start(2);
  if (!flat()) {
    l.registers.extra = bed_.start(0);
    l.registers.extra_layout = &bed_.layout(0);
  }
  l.box = domain_->block(0).interior();
  l.clock = clock_.as<exec::Clock>();
  l.queue = queue_;
  return l;
}

// Of the solution between two steps.
void ShallowWaterSystem::fill_ghosts() {
  if (state_.valid_ghosts(0) >= radius) return;
  if (sphere_) {
    couple_panels();
    return;
  }
  exchange_.fill(state_, 0, queue_);
  tables_.set_now(clock_.as<exec::Clock>(), queue_);
  loops_->fill_boundaries(launch(0, 0), tables_.sides());
}

// Of the register that a stage reads: ghosts between parts of a panel, then those behind its sides.
// Of the latter one layer; what the stage makes of the second one falls to the records of the rims.
void ShallowWaterSystem::couple_panels() {
  exchange_.fill(state_, 0, queue_);
  sphere_->couple(*loops_, launch(0, 0), false);
  state_.set_valid_ghosts(0, radius);
}

void ShallowWaterSystem::state_changed() {
  state_.set_valid_ghosts(0, 0);
  exchange_.forget();
  set_signal(loops_->signal(launch(0, 1)));
}

void ShallowWaterSystem::begin_step(double t_limit, bool allowed) {
  team_->combine(clock_.as<exec::Clock>(), queue_);
  loops_->begin_step(rule_, t_limit, allowed, clock_.as<exec::Clock>(), queue_);
  if (allowed) tables_.begin_step(clock_.as<exec::Clock>(), queue_);
}

// All cells, with the exchange of ghosts before or meanwhile. Ghosts behind the sides with
// conditions come from cells alone and need not wait for messages; those behind edges of the block
// do.
void ShallowWaterSystem::compute_stage(exec::Launch& l) {
  if (sphere_) {
    couple_panels();
    loops_->stage(l);
    return;
  }
  if (edges_after_exchange()) {
    exchange_.fill(state_, 0, queue_);
    loops_->fill_boundaries(launch(0, 0), tables_.sides());
    loops_->stage(l);
    return;
  }
  loops_->fill_boundaries(launch(0, 0), tables_.sides());
  exchange_.around(state_, 0, queue_,
                   [&](int, const Box& box, const Queue& queue) {
                     l.box = box;
                     l.queue = queue;
                     loops_->stage(l);
                   },
                   {&exchange_, &state_, 1});
}

void ShallowWaterSystem::run_stages() {
  for (std::size_t s = 0; s < scheme_.stages.size(); ++s) {
    exec::Launch l = launch(0, 1);
    l.update = scheme_.stages[s];
    tables_.set_stage(scheme_.times[s], queue_);
    compute_stage(l);
    state_.require_ghosts(0, radius);
    if (has_sides()) count_outflow(s);
    state_.set_valid_ghosts(1, 0);
#if defined(WATERSMEET_CHECKS)
    if (!sphere_) exchange_.poison(state_, 0, queue_);
#endif
    exec::turn_registers(state_, scheme_.form, s);
  }
}

void ShallowWaterSystem::undo_stages() {
  exec::turn_registers_back(state_, scheme_.form, scheme_.stages.size());
  exchange_.forget();
}

exec::KernelReport ShallowWaterSystem::kernel() const {
  exec::KernelReport report = exec::emptiest(loops_->describe());
  report.name = (traits_.general      ? "general "
                 : traits_.transverse ? "13-point "
                                      : "9-point ") +
                report.name;
  return report;
}

}  // namespace watersmeet::shallow_water
