// The state, the forcing, the steps and the output of systems of central differences.
#include "systems/central_system.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "memory/rounded.hpp"
#include "schemes/central.hpp"

namespace watersmeet::systems {

int CentralSystem::halo() const { return schemes::radius6; }

void CentralSystem::allocate_state(const Placement& placement, mesh::GhostReach reach) {
  bind_placement(placement);
  const mesh::Block& block = domain_->block(0);
  state_ = memory::State(shapes(block.n), static_cast<int>(variables().size()), registers(),
                         precision_, queue_);
  exchange_ = exchange_between_parts(
      state_, reach, [&](const mesh::Block& part) { return shapes(part.n)[0].ghosts; });
  if (forcing_.place != ForcingPlace::none) allocate_forcing(block);
  synchronize(queue_);
  tabulate_acceleration();
}

void CentralSystem::allocate_forcing(const mesh::Block& block) {
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

void CentralSystem::choose_loops(const std::string& schedule, bool has_ring,
                                 const std::function<void(exec::CellSchedule)>& make) {
  using exec::CellSchedule;
  if (queue_.backend == Backend::cpu || !has_ring) return make(CellSchedule::direct);
  // The ring needs a full tile to pay and shared memory that small devices lack. The whole grid
  // decides, not this rank's part: two kernels may round differently.
  const Index3 cells = mesh_->block(0).n;
  const bool large = cells[0] >= 32 && cells[1] >= 16 && cells[2] >= 16;
  const CellSchedule choice = schedule == "ring" || (schedule == "auto" && large)
                                  ? CellSchedule::ring
                                  : CellSchedule::direct;
  make(choice);
  if (choice == CellSchedule::ring && schedule == "auto") {
    bool fits = false;
    try {
      fits = loops().describe()[0].warps_per_multiprocessor > 0;
    } catch (const Error&) {
    }
    if (!fits) make(CellSchedule::direct);
  }
}

namespace {
// First value that is not finite (or, when asked, not positive), as an error of the case.
void check_initial(const config::Fault& key, const std::vector<double>& values, bool positive,
                   const GridCoordinates& grid, const Index3& origin) {
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

void CentralSystem::tabulate_acceleration() {
  if (acceleration_.empty()) return;
  const GridCoordinates grid = coordinates_of(domain_->mesh, domain_->here[0]);
  acceleration_state_ = memory::State(shapes(domain_->block(0).n), 3, 1, precision_, queue_);
  common_.acceleration = acceleration_state_.start(0);
  common_.acceleration_layout = &acceleration_state_.layout(0);
  std::vector<double> values(grid.x.size() * grid.y.size() * grid.z.size());
  for (int a = 0; a < 3; ++a) {
    tabulate(acceleration_[static_cast<std::size_t>(a)], constants_, grid, queue_.threads,
             values.data());
    check_initial(acceleration_place_, values, false, grid, domain_->block(0).origin);
    memory::store_rounded(acceleration_state_, 0, a, values, queue_);
  }
}

std::string CentralSystem::initial_entry(const config::Input& input) {
  const std::size_t entries = input.count("initial");
  return entries == 0 ? "" : "initial[" + std::to_string(entries - 1) + "]";
}

void CentralSystem::set_variable(int variable, const std::string& expression,
                                 const config::Fault& key, bool positive,
                                 const std::function<double(double)>& f) {
  const GridCoordinates grid = coordinates_of(domain_->mesh, domain_->here[0]);
  std::vector<double> values(grid.x.size() * grid.y.size() * grid.z.size());
  tabulate(expression, constants_, grid, queue_.threads, values.data());
  check_initial(key, values, positive, grid, domain_->block(0).origin);
  if (f) {
#pragma omp parallel for num_threads(queue_.threads) schedule(static)
    for (std::size_t p = 0; p < values.size(); ++p) values[p] = f(values[p]);
  }
  memory::store_rounded(state_, 0, variable, values, queue_);
}

exec::Launch CentralSystem::launch(int in, int out) const {
  exec::Launch l;
  l.registers.layout = &state_.layout(0);
  l.registers.in = state_.start(in);
  l.registers.out = state_.start(out);
  if (storage_ != Storage::two) l.registers.increment = state_.start(2);
  l.box = domain_->block(0).interior();
  l.clock = clock_.as<exec::Clock>();
  l.queue = queue_;
  return l;
}

void CentralSystem::fill_ghosts(int reg) {
  if (state_.valid_ghosts(reg) < schemes::radius6) exchange_.fill(state_, reg, queue_);
}

void CentralSystem::state_changed() {
  state_.set_valid_ghosts(0, 0);
  exchange_.forget();
  fill_ghosts(0);
  set_signal(loops().signal(launch(0, 1)));
}

void CentralSystem::begin_step(double t_limit, bool allowed) {
  team_->combine(clock_.as<exec::Clock>(), queue_);
  loops().begin_step(rule_, t_limit, allowed, clock_.as<exec::Clock>(), queue_);
}

exec::StageUpdate<double> CentralSystem::update_of_stage(int s) const {
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

void CentralSystem::run_stages() {
  for (int s = 0; s < scheme_.stages(); ++s) {
    exec::Launch l = launch(0, 1);
    l.update = update_of_stage(s);
    exchange_.around(state_, 0, queue_,
                     [&](int, const Box& box, const Queue& queue) {
                       l.box = box;
                       l.queue = queue;
                       loops().stage(l);
                     },
                     {&exchange_, &state_, 1});
    finish_stage();
  }
}

void CentralSystem::finish_stage() {
  state_.require_ghosts(0, schemes::radius6);
  state_.set_valid_ghosts(1, 0);
#if defined(WATERSMEET_CHECKS)
  exchange_.poison(state_, 0, queue_);
#endif
  state_.swap(0, 1);
}

void CentralSystem::undo_stages() {
  if (scheme_.stages() % 2 == 1) state_.swap(0, 1);
  state_.set_valid_ghosts(0, 0);
  exchange_.forget();
}

void CentralSystem::evaluate(const std::string& quantity, std::span<const Box> boxes,
                             void* packed) {
  const auto known = quantities();
  const std::size_t wanted = place_of(quantity, known);
  fill_ghosts(0);
  evaluate_boxes(loops(), launch(0, 1), wanted, known[wanted].components, boxes, packed);
}

std::map<std::string, double> CentralSystem::checkpoint_scalars() const {
  return {{"initial_mass", initial_mass_}};
}

void CentralSystem::restore_scalars(const std::map<std::string, double>& numbers) {
  const auto found = numbers.find("initial_mass");
  if (found != numbers.end()) initial_mass_ = found->second;
}

std::map<std::string, std::string> CentralSystem::notes() const {
  std::map<std::string, std::string> notes;
  if (forcing_.place != ForcingPlace::none) {
    notes["forcing_wavevectors"] = std::to_string(waves_.vectors.size());
    notes["forcing_mean_wavenumber"] = fmt::format("{:.17g}", waves_.mean_wavenumber);
    notes["forcing_energy_input"] = fmt::format("{:.17g}", forcing_.amplitude * forcing_.amplitude *
                                                               std::pow(forcing_.sound_speed, 3) *
                                                               waves_.mean_wavenumber / 4.0);
  }
  return notes;
}

std::vector<exec::KernelTime> CentralSystem::time_kernels(int repeats) {
  fill_ghosts(0);
  synchronize(queue_);
  const RunningClock running(clock(), queue_);
  KernelTimer timer(queue_, team_->communicator(), repeats);
  const double word = static_cast<double>(size_of(precision_));
  const double cells = static_cast<double>(domain_->block(0).interior().count());

  time_exchange(timer, exchange_, state_);
  time_before_stages(timer);
  for (int s = 0; s < scheme_.stages(); ++s) {
    exec::Launch l = launch(0, 1);
    l.update = update_of_stage(s);
    timer.time(
        {.name = "stage " + std::to_string(s + 1), .bytes = words_of_stage(s) * cells * word},
        [&] { loops().stage(l); });
  }
  time_begin_step(timer, running, [&](const exec::StepRule& rule) {
    loops().begin_step(rule, 1e300, true, clock(), queue_);
  });
  return timer.kernels();
}

}  // namespace watersmeet::systems
