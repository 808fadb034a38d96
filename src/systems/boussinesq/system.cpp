// Set-up of the state and the step of the Boussinesq system.
#include "systems/boussinesq/system.hpp"

#include "exec/clock_access.hpp"
#include "exec/stage_registers.hpp"
#include "memory/rounded.hpp"
#include "systems/tabulate.hpp"

namespace watersmeet::boussinesq {

void BoussinesqSystem::allocate(const systems::Placement& placement) {
  bind_placement(placement);
  const Index3& n = domain_->block(0).n;
  state_ = memory::State({shape(n)}, parameters_.variables(), 3, precision_, queue_);
  pressure_ = memory::State({{n, pressure_ghosts(n)}}, 1, pressure_registers(), precision_, queue_);
  if (!alone()) {
    exchange_ =
        exchange_between_parts(state_, mesh::GhostReach::edges,
                               [&](const mesh::Block& part) { return shape(part.n).ghosts; });
    pressure_exchange_ =
        exchange_between_parts(pressure_, mesh::GhostReach::faces,
                               [&](const mesh::Block& part) { return pressure_ghosts(part.n); });
  }
  tables_ = BoundaryTables(boundaries_, staggered_, domain_->box(0), alone(), precision_, queue_);
  std::array<std::string, 3> uneven;  // accelerations that are no numbers
  for (std::size_t a = 0; a < 3; ++a) {
    const std::string& text = parameters_.acceleration[a];
    if (!config::Expression(text, {"x", "y", "z", "r"}, constants_).is_constant()) uneven[a] = text;
  }
  open_ = OpenPlanes(boundaries_, staggered_, *domain_, *team_, uneven, precision_, queue_);
  grid_tables_ = TablesOfPart(staggered_, domain_->box(0), parameters_.beta, parameters_.beta_y0,
                              limited(), precision_, queue_);
  choose_loops(placement.schedule);
  solver_ = solve::make_poisson_solver(staggered_.problem(), method_,
                                       {domain_, team_, queue_, precision_});
  tabulate_sources();
  settle_case();
  implicit_.allocate(boundaries_, staggered_, parameters_.variables(), precision_, queue_, case_);
  allocate_user_sources();
  allocate_side_values();
  synchronize(queue_);
}

void BoussinesqSystem::choose_loops(const std::string& schedule) {
  // The ring needs a full tile to pay. The whole grid decides, not this rank's part: two kernels
  // may round differently.
  const Index3& cells = staggered_.cells();
  const bool large = cells[0] >= 32 && cells[1] >= 8 && cells[2] >= 16;
  const exec::CellSchedule chosen = schedule == "ring" || (schedule == "auto" && large)
                                        ? exec::CellSchedule::ring
                                        : exec::CellSchedule::direct;
  loops_ = make_loops(queue_.backend, precision_,
                      {parameters_.variables(), advection_, scalar_advection_, chosen,
                       stretched_xy(), form() == exec::UpdateForm::base},
                      case_);
}

void BoussinesqSystem::tabulate_sources() {
  if (!has_fields_) return;
  const int n = parameters_.variables();
  fields_ = memory::State({shape(domain_->block(0).n)}, n, 1, precision_, queue_);
  const Box& box = domain_->box(0);
  for (int v = 0; v < n; ++v) {
    const std::string& text =
        v < 3 ? parameters_.acceleration[static_cast<std::size_t>(v)]
              : parameters_.scalars[static_cast<std::size_t>(v - first_scalar)].source;
    if (config::Expression(text, {"x", "y", "z", "r"}, constants_).is_constant()) continue;
    const config::Fault& place =
        v < 3 ? parameters_.acceleration_place
              : parameters_.scalars[static_cast<std::size_t>(v - first_scalar)].source_place;
    const std::vector<double> values =
        tabulated(text, constants_, place, points_of(staggered_, box, v), queue_.threads);
    memory::store_rounded(fields_, 0, v, values, queue_);
  }
}

void BoussinesqSystem::set_clock(const exec::Clock& clock) {
  systems::OnePartSystem::set_clock(clock);
  steps_queued_ = clock.step;
}

void BoussinesqSystem::initialise(const config::Input&) {
  for (int v = 0; v < parameters_.variables(); ++v) {
    memory::store_rounded(
        state_, 0, v, initial_.evaluate(v, staggered_, domain_->box(0), queue_.threads), queue_);
  }
  open_.set_initial(initial_, staggered_, queue_);
  project_initial();
}

// Takes the divergence off the initial velocity. The loops want a step under way.
void BoussinesqSystem::project_initial() {
  const exec::Clock first = exec::read_clock(clock(), queue_);
  exec::Clock now;
  now.t = first.t;
  now.active = 1;
  exec::write_clock(clock(), now, queue_);
  tables_.set_now(clock(), queue_);
  refresh_tolerance();
  make_divergence_free(0, launch(0, 0), true);
  fill_bytes(pressure_.start(0), 0, pressure_.register_bytes(), queue_);  // it was no pressure
  set_clock(first);
}

// The members of the case that belong to this rank's part.
void BoussinesqSystem::settle_case() {
  case_.scalars = static_cast<int>(parameters_.scalars.size());
  // For cells of equal width; those of other cells are in tables.
  case_.inverse_x = staggered_.flat(0) ? 0.0 : 1 / staggered_.width(0, 0);
  case_.inverse_y = staggered_.flat(1) ? 0.0 : 1 / staggered_.width(1, 0);
  for (int a = 0; a < 3; ++a) {
    case_.wall[a] =
        boundaries_.has(2 * a) && domain_->box(0).lower[static_cast<std::size_t>(a)] == 0;
  }
  if (has_fields_) {
    case_.fields = fields_.start(0);
    case_.fields_layout = &fields_.layout(0);
  }
  case_.tables = grid_tables_.arrays();
  // A scalar that drives the flow spoils the velocity a step later anyway.
  case_.watched_scalars = 0;
  for (std::size_t n = 0; n < parameters_.scalars.size(); ++n) {
    if (parameters_.scalars[n].buoyancy == 0) case_.watched_scalars = static_cast<int>(n) + 1;
  }
  case_.both_faces = limited();
  case_.diagnose = diagnose_parameters();
}

exec::Launch BoussinesqSystem::launch(int in, int out) const {
  exec::Launch l;
  l.registers = {&state_.layout(0), state_.start(in),   state_.start(out),
                 state_.start(2),   pressure_.start(0), &pressure_.layout(0)};
  l.box = domain_->block(0).interior();
  l.clock = clock_.as<exec::Clock>();
  l.queue = queue_;
  return l;
}

GhostRules BoussinesqSystem::rules(int reg) const {
  GhostRules rules = tables_.rules();
  open_.place_in(rules, reg);
  return rules;
}

void BoussinesqSystem::fill_ghosts(int reg) {
  if (state_.valid_ghosts(reg) >= ghost_layers()) return;
  if (!alone()) {
    // Faces of open sides that lie in cells are sent too.
    if (open_.here()) loops_->fill_ghosts(launch(reg, reg), rules(reg), true);
    exchange_.fill(state_, reg, queue_);
  }
  if (!side_values_.empty()) {
    loops_->fill_ghosts(launch(reg, reg), rules(reg), false);
    write_side_values(reg);
  }
  if (open_.here()) {
    open_.exchange(reg, queue_);
    loops_->fill_around_open(launch(reg, reg), rules(reg), open_.arrays(reg));
  }
  loops_->fill_ghosts(launch(reg, reg), rules(reg), false);
  state_.set_valid_ghosts(reg, ghost_layers());
}

// u* of a register becomes a field without divergence, with all its ghosts.
void BoussinesqSystem::make_divergence_free(int reg, const exec::Launch& l, bool last) {
  if (!alone()) exchange_.fill(state_, reg, queue_);
  const GhostRules rules_here = rules(reg);
  solve_pressure(l, &rules_here);
  // A signal that takes both faces of a cell needs the ghosts, and is computed after them.
  const bool with_signal = last && !case_.both_faces;
  if (ghosts_follow_at_once()) {
    loops_->project_and_fill(l, with_signal, rules_here, tables_.pressure_rules());
    state_.set_valid_ghosts(reg, ghost_layers());
  } else {
    fill_pressure_ghosts(l);
    loops_->project(l, with_signal);
    if (open_.here()) loops_->correct_open(l, open_.arrays(1 - reg), with_signal);
    state_.set_valid_ghosts(reg, 0);
    fill_ghosts(reg);
  }
  if (last && case_.both_faces) loops_->signal_of_step(launch(reg, reg));
}

void BoussinesqSystem::fill_pressure_ghosts(const exec::Launch& l) {
  if (!alone()) pressure_exchange_.fill(pressure_, 0, queue_);
  loops_->fill_pressure_ghosts(l, tables_.pressure_rules());
}

// L phi = D u* of the velocity in `out`, by the rules with the ghosts and wall faces that this needs filled before.
void BoussinesqSystem::solve_pressure(const exec::Launch& l, const GhostRules* to_fill) {
  solve::PoissonFields fields{&pressure_, 0, 1, clock_.as<exec::Clock>(), nullptr};
  solve::FaceField faces;
  // A direct solver reads velocities on faces only where cells are equal along x and y.
  if (solver_->takes_faces() && !stretched_xy()) {
    if (to_fill) loops_->fill_ghosts(l, *to_fill, true);
    const std::size_t word = size_of(precision_);
    const BlockLayout& layout = *l.registers.layout;
    for (int a = 0; a < 3; ++a) {
      const std::int64_t element = layout.first + a * layout.stride_var;
      faces.component[a] =
          static_cast<const char*>(l.registers.out) + static_cast<std::size_t>(element) * word;
    }
    faces.stride_j = layout.stride[1];
    faces.stride_k = layout.stride[2];
    faces.inverse_x = case_.inverse_x;
    faces.inverse_y = case_.inverse_y;
    faces.inverse_width_z = case_.tables.inverse_width[2];
    fields.faces = &faces;
  } else if (to_fill) {
    loops_->fill_and_diverge(l, *to_fill, pressure_.start(1));
  } else {
    loops_->divergence(l, pressure_.start(1));
  }
  solver_->solve(fields, stop_);
}

void BoussinesqSystem::state_changed() {
  if (open_stored_) open_.restore(state_, 1, queue_);
  open_.take_lower(state_, 0, queue_);
  state_.set_valid_ghosts(0, 0);
  tables_.set_now(clock(), queue_);
  fill_ghosts(0);
  if (implicit_.any()) fill_pressure_ghosts(launch(0, 1));
  set_signal(loops_->signal(launch(0, 1)));
  exec::Clock now = exec::read_clock(clock(), queue_);
  now.dt_before = 0;  // the right-hand side kept is not of this state
  exec::write_clock(clock(), now, queue_);
}

void BoussinesqSystem::begin_step(double t_limit, bool allowed) {
  team_->combine(clock_.as<exec::Clock>(), queue_);
  loops_->begin_step(rule_, t_limit, allowed, clock_.as<exec::Clock>(), queue_);
  if (allowed) tables_.begin_step(clock_.as<exec::Clock>(), queue_);
}

void BoussinesqSystem::run_stages() {
  open_stored_ = false;
  if (iterative() && steps_queued_ % 10 == 0) refresh_tolerance();
  ++steps_queued_;
  if (!recordable()) return queue_stages();
  // A step and the next one differ by what registers they go between.
  RecordedStep& step = recorded_[state_.start(0)];
  if (step.seen < 1) {
    ++step.seen;
    return queue_stages();
  }
  if (step.work.empty()) {
    step.work.record(queue_, [&] { queue_stages(); });
  } else {
    for (std::size_t s = 0; s < scheme_.stages.size(); ++s) turn(s);
    state_.set_valid_ghosts(0, ghost_layers());
    pressure_.set_valid_ghosts(0, 0);
  }
  step.work.replay(queue_);
}

// Steps whose work is the same each time, except for the values of the clock: those of GPUs whose
// messages can be recorded, with a direct solver (an iterative one has graphs of its own).
bool BoussinesqSystem::recordable() const {
  return exec::can_record(queue_) && (alone() || team_->transport()->recordable()) &&
         !iterative() && !tables_.depends_on_time();
}

void BoussinesqSystem::queue_stages() {
  for (std::size_t s = 0; s < scheme_.stages.size(); ++s) {
    state_.require_ghosts(0, ghost_layers());
    exec::Launch l = launch(0, 1);
    l.update = scheme_.stages[s];
    loops_->stage(l);
    add_sources(l, s);
    if (open_.here()) advance_open_sides(l, s);
    if (implicit_.any()) implicit_.advance(l);
    tables_.set_stage(scheme_.ends[s], queue_);
    time_of_ghosts_ = scheme_.ends[s];
    guess_pressure(s);
    l.registers.extra = pressure_.start(0);
    make_divergence_free(1, l, s + 1 == scheme_.stages.size());
    turn(s);
  }
}

void BoussinesqSystem::turn(std::size_t stage) {
  exec::turn_registers(state_, form(), stage);
  open_.turn(form(), stage);
}

void BoussinesqSystem::undo_stages() {
  --steps_queued_;
  // Ghosts, which are filled in inactive steps too, are those of the cells as before.
  exec::turn_registers_back(state_, form(), scheme_.stages.size());
  open_.turn_back(form(), scheme_.stages.size());
  state_.set_valid_ghosts(0, ghost_layers());
  if (iterative() && scheme_.stages.size() % 2 == 1) pressure_.swap(0, 2);
}

// phi of the last solve moves to register 2, and the one before makes room for a guess.
void BoussinesqSystem::guess_pressure(std::size_t stage) {
  if (!iterative()) return;
  pressure_.swap(0, 2);
  const double before = stage == 0 ? scheme_.fractions.back() : scheme_.fractions[stage - 1];
  loops_->guess(launch(0, 1), {pressure_.start(2), scheme_.fractions[stage] / before,
                               scheme_.stages.size() == 1, stage == 0});
}

// The divergence that iterative solvers may leave. Waits for the clock.
void BoussinesqSystem::refresh_tolerance() {
  stop_.most_cycles = pressure_choice_.most_cycles;
  stop_.limit = pressure_choice_.absolute_tolerance;
  if (!iterative() || stop_.limit > 0) return;
  const exec::Clock now = exec::read_clock(clock(), queue_);
  stop_.limit =
      pressure_choice_.relative_tolerance * std::max(0.0, now.signal - case_.signal_of_diffusion);
}

std::vector<systems::StoredArray> BoussinesqSystem::further_arrays() {
  std::vector<systems::StoredArray> arrays = {{"phi", &pressure_, 0, 0}};
  if (iterative()) arrays.push_back({"phi_before", &pressure_, 2, 0});
  // Register 1 is free between steps. Before allocate() the names alone count.
  if (boundaries_.any_open()) {
    if (state_.registers() > 0) {
      open_.store(state_, 1, queue_);
      open_stored_ = true;
    }
    for (int a = 0; a < 3; ++a) {
      if (boundaries_.open(2 * a) || boundaries_.open(2 * a + 1))
        arrays.push_back({std::string("open_") + "uvw"[a], &state_, 1, a});
    }
  }
  if (!scheme_.multistep) return arrays;
  const std::vector<Variable> names = variables();
  for (std::size_t v = 0; v < names.size(); ++v) {
    arrays.push_back({"rate_before_" + names[v].name, &state_, 2, static_cast<int>(v)});
  }
  return arrays;
}

exec::KernelReport BoussinesqSystem::kernel() const {
  exec::KernelReport report = loops_->describe()[0];
  report.name = std::string(advection_ == Advection::upwind ? "upwind " : "centred ") + report.name;
  if (limited()) report.name += ", limited scalars";
  return report;
}

}  // namespace watersmeet::boussinesq
