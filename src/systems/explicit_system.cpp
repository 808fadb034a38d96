// The case, the registers and the stages of explicit systems on a periodic box.
#include "systems/explicit_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "core/error.hpp"
#include "memory/rounded.hpp"
#include "mesh/box.hpp"

namespace watersmeet::systems {

using config::FaultKind;

namespace {
// The largest cfl at which no undamped wave grows. Sixth-order central differences have eigenvalues
// i y / dt with |y| <= 1.586 cfl, the largest of (45 sin a - 9 sin 2a + sin 3a)/30 over all angles
// a, and the amplification 1 + z + ... of the scheme must not exceed 1 up to there. Two stages let
// every undamped wave grow; there it is the end of their region of stability on the real axis, -2.
double largest_cfl(const schemes::LowStorageScheme& scheme) {
  constexpr double wave_number = 1.58598, step = 1e-3, slack = 1e-9;
  if (scheme.order == 2) return 2 / wave_number;
  const std::vector<double> polynomial = schemes::amplification(scheme);
  const auto grows = [&](double y) {
    std::complex<double> sum = 0;
    for (std::size_t p = polynomial.size(); p-- > 0;)
      sum = sum * std::complex<double>(0, y) + polynomial[p];
    return std::abs(sum) > 1 + slack;
  };
  double y = 0;
  while (!grows(y + step)) y += step;
  return y / wave_number;
}
}  // namespace

config::Key scheme_key() {
  return {.path = "time.scheme",
          .type = config::KeyType::choice,
          .default_text = "\"rk3-williamson\"",
          .choices = {"rk3-williamson", "rk3-cubism", "rk2", "rk4-carpenter-kennedy"},
          .help = "Low-storage Runge-Kutta scheme."};
}

void ExplicitSystem::configure_box(config::Input& input) {
  const Index3 cells = input.integers3("grid.cells");
  const Real3 lower = input.reals3("grid.lower"), upper = input.reals3("grid.upper");
  if (cells == Index3{1, 1, 1} && !input.is_set("time.dt")) {
    input.fault(FaultKind::range, "grid.cells",
                "a grid of a single point gives no limit of the time step",
                "use more cells along at least one axis, or set `time.dt`");
  }
  if (!input.has_faults())
    grid_.cells = mesh::make_box(cells, lower, upper, {true, true, true}, 0.0);
  grid_.cutting.halo = radius;
  constants_ = input.constants();
  precision_ =
      input.text("numerics.precision") == "single" ? Precision::single_ : Precision::double_;
  const std::string scheme = input.text("time.scheme");
  for (const schemes::LowStorageScheme& s : schemes::low_storage_schemes()) {
    if (s.name == scheme) scheme_ = s;
  }
  for (std::size_t a = 0; a < 3; ++a) {
    const double spacing =
        (upper[a] - lower[a]) / static_cast<double>(std::max<std::int64_t>(cells[a], 1));
    inverse_spacing_[a] = cells[a] > 1 ? 1.0 / spacing : 0.0;
  }
  stable_cfl_ = largest_cfl(scheme_);
  rule_.cfl = input.real("time.cfl");
  rule_.fixed = input.is_set("time.dt") ? input.real("time.dt") : 0.0;
}

void ExplicitSystem::check_cfl(config::Input& input) {
  if (!input.is_good("time.cfl") || !input.is_good("time.scheme") || rule_.fixed > 0) return;
  if (rule_.cfl > stable_cfl_) {
    input.fault(FaultKind::range, "time.cfl",
                fmt::format("{} is unstable at cfl = {:g}: its limit is {:.3g}", scheme_.name,
                            rule_.cfl, stable_cfl_),
                "0.9 is the default");
  }
}

std::vector<memory::BlockShape> ExplicitSystem::shapes(const Index3& cells) const {
  memory::BlockShape shape{cells, {}};
  for (std::size_t a = 0; a < 3; ++a) {
    // x keeps its ghosts even with one cell: packs are loaded along x.
    shape.ghosts[a] = a > 0 && cells[a] == 1 ? 0 : radius;
  }
  return {shape};
}

MemoryNeed ExplicitSystem::memory_needed(const Index3& cells) const {
  const auto blocks = shapes(cells);
  MemoryNeed need;
  need.working_bytes = memory::State::bytes_needed(blocks, static_cast<int>(variables().size()),
                                                   registers(), precision_);
  return need;
}

Streaming ExplicitSystem::streaming(const Index3& cells) const {
  return {not_streamed(), demand_of(shapes(cells)[0], static_cast<int>(variables().size()),
                                    registers(), most_fused())};
}

// Words read and written once a pass, per field: the first stage has no old value to read, and with stored increments the last has none to
// write.
double ExplicitSystem::words_of_stage(int s) const {
  double per_field = 2;  // u, out
  if (storage_ == Storage::two) per_field += s > 0 ? 1 : 0;
  if (storage_ == Storage::stored) {
    per_field += (s > 0 ? 1 : 0) + (s < scheme_.stages() - 1 ? 1 : 0);
  }
  if (storage_ == Storage::stored_full) per_field += 2;
  return per_field * static_cast<double>(variables().size());
}

double ExplicitSystem::bytes_per_point_step() const {
  double words = 0;
  for (int s = 0; s < scheme_.stages(); ++s) words += words_of_stage(s);
  return words * static_cast<double>(size_of(precision_));
}

double ExplicitSystem::step_of(double signal) const {
  exec::Clock clock;
  clock.signal = signal;
  exec::begin_step(clock, rule_, 1e300, true);
  return clock.dt;
}

double ExplicitSystem::cells_of_all() const {
  return static_cast<double>(grid_.cells.block(0).interior().count());
}

double ExplicitSystem::volume() const {
  double volume = 1;
  for (std::size_t a = 0; a < 3; ++a)
    volume *= grid_.geometry().spacing[a] * static_cast<double>(grid_.n()[a]);
  return volume;
}

double ExplicitSystem::widest_spacing() const {
  double widest = 0;
  for (std::size_t a = 0; a < 3; ++a)
    if (grid_.n()[a] > 1) widest = std::max(widest, grid_.geometry().spacing[a]);
  return widest;
}

void ExplicitSystem::allocate_state(const Placement& placement, mesh::GhostReach reach) {
  bind_placement(placement);
  allocate_registers(placement, shapes(domain_->block(0).n), static_cast<int>(variables().size()),
                     registers(), form(), reach);
  if (!streamed()) {
    exchange_ = exchange_between_parts(
        state_, reach, [&](const mesh::Block& part) { return shapes(part.n)[0].ghosts; });
  }
  synchronize(queue_);
}

void ExplicitSystem::choose_loops(const std::string& schedule, bool has_ring,
                                  const std::function<void(exec::CellSchedule)>& make) {
  using exec::CellSchedule;
  if (queue_.backend == Backend::cpu || !has_ring) return make(CellSchedule::direct);
  // The ring needs a full tile to pay and shared memory that small devices lack. The whole grid
  // decides, not this rank's part: two kernels may round differently.
  const Index3 cells = grid_.n();
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

std::string ExplicitSystem::initial_entry(const config::Input& input) {
  const std::size_t entries = input.count("initial");
  return entries == 0 ? "" : "initial[" + std::to_string(entries - 1) + "]";
}

std::vector<double> ExplicitSystem::tabulated(const std::string& expression,
                                              const config::Fault& key, bool positive) const {
  const GridCoordinates grid = coordinates_of(domain_->mesh, domain_->here[0]);
  std::vector<double> values(grid.x.size() * grid.y.size() * grid.z.size());
  tabulate(expression, constants_, grid, queue_.threads, values.data());
  check_initial(key, values, positive, grid, domain_->block(0).origin);
  return values;
}

void ExplicitSystem::set_variable(int variable, const std::string& expression,
                                  const config::Fault& key, bool positive,
                                  const std::function<double(double)>& f) {
  std::vector<double> values = tabulated(expression, key, positive);
  if (f) {
#pragma omp parallel for num_threads(queue_.threads) schedule(static)
    for (std::size_t p = 0; p < values.size(); ++p) values[p] = f(values[p]);
  }
  memory::store_rounded(state_, 0, variable, values, queue_);
}

exec::Launch ExplicitSystem::launch(int in, int out) const {
  exec::Launch l;
  l.registers.layout = &state_.layout(0);
  l.registers.in = state_.start(in);
  if (!streamed()) {
    l.registers.out = state_.start(out);
    if (storage_ != Storage::two) l.registers.increment = state_.start(2);
  }
  l.box = domain_->block(0).interior();
  l.clock = clock_.as<exec::Clock>();
  l.queue = queue_;
  return l;
}

void ExplicitSystem::compute(const stream::Planes& planes, int s) {
  set_first_cell(planes.first);
  exec::Launch l = planes.launch();
  l.update = update_of_stage(s);
  loops().stage(l);
}

void ExplicitSystem::fill_ghosts(int reg) {
  if (!streamed() && state_.valid_ghosts(reg) < radius) exchange_.fill(state_, reg, queue_);
}

void ExplicitSystem::state_changed() {
  state_.set_valid_ghosts(0, 0);
  exchange_.forget();
  fill_ghosts(0);
  set_signal(
      largest_over_cells(launch(0, 1), [&](const exec::Launch& l) { return loops().signal(l); }));
}

void ExplicitSystem::begin_step(double t_limit, bool allowed) {
  team_->combine(clock_.as<exec::Clock>(), queue_);
  loops().begin_step(rule_, t_limit, allowed, clock_.as<exec::Clock>(), queue_);
}

exec::StageUpdate<double> ExplicitSystem::update_of_stage(int s) const {
  const std::size_t n = static_cast<std::size_t>(s);
  const int stages = scheme_.stages();
  exec::StageUpdate<double> update;
  update.b = scheme_.beta[n];
  update.read_old = s > 0;
  update.last = s == stages - 1;
  if (storage_ == Storage::two) {
    update.form = form();
    update.a = s > 0 ? scheme_.beta[n] * scheme_.alpha[n] / scheme_.beta[n - 1] : 0.0;
  } else {
    update.form = form();
    update.a = scheme_.alpha[n];
    update.read_old = s > 0 || storage_ == Storage::stored_full;
    update.write_increment = s < stages - 1 || storage_ == Storage::stored_full;
  }
  return update;
}

void ExplicitSystem::run_stages() {
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

void ExplicitSystem::finish_stage() {
  state_.require_ghosts(0, radius);
  state_.set_valid_ghosts(1, 0);
#if defined(WATERSMEET_CHECKS)
  exchange_.poison(state_, 0, queue_);
#endif
  state_.swap(0, 1);
}

void ExplicitSystem::undo_stages() {
  if (scheme_.stages() % 2 == 1) state_.swap(0, 1);
  state_.set_valid_ghosts(0, 0);
  exchange_.forget();
}

void ExplicitSystem::evaluate(const std::string& quantity, std::span<const Box> boxes,
                              void* packed) {
  const auto known = quantities();
  const std::size_t wanted = place_of(quantity, known);
  fill_ghosts(0);
  evaluate_boxes(loops(), launch(0, 1), wanted, known[wanted].components, boxes, packed);
}

void ExplicitSystem::restore_scalars(const std::map<std::string, double>& numbers) {
  // Negative: a value that an older program had not measured yet.
  for (const auto& [name, value] : numbers) {
    if (!(value < 0)) first_values_[name] = value;
  }
}

std::vector<exec::KernelTime> ExplicitSystem::time_kernels(int repeats) {
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
