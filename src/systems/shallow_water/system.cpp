// Set-up of the state and the step of shallow water.
#include "systems/shallow_water/system.hpp"

#include <algorithm>

#include "exec/clock_access.hpp"
#include "exec/stage_weights.hpp"
#include "systems/strategies.hpp"

namespace watersmeet::shallow_water {

std::unique_ptr<systems::System> make_system() { return std::make_unique<ShallowWaterSystem>(); }

void ShallowWaterSystem::allocate(const systems::Placement& placement) {
  bind_placement(placement);
  const mesh::Block& block = domain_->block(0);
  const auto blocks = shapes(block.n);
  set_place({0, 0, 0});
  allocate_registers(placement, blocks, n_variables, registers, scheme_.form, reach(),
                     flat() ? 0 : 1);
  if (!streamed()) exchange_ = make_exchange(state_);
  if (sphere_) {
    sphere_->allocate(*domain_, *team_, precision_, queue_);
  } else {
    tables_ = BoundaryTables(boundaries_, geometry_, cells_, domain_->box(0), blocks[0].ghosts,
                             {flat() ? "0" : bed_text_, traits_.wet_dry}, precision_, needs_edges(),
                             queue_);
  }
  make_loops(placement.schedule);
  fill_bed();
  allocate_sources();
  if (!sphere_) allocate_side_values();
  if (has_sides()) allocate_outflow();
  offer_ghosts(may_store_ghosts(exchange_.cut_axis()));
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

// Parts of panels need no values of the panels above and below.
Index3 ShallowWaterSystem::sent_layers(const mesh::Block& part) const {
  Index3 width = part.ghosts(radius);
  if (sphere_) width[2] = 0;
  return width;
}

comm::Exchange ShallowWaterSystem::make_exchange(const memory::State& state) const {
  return exchange_between_parts(state, reach(),
                                [&](const mesh::Block& part) { return sent_layers(part); });
}

comm::Traffic ShallowWaterSystem::traffic(const comm::Domain& domain, comm::Overlap overlap) const {
  const bool in_turn = sphere_ || edges_after_exchange();
  comm::Traffic traffic = StagedSystem::traffic(domain, in_turn ? comm::Overlap::off : overlap);
  if (sphere_) traffic.add(stages(), sphere_->exchange_size(domain, precision_));
  return traffic;
}

systems::RecordedWork ShallowWaterSystem::recorded_work() const {
  if (sphere_) return {name() + " sphere", static_cast<double>(stages())};
  if (traits_.general) return {"", static_cast<double>(stages())};
  return StagedSystem::recorded_work();
}

void ShallowWaterSystem::set_place(const Index3& first, int) {
  case_.plane.first_j = domain_->block(0).origin[1] + first[1];
}

void ShallowWaterSystem::fill_sides(const stream::Planes& planes, int s, const exec::Clock& clock) {
  tables_.set_known(clock, time_of_stage(s), queue_);
  if (sides_read_state()) {
    exec::copy_clock(spare_clock(), planes.clock, queue_);
    write_side_values(planes.launch(), planes.first, planes.side, time_of_stage(s).value_or(1),
                      spare_clock());
  }
  loops_->fill_boundaries(planes.launch(),
                          tables_.sides().of_rows(planes.first, planes.side, size_of(precision_)));
}

void ShallowWaterSystem::fill_boundaries(int reg) {
  const exec::Launch l = launch(reg, reg);
  write_side_values(l, {0, 0, 0}, {true, true, true, true}, time_of_sides_, l.clock);
  loops_->fill_boundaries(l, tables_.sides());
}

void ShallowWaterSystem::count_sides(const stream::Planes& planes, int s) {
  count_outflow(planes.launch(),
                tables_.sides().of_rows(planes.first, planes.side, size_of(precision_)), s);
}

// Fills the ghosts of the solution between two steps.
void ShallowWaterSystem::fill_ghosts() {
  if (streamed() || state_.valid_ghosts(0) >= radius) return;
  if (sphere_) {
    couple_panels();
    return;
  }
  exchange_.fill(state_, 0, queue_);
  tables_.set_now(clock_.as<exec::Clock>(), queue_);
  time_of_sides_ = 1;
  fill_boundaries(0);
}

// Fills the ghosts of the register that a stage reads: those between parts of a panel, then those
// behind its sides. One layer of the latter is enough: what would need the second one comes from the
// records of the rims.
void ShallowWaterSystem::couple_panels() {
  exchange_.fill(state_, 0, queue_);
  sphere_->couple(*loops_, launch(0, 0), false);
  state_.set_valid_ghosts(0, radius);
}

void ShallowWaterSystem::begin_step(double t_limit, bool allowed) {
  StagedSystem::begin_step(t_limit, allowed);
  if (allowed) tables_.begin_step(clock(), queue_);
}

void ShallowWaterSystem::prepare_stage(std::size_t s) {
  tables_.set_stage(scheme_.times[s], queue_);
  time_of_sides_ = scheme_.times[s];
}

// Ghosts behind the sides with conditions come from cells alone and need not wait for messages;
// those behind edges of the block do.
void ShallowWaterSystem::compute_stage(exec::Launch& l, int in, int out) {
  if (sphere_) {
    couple_panels();
    launch_stage(l);
    return;
  }
  if (edges_after_exchange()) {
    exchange_.fill(state_, in, queue_);
    fill_boundaries(in);
    launch_stage(l);
    return;
  }
  fill_boundaries(in);
  compute_around_exchange(l, in, out);
}

void ShallowWaterSystem::finish_stage(std::size_t s) {
  if (has_sides()) count_outflow(launch(0, 0), tables_.sides(), static_cast<int>(s));
}

// Counts what stage s moves through the sides.
void ShallowWaterSystem::count_outflow(const exec::Launch& l, const PlaneSides<double>& sides,
                                       int s) {
  if (!sides.any) return;
  OutflowLedger ledger;
  ledger.total = outflow_.counts();
  ledger.per_one = outflow_.units_per_one(0);
  ledger.weighted_area = cell_area() * stage_weights_[static_cast<std::size_t>(s)];
  loops_->count_outflow(l, sides, ledger);
}

exec::KernelReport ShallowWaterSystem::kernel() const {
  exec::KernelReport report = exec::emptiest(loops_->describe());
  report.name = (traits_.wet_dry      ? "wet-dry "
                 : traits_.general    ? "general "
                 : traits_.transverse ? "13-point "
                                      : "9-point ") +
                report.name;
  return report;
}

}  // namespace watersmeet::shallow_water
