// The case, the registers and the scheme of explicit systems on a periodic box.
#include "systems/explicit_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "config/usual_keys.hpp"
#include "memory/rounded.hpp"
#include "mesh/box.hpp"
#include "systems/fits_device.hpp"

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
  return config::choice_key("time.scheme", "rk3-williamson",
                            {"rk3-williamson", "rk3-cubism", "rk2", "rk4-carpenter-kennedy"},
                            "Low-storage Runge-Kutta scheme.");
}

namespace {
// With two solutions the coefficient is that of their difference.
exec::TimeScheme stages_of(const schemes::LowStorageScheme& scheme, bool two, bool full) {
  exec::TimeScheme all;
  all.name = scheme.name;
  all.form = two ? exec::UpdateForm::two : exec::UpdateForm::stored;
  all.times = schemes::stage_times(scheme);
  for (std::size_t s = 0; s < scheme.beta.size(); ++s) {
    const bool first = s == 0, last = s + 1 == scheme.beta.size();
    const double increment = first ? 0.0 : scheme.beta[s] * scheme.alpha[s] / scheme.beta[s - 1];
    all.stages.push_back({.form = all.form,
                          .a = two ? increment : scheme.alpha[s],
                          .b = scheme.beta[s],
                          .read_old = !first || full,
                          .write_increment = !two && (!last || full),
                          .last = last});
  }
  return all;
}
}  // namespace

void ExplicitSystem::configure_box(config::Input& input, Storage storage) {
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
  configure_run(input);
  const std::string scheme = input.text("time.scheme");
  for (const schemes::LowStorageScheme& s : schemes::low_storage_schemes()) {
    if (s.name != scheme) continue;
    scheme_ = stages_of(s, storage == Storage::two, storage == Storage::stored_full);
    stable_cfl_ = largest_cfl(s);
  }
  for (std::size_t a = 0; a < 3; ++a) {
    const double spacing =
        (upper[a] - lower[a]) / static_cast<double>(std::max<std::int64_t>(cells[a], 1));
    inverse_spacing_[a] = cells[a] > 1 ? 1.0 / spacing : 0.0;
  }
}

void ExplicitSystem::check_cfl(config::Input& input) {
  if (!input.is_good("time.cfl") || !input.is_good("time.scheme") || rule_.fixed > 0) return;
  if (rule_.cfl > stable_cfl_) {
    input.fault(FaultKind::range, "time.cfl",
                fmt::format("{} is unstable at cfl = {:g}: its limit is {:.3g}", scheme_.name,
                            rule_.cfl, stable_cfl_),
                fmt::format("{:g} is the default", has_five_stages() ? cfl_of_five_stages : 0.9));
  }
}

MemoryNeed ExplicitSystem::memory_needed(const Index3& cells) const {
  const auto blocks = shapes(cells);
  MemoryNeed need;
  need.working_bytes = memory::State::bytes_needed(blocks, static_cast<int>(variables().size()),
                                                   registers(), precision_);
  if (fixed_values() > 0)
    need.working_bytes += memory::State::bytes_needed(blocks, fixed_values(), 1, precision_);
  return need;
}

Streaming ExplicitSystem::streaming(const Index3& cells) const {
  stream::Demand demand = demand_of(
      shapes(cells)[0], static_cast<int>(variables().size()) + fixed_values(), registers());
  demand.signal_pass = true;
  return {not_streamed(), demand, not_updated_on_host()};
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
  if (grid_.cells.blocks().empty()) return widest;
  for (std::size_t a = 0; a < 3; ++a)
    if (grid_.n()[a] > 1) widest = std::max(widest, grid_.geometry().spacing[a]);
  return widest;
}

void ExplicitSystem::allocate_state(const Placement& placement) {
  bind_placement(placement);
  allocate_registers(placement, shapes(domain_->block(0).n), static_cast<int>(variables().size()),
                     registers(), scheme_.form, reach(), fixed_values());
  if (!streamed()) {
    exchange_ = exchange_between_parts(state_, reach(),
                                       [&](const mesh::Block& part) { return sent_layers(part); });
  }
  allocate_sources();
  synchronize(queue_);
}

void ExplicitSystem::choose_loops(const std::string& schedule, bool has_ring,
                                  const std::function<void(exec::CellSchedule)>& make) {
  using exec::CellSchedule;
  if (queue_.backend == Backend::cpu || !has_ring) return make(CellSchedule::direct);
  // The ring needs a full tile to pay and shared memory that small devices lack.
  const CellSchedule choice = schedule == "ring" || (schedule == "auto" && fills_tiles())
                                  ? CellSchedule::ring
                                  : CellSchedule::direct;
  make(choice);
  bool is_ring = choice == CellSchedule::ring;
  if (is_ring && schedule == "auto" && !systems::fits_device(loops())) {
    make(CellSchedule::direct);
    is_ring = false;
  }
  if (is_ring && only_stages_read_ghosts() && !sources_.any()) join_ends();
  offer_ghosts(!exchange_.copies() && exchange_.cut_axis() == 2);
}

// The ring joins the ends of axes that are not cut (exec/cell_ring_cuda.hpp), so that a step copies
// no ghosts: at 256^3 in single precision that was 13 % of it. Its stages store the copies beside their cells, so that the next one
// finds them, where nothing changes these cells afterwards; state_changed() fills those of the first.
void ExplicitSystem::join_ends() {
  const Index3 part = domain_->block(0).n, whole = grid_.n();
  std::array<int, 3> periods{};
  for (std::size_t a = 0; a < 3; ++a) {
    if (part[a] < 2 * radius) return;
    // The planes of a window end elsewhere.
    const bool in_window = streamed() && sweep_->axis() == static_cast<int>(a);
    if (part[a] == whole[a] && !in_window) periods[a] = static_cast<int>(whole[a]);
  }
  periods_ = periods;
  if (streamed()) {
    sweep_->leave_copies_to_computation();
  } else {
    exchange_.leave_copies_to_computation();
  }
}

namespace {
// First value that is not finite (or, when asked, not positive), as an error of the case. `first`: number of the cell that it is of.
void check_initial(const config::Fault& key, const std::vector<double>& values, bool positive,
                   const GridCoordinates& grid, const Index3& first, int threads) {
  const std::int64_t count = static_cast<std::int64_t>(values.size());
  std::int64_t bad = count;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(min : bad)
  for (std::int64_t p = 0; p < count; ++p) {
    const double value = values[static_cast<std::size_t>(p)];
    if (!std::isfinite(value) || (positive && !(value > 0))) bad = std::min(bad, p);
  }
  if (bad == count) return;
  const std::size_t nx = grid.x.size(), ny = grid.y.size(), p = static_cast<std::size_t>(bad);
  const std::size_t i = p % nx, j = p / nx % ny, k = p / (nx * ny);
  throw config::error_at(
      key,
      fmt::format("{} is {} at cell ({}, {}, {}), x = {:g}, y = {:g}, z = {:g}", key.key,
                  config::shown(values[p]), static_cast<std::int64_t>(i) + first[0],
                  static_cast<std::int64_t>(j) + first[1], static_cast<std::int64_t>(k) + first[2],
                  grid.x[i], grid.y[j], grid.z[k]),
      positive ? "positive numbers" : "finite numbers");
}
}  // namespace

std::string ExplicitSystem::initial_entry(const config::Input& input) {
  const std::size_t entries = input.count("initial");
  return entries == 0 ? "" : "initial[" + std::to_string(entries - 1) + "]";
}

std::vector<double> ExplicitSystem::tabulated(const std::string& expression,
                                              const config::Fault& key, bool positive,
                                              const Box& box) const {
  const GridCoordinates all = coordinates_of(domain_->mesh, domain_->here[0]);
  const auto part = [&](const std::vector<double>& of, std::size_t axis) {
    return std::vector<double>(of.begin() + box.lower[axis], of.begin() + box.upper[axis]);
  };
  const GridCoordinates grid{part(all.x, 0), part(all.y, 1), part(all.z, 2)};
  std::vector<double> values(static_cast<std::size_t>(box.count()));
  tabulate(expression, constants_, grid, queue_.threads, values.data());
  Index3 first = domain_->block(0).origin;
  for (std::size_t a = 0; a < 3; ++a) first[a] += box.lower[a];
  check_initial(key, values, positive, grid, first, queue_.threads);
  return values;
}

void ExplicitSystem::set_variable(int variable, const std::string& expression,
                                  const config::Fault& key, bool positive,
                                  const std::function<double(double)>& f) {
  set_variable(state(), variable, expression, key, positive, f);
}

void ExplicitSystem::set_variable(memory::State& of, int variable, const std::string& expression,
                                  const config::Fault& key, bool positive,
                                  const std::function<double(double)>& f) {
  // Slab by slab: what the host holds besides the state stays small.
  constexpr std::int64_t cells_at_once = std::int64_t{1} << 24;
  const Box part = domain_->block(0).interior();
  const std::int64_t planes =
      std::max<std::int64_t>(1, cells_at_once / (part.size(0) * part.size(1)));
  memory::Buffer staging;
  for (std::int64_t k = 0; k < part.upper[2]; k += planes) {
    Box slab = part;
    slab.lower[2] = k;
    slab.upper[2] = std::min(k + planes, part.upper[2]);
    std::vector<double> values = tabulated(expression, key, positive, slab);
    if (f) {
#pragma omp parallel for num_threads(queue_.threads) schedule(static)
      for (std::size_t p = 0; p < values.size(); ++p) values[p] = f(values[p]);
    }
    memory::store_rounded(of, 0, variable, values, queue_, slab, &staging);
  }
}

void ExplicitSystem::evaluate(const std::string& quantity, std::span<const Box> boxes,
                              void* packed) {
  const auto known = quantities();
  const std::size_t wanted = place_of(quantity, known);
  fill_ghosts();
  evaluate_boxes(loops(), launch(0, 1), wanted, known[wanted].components, boxes, packed);
}

void ExplicitSystem::restore_scalars(const std::map<std::string, double>& numbers) {
  // Negative: a value that an older program had not measured yet.
  for (const auto& [name, value] : numbers) {
    if (!(value < 0)) first_values_[name] = value;
  }
}

}  // namespace watersmeet::systems
