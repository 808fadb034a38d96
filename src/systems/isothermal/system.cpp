// Set-up of the state and the step of the isothermal system.
#include "systems/isothermal/system.hpp"

#include <fmt/format.h>

#include <cmath>

#include "memory/rounded.hpp"
#include "systems/tabulate.hpp"

namespace watersmeet::isothermal {

std::unique_ptr<systems::System> make_system() { return std::make_unique<IsothermalSystem>(); }

std::string IsothermalSystem::summary() const {
  return fmt::format("isothermal compressible Navier-Stokes, 6th order, {}, {}",
                     method_ == Method::points55 ? "55-point" : "19-point", scheme_.name);
}

std::vector<Variable> IsothermalSystem::variables() const {
  return {{"lnrho", "logarithmic density ln(rho/rho_0)", "1", Kind::scalar, Location::cell, 0},
          {"ux", "velocity along x", "length/time", Kind::cartesian, Location::cell, 0},
          {"uy", "velocity along y", "length/time", Kind::cartesian, Location::cell, 1},
          {"uz", "velocity along z", "length/time", Kind::cartesian, Location::cell, 2}};
}

void IsothermalSystem::allocate(const systems::Placement& placement) {
  bind_placement(placement);
  const mesh::Block& block = domain_->block(0);
  const auto blocks = shapes(block.n);
  state_ = memory::State(blocks, n_variables, registers(), precision_, queue_);
  const auto ghosts = [&](const mesh::Block& part) { return shapes(part.n)[0].ghosts; };
  const auto reach =
      method_ == Method::points55 ? mesh::GhostReach::edges : mesh::GhostReach::faces;
  exchange_ = exchange_between_parts(state_, reach, ghosts);
  if (method_ == Method::points19) {
    divergence_ = memory::State(blocks, 1, 1, precision_, queue_);
    divergence_exchange_ = exchange_between_parts(divergence_, mesh::GhostReach::faces, ghosts);
  }
  if (forcing_.place != ForcingPlace::none) allocate_forcing(block);
  choose_loops(mesh_->block(0).n, placement.schedule);
  synchronize(queue_);
  tabulate_acceleration();
}

void IsothermalSystem::allocate_forcing(const mesh::Block& block) {
  wave_buffer_ = memory::Buffer(memory::working_space(queue_.backend),
                                waves_.vectors.size() * sizeof(waves_.vectors[0]));
  copy_bytes(wave_buffer_.start(), waves_.vectors.data(), wave_buffer_.bytes(), queue_);
  forcing_.wave_vectors = wave_buffer_.as<std::int32_t>();
  // The tables are padded, because the last pack of a row reads beyond the last point.
  std::int64_t at = 8;
  for (std::size_t a = 0; a < 3; ++a) {
    forcing_.first[a] = block.origin[a];
    forcing_.table_size[a] = block.n[a] + 32;
    forcing_.table_offset[a] = at;
    at += 2 * forcing_.table_size[a];
  }
  forcing_table_ = memory::Buffer(memory::working_space(queue_.backend),
                                  static_cast<std::size_t>(at) * size_of(precision_));
  fill_bytes(forcing_table_.start(), 0, forcing_table_.bytes(), queue_);
  forcing_.table = forcing_table_.start();
}

void IsothermalSystem::choose_loops(const Index3& cells, const std::string& schedule) {
  Choice choice{method_, extended_};
  const auto make = [&] { loops_ = make_loops(queue_.backend, precision_, choice, case_); };
  if (queue_.backend == Backend::cpu) return make();
  // The ring needs a full tile to pay and shared memory that small devices lack. The whole grid
  // decides, not this rank's part: two kernels may round differently.
  const bool large = cells[0] >= 32 && cells[1] >= 16 && cells[2] >= 16;
  using exec::CellSchedule;
  choice.schedule = schedule == "ring" || (schedule == "auto" && large) ? CellSchedule::ring
                                                                        : CellSchedule::direct;
  make();
  if (choice.schedule == CellSchedule::ring && schedule == "auto") {
    bool fits = false;
    try {
      fits = loops_->describe()[0].warps_per_multiprocessor > 0;
    } catch (const Error&) {
    }
    if (fits) return;
    choice.schedule = CellSchedule::direct;
    make();
  }
}

namespace {
// First value that is not finite (or, when asked, not positive), as an error of the case.
void check_initial(const config::Fault& key, const std::vector<double>& values, bool positive,
                   const systems::GridCoordinates& grid, const Index3& origin) {
  const std::size_t nx = grid.x.size(), ny = grid.y.size();
  for (std::size_t p = 0; p < values.size(); ++p) {
    if (std::isfinite(values[p]) && (!positive || values[p] > 0)) continue;
    const std::size_t i = p % nx, j = p / nx % ny, k = p / (nx * ny);
    throw config::error_at(
        key,
        fmt::format("{} is {} at cell ({}, {}, {}), x = {:g}, y = {:g}, z = {:g}", key.key,
                    config::shown(values[p]), static_cast<std::int64_t>(i) + origin[0],
                    static_cast<std::int64_t>(j) + origin[1],
                    static_cast<std::int64_t>(k) + origin[2], grid.x[i], grid.y[j], grid.z[k]),
        positive ? "positive numbers" : "finite numbers");
  }
}
}  // namespace

void IsothermalSystem::tabulate_acceleration() {
  if (acceleration_.empty()) return;
  const systems::GridCoordinates grid = systems::coordinates_of(domain_->mesh, domain_->here[0]);
  acceleration_state_ = memory::State(shapes(domain_->block(0).n), 3, 1, precision_, queue_);
  case_.acceleration = acceleration_state_.start(0);
  case_.acceleration_layout = &acceleration_state_.layout(0);
  std::vector<double> values(grid.x.size() * grid.y.size() * grid.z.size());
  for (int a = 0; a < 3; ++a) {
    systems::tabulate(acceleration_[static_cast<std::size_t>(a)], constants_, grid, queue_.threads,
                      values.data());
    check_initial(acceleration_place_, values, false, grid, domain_->block(0).origin);
    memory::store_rounded(acceleration_state_, 0, a, values, queue_);
  }
}

void IsothermalSystem::initialise(const config::Input& input) {
  const systems::GridCoordinates grid = systems::coordinates_of(domain_->mesh, domain_->here[0]);
  std::vector<double> values(grid.x.size() * grid.y.size() * grid.z.size());
  // Later entries overwrite earlier ones, and each covers the whole domain.
  const std::size_t entries = input.count("initial");
  const std::string entry = "initial[" + std::to_string(entries == 0 ? 0 : entries - 1) + "]";
  systems::tabulate(entries ? input.expression(entry + ".density") : "1", constants_, grid,
                    queue_.threads, values.data());
  check_initial(input.place(config::FaultKind::range, entry + ".density"), values, true, grid,
                domain_->block(0).origin);
  const double inverse = 1.0 / physics_.reference_density;
#pragma omp parallel for num_threads(queue_.threads) schedule(static)
  for (std::size_t p = 0; p < values.size(); ++p) values[p] = std::log(values[p] * inverse);
  memory::store_rounded(state_, 0, lnrho, values, queue_);
  for (int a = 0; a < 3; ++a) {
    const std::string text =
        entries ? input.expressions3(entry + ".velocity")[static_cast<std::size_t>(a)] : "0";
    systems::tabulate(text, constants_, grid, queue_.threads, values.data());
    check_initial(input.place(config::FaultKind::range, entry + ".velocity"), values, false, grid,
                  domain_->block(0).origin);
    memory::store_rounded(state_, 0, ux + a, values, queue_);
  }
  initial_mass_ = -1;
}

exec::Launch IsothermalSystem::launch(int in, int out) const {
  exec::Launch l;
  l.registers.layout = &state_.layout(0);
  l.registers.in = state_.start(in);
  l.registers.out = state_.start(out);
  if (storage_ != Storage::two) l.registers.increment = state_.start(2);
  if (method_ == Method::points19) {
    l.registers.extra = divergence_.start(0);
    l.registers.extra_layout = &divergence_.layout(0);
  }
  l.box = domain_->block(0).interior();
  l.clock = clock_.as<exec::Clock>();
  l.queue = queue_;
  return l;
}

void IsothermalSystem::fill_ghosts(int reg) {
  if (state_.valid_ghosts(reg) < schemes::radius6) exchange_.fill(state_, reg, queue_);
}

void IsothermalSystem::state_changed() {
  state_.set_valid_ghosts(0, 0);
  exchange_.forget();
  fill_ghosts(0);
  set_signal(loops_->signal(launch(0, 1)));
}

void IsothermalSystem::begin_step(double t_limit, bool allowed) {
  team_->combine(clock_.as<exec::Clock>(), queue_);
  loops_->begin_step(rule_, t_limit, allowed, clock_.as<exec::Clock>(), queue_);
}

exec::StageUpdate<double> IsothermalSystem::update_of_stage(int s) const {
  const std::size_t n = static_cast<std::size_t>(s);
  const int stages = scheme_.stages();
  exec::StageUpdate<double> update;
  update.b = scheme_.beta[n];
  update.read_old = s > 0;
  update.last = s == stages - 1;
  if (storage_ == Storage::two) {
    update.form = exec::UpdateForm::two;
    update.a = s > 0 ? scheme_.beta[n] * scheme_.alpha[n] / scheme_.beta[n - 1] : 0.0;
  } else {
    update.form = exec::UpdateForm::stored;
    update.a = scheme_.alpha[n];
    update.read_old = s > 0 || storage_ == Storage::stored_full;
    update.write_increment = s < stages - 1 || storage_ == Storage::stored_full;
  }
  return update;
}

void IsothermalSystem::run_stages() {
  const int stages = scheme_.stages();
  for (int s = 0; s < stages; ++s) {
    exec::Launch l = launch(0, 1);
    l.update = update_of_stage(s);
    const auto stage = [&](int, const Box& box, const Queue& queue) {
      l.box = box;
      l.queue = queue;
      loops_->stage(l);
    };
    if (method_ == Method::points55) {
      exchange_.around(state_, 0, queue_, stage, {&exchange_, &state_, 1});
    } else {
      exec::Launch d = l;
      d.registers.out = divergence_.start(0);
      exchange_.around(state_, 0, queue_,
                       [&](int, const Box& box, const Queue& queue) {
                         d.box = box;
                         d.queue = queue;
                         loops_->divergence(d);
                       },
                       {&divergence_exchange_, &divergence_, 0});
      divergence_.set_valid_ghosts(0, 0);
      divergence_exchange_.around(divergence_, 0, queue_, stage, {&exchange_, &state_, 1});
    }
    state_.require_ghosts(0, schemes::radius6);
    state_.set_valid_ghosts(1, 0);
#if defined(WATERSMEET_CHECKS)
    exchange_.poison(state_, 0, queue_);
#endif
    state_.swap(0, 1);
  }
}

void IsothermalSystem::undo_stages() {
  if (scheme_.stages() % 2 == 1) state_.swap(0, 1);
  state_.set_valid_ghosts(0, 0);
  exchange_.forget();
}

exec::KernelReport IsothermalSystem::kernel() const {
  exec::KernelReport report = loops_->describe()[0];
  report.name = (method_ == Method::points55 ? "55-point " : "19-point ") + report.name;
  return report;
}

}  // namespace watersmeet::isothermal
