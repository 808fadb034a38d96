// Reading a case of central differences: keys to numbers, and every fault that is known before anything is allocated.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "systems/central_system.hpp"

namespace watersmeet::systems {

using config::FaultKind;

void CentralSystem::configure_box(config::Input& input) {
  const std::string storage = input.text("numerics.storage");
  const bool single = input.text("numerics.precision") == "single";
  ExplicitSystem::configure_box(input, storage == "two" || (storage == "auto" && !single)
                                           ? Storage::two
                                       : storage == "stored-full" ? Storage::stored_full
                                                                  : Storage::stored);
  // Where five stages end to be stable, three have long ended: 2.11 for 1.09 along the imaginary axis,
  // 4.65 for 2.51 along the real one. The same fractions of both, then.
  rule_.cfl = step_limit(input, "time.cfl", cfl_of_five_stages);
  for (const char* scale : {"mass", "length", "time"}) {
    const std::string path = std::string("physics.scales.") + scale;
    if (input.is_set(path)) scales_[scale] = input.real(path);
  }
  if (input.is_set("physics.acceleration")) {
    const auto texts = input.expressions3("physics.acceleration");
    acceleration_.assign(texts.begin(), texts.end());
    acceleration_place_ = input.place(config::FaultKind::range, "physics.acceleration");
  }
}

void CentralSystem::configure_forcing(config::Input& input, double sound_speed) {
  const std::string kind = input.text("forcing.kind");
  // A kind "none" that is given turns the forcing off and leaves its numbers where they are.
  for (const config::Key& key : central_keys()) {
    if (input.is_set("forcing.kind")) break;
    if (!key.path.starts_with("forcing.") || !input.is_changed(key.path)) continue;
    input.fault(FaultKind::conflict, key.path, "this key has no effect: forcing.kind is not given",
                "add kind = \"nonhelical\" or \"helical\", or remove it");
    return;
  }
  if (kind == "none" || grid_.cells.blocks().empty()) return;
  if (kind != "helical") input.refuse_idle("forcing.helicity", "it is that of kind = \"helical\"");
  const mesh::Uniform& geometry = grid_.geometry();
  const Index3 n = grid_.n();
  constexpr double two_pi = 2 * std::numbers::pi;
  std::array<bool, 3> active{};
  for (std::size_t a = 0; a < 3; ++a) {
    active[a] = n[a] > 1;
    forcing_.unit_wavenumber[a] = two_pi / (geometry.spacing[a] * static_cast<double>(n[a]));
    forcing_.lower[a] = geometry.lower[a];
    forcing_.spacing[a] = geometry.spacing[a];
    forcing_.n[a] = static_cast<std::int32_t>(n[a]);
  }
  forcing_.cells_of_all = n[0] * n[1] * n[2];
  const std::string path =
      input.is_set("forcing.wavevectors") ? "forcing.wavevectors" : "forcing.k_max";
  if (input.is_set("forcing.wavevectors")) {
    for (const char* const end : {"forcing.k_min", "forcing.k_max"})
      input.refuse_idle(end, "forcing.wavevectors takes the place of the shell");
    const auto numbers = input.list_reals3("forcing.wavevectors");
    for (const Real3& number : numbers) {
      for (std::size_t a = 0; a < 3; ++a) {
        if (number[a] != std::round(number[a]) || (!active[a] && number[a] != 0.0)) {
          input.fault(
              FaultKind::bad_value, path,
              fmt::format("the wave vector ({:g}, {:g}, {:g}) does not fit the periodic box",
                          number[0], number[1], number[2]),
              "use integers, zero along an axis of one cell");
          return;
        }
      }
      if (number == Real3{0, 0, 0}) {
        input.fault(FaultKind::bad_value, path, "the wave vector (0, 0, 0) forces nothing",
                    "remove it");
        return;
      }
      // On the points of the grid it would be a wave of another length.
      for (std::size_t a = 0; a < 3; ++a) {
        if (number[a] == 0.0 || std::abs(number[a]) < static_cast<double>(n[a]) / 2) continue;
        input.fault(
            FaultKind::range, path,
            fmt::format("the wave vector ({:g}, {:g}, {:g}) is not resolved by {} points "
                        "along {}",
                        number[0], number[1], number[2], n[a], "xyz"[a]),
            fmt::format("choose a wave number below {:g} there", static_cast<double>(n[a]) / 2));
        return;
      }
    }
    if (numbers.empty()) {
      input.fault(FaultKind::bad_value, path, "this list holds no wave vector",
                  "give one or more, such as [[1, 0, 0], [0, 1, 0]], or k_min and k_max in place "
                  "of it");
      return;
    }
    waves_ = listed(numbers, forcing_.unit_wavenumber);
  } else {
    const double k_min = input.real("forcing.k_min"), k_max = input.real("forcing.k_max");
    if (k_min > k_max) {
      input.fault(FaultKind::conflict, "forcing.k_max",
                  fmt::format("k_max = {:g} is below k_min = {:g}", k_max, k_min));
      return;
    }
    const auto size = [&] { return fmt::format("{} x {} x {} points", n[0], n[1], n[2]); };
    const double most = static_cast<double>(*std::max_element(n.begin(), n.end())) / 2;
    if (k_max >= most) {
      input.fault(FaultKind::range, "forcing.k_max",
                  fmt::format("k_max = {:g} is not resolved by {}", k_max, size()),
                  fmt::format("choose a wave number below {:g}", most));
      return;
    }
    double least = most;
    for (std::size_t a = 0; a < 3; ++a)
      if (active[a]) least = std::min(least, static_cast<double>(n[a]) / 2);
    if (k_max >= least) {
      input.note(FaultKind::range, "forcing.k_max",
                 fmt::format("wave vectors of the shell with a component of {:g} or more along the "
                             "axis of the fewest points are not resolved by {}: they act as "
                             "longer waves",
                             least, size()));
    }
    waves_ = shell(k_min, k_max, active, forcing_.unit_wavenumber);
  }
  if (waves_.vectors.empty()) {
    input.fault(FaultKind::bad_value, path, "no integer wave vector lies in this shell",
                "widen the shell: [1, 2] holds 32 vectors in three dimensions");
    return;
  }
  forcing_.place =
      input.text("forcing.application") == "rhs" ? ForcingPlace::inside : ForcingPlace::kick;
  forcing_.count = static_cast<std::int32_t>(waves_.vectors.size());
  forcing_.seed = static_cast<std::uint64_t>(input.integer("forcing.seed"));
  forcing_.amplitude = input.real("forcing.amplitude");
  forcing_.helicity = kind == "helical" ? input.real("forcing.helicity") : 0.0;
  forcing_.mean_wavenumber = waves_.mean_wavenumber;
  forcing_.mean_normalisation = input.text("forcing.normalisation") == "mean";
  forcing_.sound_speed = sound_speed;
}

std::vector<Variable> CentralSystem::flow_variables() {
  std::vector<Variable> all = {
      {"lnrho", "logarithmic density ln(rho/rho_0)", "1", Kind::scalar, Location::cell, 0}};
  for (int a = 0; a < 3; ++a) {
    all.push_back({fmt::format("u{}", "xyz"[a]), fmt::format("velocity along {}", "xyz"[a]),
                   "length/time", Kind::cartesian, Location::cell, a});
  }
  return all;
}

Transfer CentralSystem::flow_transfer(double reference_density) {
  Transfer values;
  values.basis = {{"physics.reference_density", fmt::format("{:.17g}", reference_density)}};
  return values;
}

std::vector<FromFields> CentralSystem::flow_from_fields(double rho_0) {
  std::vector<FromFields> all = {
      same_as_field("lnrho", "lnrho"),
      {"lnrho", {{"rho", 0}}, [rho_0](const double* v) { return std::log(v[0] / rho_0); }}};
  for (int a = 0; a < 3; ++a)
    all.push_back(same_as_field(std::string("u") + "xyz"[a], "velocity", a));
  return all;
}

SourceModel CentralSystem::source_model(const std::string& pressure_over_density,
                                        double reference_density) const {
  SourceModel model;
  model.variables = variables();
  model.names = {{"rho", 1, {fmt::format("{:.17g}*exp(stored.lnrho)", reference_density)}},
                 {"lnrho", 1, {"stored.lnrho"}},
                 {"velocity", 3, {"stored.ux", "stored.uy", "stored.uz"}},
                 {"speed", 1, {"sqrt(stored.ux^2 + stored.uy^2 + stored.uz^2)"}},
                 {"p", 1, {fmt::format("rho*({})", pressure_over_density)}}};
  // The stored variables of both systems begin with the logarithm of the density and the velocity.
  model.targets = {{"density", 0, -1, "1/rho"}};
  for (int a = 0; a < 3; ++a) model.targets.push_back({"velocity", 1 + a, a});
  return model;
}

std::vector<SeriesColumn> CentralSystem::with_mass_of_sources(
    std::vector<SeriesColumn> columns) const {
  if (!sources_.changes(0)) return columns;
  for (SeriesColumn& column : columns)
    if (column.name == "mass_drift") column.largest = 0;
  return columns;
}

double CentralSystem::estimate_from_initial(const config::Input& input, double wave_speed) const {
  const std::string entry = initial_entry(input);
  if (entry.empty()) return estimate_from({}, {}, wave_speed);
  const std::string key = entry + ".velocity";
  const auto velocity = input.expressions3(key);
  return estimate_from({velocity.begin(), velocity.end()}, input.place(FaultKind::range, key),
                       wave_speed);
}

double CentralSystem::estimate_from(const std::vector<std::string>& velocity,
                                    const config::Fault& key, double wave_speed) const {
  const GridCoordinates grid = coarse_coordinates(coordinates_of(grid_.cells, 0), 24);
  const std::size_t points = grid.x.size() * grid.y.size() * grid.z.size();
  std::vector<double> largest(points, 0.0), values(points);
  for (std::size_t a = 0; a < velocity.size(); ++a) {
    tabulate(velocity[a], constants_, grid, 1, values.data());
    require_finite(key, values, [&](std::size_t p) { return point_text(grid, p); });
    for (std::size_t p = 0; p < points; ++p)
      largest[p] += std::abs(values[p]) * inverse_spacing_[a];
  }
  const auto& g = inverse_spacing_;
  return step_of(*std::max_element(largest.begin(), largest.end()) +
                 wave_speed * std::sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]));
}

double CentralSystem::step_limit(config::Input& input, const char* path,
                                 double of_five_stages) const {
  return has_five_stages() ? input.real_or_settled(path, of_five_stages) : input.real(path);
}

void CentralSystem::configure_shock(config::Input& input, double& coefficient, double& signal) {
  const double c = input.real("physics.shock_viscosity");
  if (!(c > 0)) return;
  shock_ = true;
  pass_plans_ = {{"compression", mesh::GhostReach::corners, 4},
                 {"shock viscosity", mesh::GhostReach::faces, 2}};
  coefficient = c * widest_spacing() * widest_spacing();
  double sum2 = 0;
  for (const double g : inverse_spacing_) sum2 += g * g;
  signal = rule_.cfl * sum2 / diffusive_limit(input);
  if (input.text("device.schedule") == "ring") {
    input.fault(FaultKind::conflict, "device.schedule",
                "the ring schedule has no room for physics.shock_viscosity",
                "use schedule = \"direct\" or \"auto\"");
  }
}

MemoryNeed CentralSystem::memory_needed(const Index3& cells) const {
  MemoryNeed need = ExplicitSystem::memory_needed(cells);
  need.working_bytes +=
      pass_plans_.size() * memory::State::bytes_needed(shapes(cells), 1, 1, precision_);
  return need;
}

Streaming CentralSystem::streaming(const Index3& cells) const {
  Streaming streaming = ExplicitSystem::streaming(cells);
  streaming.demand.passes = static_cast<int>(pass_plans_.size());
  return streaming;
}

}  // namespace watersmeet::systems
