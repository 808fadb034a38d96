// Set-up of the state and the step of the atmosphere.
#include "systems/atmosphere/system.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "systems/atmosphere/axes.hpp"
#include "systems/fits_device.hpp"
#include "systems/strategies.hpp"

namespace watersmeet::atmosphere {

std::unique_ptr<systems::System> make_system() { return std::make_unique<AtmosphereSystem>(); }

void AtmosphereSystem::allocate(const systems::Placement& placement) {
  bind_placement(placement);
  const mesh::Block& block = domain_->block(0);
  const Box part = domain_->box(0);
  std::vector<memory::BlockShape> launched = shapes(block.n);
  allocate_registers(placement, launched, n_variables, registers(), scheme_.form, reach());
  if (streamed()) {
    launched.front().n[1] = sweep_->plan().window;
  } else {
    exchange_ = make_exchange();
  }
  if (split()) {
    elimination_ = memory::State(shapes(block.n), elimination_values, 1, precision_, queue_);
  }
  if (diffuses()) {
    diffusing_ = memory::State(launched, diffusing_values, 1, precision_, queue_);
  }
  if (globe_) {
    globe_->allocate(*domain_, *team_, precision_, queue_, loop_traits(),
                     placement.schedule != "sweeps");
    allocate_user_sources();
    return;
  }
  choose_loops(placement.schedule);
  allocate_user_sources();
  tables_ = Tables(request_, part, precision_, queue_, case_);
  columns_ = flow_.mesh.medium.columns;
  sponge_y_ = flow_.sponge[1];
  case_.gas_constant = request_.reference.gas.r_d;
  sides_ = boundaries_.call(part, cells_);
  sides_.edges = looks_across();
  allocate_beyond_sides();
  if (part.lower[2] == 0) flow_.mesh.ground = 0;
  if (part.upper[2] == cells_[2]) flow_.mesh.lid = static_cast<int>(block.n[2]);
  offer_ghosts(may_store_ghosts(exchange_.cut_axis()));
  synchronize(queue_);
}

Traits AtmosphereSystem::loop_traits() const {
  Traits t = traits_;
  t.terrain = t.terrain || t.deep;
  t.transverse = flow_.transverse();
  t.lmars = flow_.lmars_unlimited() && !t.transverse;
  return t;
}

// Whether the whole grid can go by tiles, not a part of it, so that ranks do the same work.
bool AtmosphereSystem::tileable() const {
  return !traits_.viscous &&
         std::all_of(cells_.begin(), cells_.end(), [](std::int64_t n) { return n > 1; });
}

void AtmosphereSystem::choose_loops(const std::string& schedule) {
  const bool gpu = queue_.backend == Backend::cuda, tile = tileable() && schedule != "sweeps";
  if (gpu && looks_across() && !tile) {
    throw Error(ErrorKind::unsupported,
                "numerics.reconstruction.transverse: on a GPU it needs more than one cell along "
                "every axis, no viscosity, and device.schedule = \"auto\" or \"tile\"");
  }
  loops_ = make_loops(queue_.backend, precision_, loop_traits(), tile, case_);
  if (!gpu) return;
  if (tile && schedule == "auto" && !looks_across() && !systems::fits_device(*loops_)) {
    loops_ = make_loops(queue_.backend, precision_, loop_traits(), false, case_);
  }
  if (!strategy_) strategy_ = systems::strategy_named(schedule);
  if (strategy_) loops_->set_stage(make_axis_stage(loop_traits(), *strategy_, case_));
}

// Parts of panels need no values of the panels above and below.
Index3 AtmosphereSystem::sent_layers(const mesh::Block& part) const {
  Index3 width = part.ghosts(ghosts);
  if (globe_) width[2] = 0;
  return width;
}

comm::Exchange AtmosphereSystem::make_exchange() {
  return exchange_between_parts(state_, reach(),
                                [&](const mesh::Block& part) { return sent_layers(part); });
}

comm::Traffic AtmosphereSystem::traffic(const comm::Domain& domain, comm::Overlap overlap) const {
  const bool in_turn = globe_ || looks_across();
  comm::Traffic traffic = StagedSystem::traffic(domain, in_turn ? comm::Overlap::off : overlap);
  if (globe_) traffic.add(stages(), globe_->exchange_size(domain, traits_.transverse, precision_));
  return traffic;
}

systems::RecordedWork AtmosphereSystem::recorded_work() const {
  const double passes = stages();
  if (flow_.viscosity > 0 || traits_.deep || looks_across() || flow_.riemann != Riemann::lmars)
    return {"", passes};
  const char* const kind = split()           ? " hevi"
                           : globe_          ? " sphere"
                           : traits_.terrain ? " terrain"
                                             : "";
  return {name() + kind, passes};
}

// In a box; panels are coupled where they are read.
void AtmosphereSystem::fill_ghosts() {
  if (globe_ || streamed() || state_.valid_ghosts(0) >= ghosts) return;
  exchange_.fill(state_, 0, queue_);
  time_of_sides_ = 1;
  fill_behind_sides(0);
}

// Fills the ghosts of the register that a stage reads: those between parts of a panel, then those
// beyond its sides. One layer of the latter is enough: what would need deeper ones comes from the
// records of the rims.
void AtmosphereSystem::couple_panels(const exec::Launch& launch, int reg) {
  exchange_.fill(state_, reg, queue_);
  globe_->couple(launch);
}

void AtmosphereSystem::damp_panels() {
  if (globe_ && globe_->has_sponge()) globe_->loops().damp(launch(0, 0));
}

// For streamed planes: the tables of rows begin with the row of the first cell.
void AtmosphereSystem::set_place(const Index3& first, int) {
  const auto from_row = [&](const TableAddress<double>& table, std::int64_t numbers_of_a_row) {
    if (table.start == nullptr) return table;
    const std::int64_t bytes =
        first[1] * numbers_of_a_row * static_cast<std::int64_t>(size_of(precision_));
    return TableAddress<double>{static_cast<const std::byte*>(table.start) + bytes};
  };
  flow_.mesh.medium.columns = from_row(columns_, flow_.mesh.medium.stride_j);
  flow_.sponge[1] = from_row(sponge_y_, 1);
}

void AtmosphereSystem::fill_sides(const stream::Planes& planes, int s, const exec::Clock&) {
  set_place(planes.first);
  fill_behind_sides(planes.launch(), planes.first, planes.side, time_of_stage(s).value_or(1));
}

// Diffusion over terrain is a pass of its own, which finishes the step.
void AtmosphereSystem::compute_cells(const exec::Launch& l) {
  exec::Launch inner = l;
  inner.update.last = l.update.last && !diffuses();
  launch_stage(inner);
  if (diffuses()) loops_->diffuse(l, diffusing_.start(0));
}

// Ghosts of what it writes may leave before it is done; not where another pass follows that changes
// what this one writes: diffusion, or the columns in all stages except the last.
void AtmosphereSystem::compute_stage(exec::Launch& l, int in, int out) {
  const bool early = split() ? l.update.last : !diffuses();
  if (globe_) {
    couple_panels(l, in);
    return compute_cells(l);
  }
  if (looks_across()) {
    // Ghosts behind edges of the block come from those behind its sides.
    exchange_.fill(state_, in, queue_);
    fill_behind_sides(in);
    return compute_cells(l);
  }
  // Ghosts behind the sides with conditions come from cells alone and need not wait for
  // messages.
  fill_behind_sides(in);
  exec::Launch inner = l;
  inner.update.last = l.update.last && !diffuses();
  compute_around_exchange(inner, in, out, early);
  if (diffuses()) loops_->diffuse(l, diffusing_.start(0));
}

void AtmosphereSystem::run_stages() {
  if (split()) {
    run_split_stages();
  } else {
    StagedSystem::run_stages();
  }
  damp_panels();
}

void AtmosphereSystem::undo_stages() {
  if (!split()) return StagedSystem::undo_stages();
  state_.swap(0, 3);
  state_.set_valid_ghosts(0, 0);
  exchange_.forget();
}

exec::KernelReport AtmosphereSystem::kernel() const {
  exec::KernelReport report = exec::emptiest(loops().describe());
  const char* const kind = traits_.deep      ? "deep "
                           : traits_.terrain ? "terrain "
                           : traits_.viscous ? "viscous "
                                             : "flat ";
  report.name = std::string(split() ? "split " : "") + kind + loops().schedule();
  return report;
}

}  // namespace watersmeet::atmosphere
