// Output of the multicomponent system: quantities, time series, notes,
// what a checkpoint keeps, and what is wrong with a state.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "exec/clock_access.hpp"
#include "systems/multicomponent/system.hpp"
#include "systems/prescribed_values.hpp"
#include "systems/reduced_cells.hpp"

namespace watersmeet::multicomponent {

namespace {
using std::numbers::pi;
}

std::string MulticomponentSystem::summary() const {
  return fmt::format("compressible flow of stiffened gases, model {}, {} and {}, {}",
                     flow_.compaction ? "mpcf-k" : "mpcf", reconstruction_name_,
                     flow_.riemann == Riemann::hllc      ? "HLLC"
                     : flow_.riemann == Riemann::hllc_lm ? "HLLC-LM"
                     : flow_.riemann == Riemann::hll     ? "HLL"
                                                         : "Rusanov",
                     scheme_.name);
}

// As stored: in units of the scales of density and speed (README.md). The name of the energy shows
// which of the two it is, so that no restart takes one for the other.
std::vector<Variable> MulticomponentSystem::variables() const {
  const auto momentum = [](const char* name, const char* axis, int component) {
    return Variable{name,
                    std::string("scaled momentum density along ") + axis,
                    "1",
                    Kind::cartesian,
                    Location::cell,
                    component};
  };
  const auto scalar = [](const char* name, const char* long_name) {
    return Variable{name, long_name, "1", Kind::scalar, Location::cell, 0};
  };
  return {scalar("rho", "scaled density"),
          momentum("mx", "x", 0),
          momentum("my", "y", 1),
          momentum("mz", "z", 2),
          flow_.split ? scalar("E_minus_Pi", "scaled total energy density without Pi")
                      : scalar("E", "scaled total energy density"),
          scalar("Gamma", "Gamma = 1/(gamma - 1)"),
          scalar("Pi", "scaled Pi = gamma p_c/(gamma - 1)")};
}

std::vector<systems::QuantityInfo> MulticomponentSystem::quantities() const {
  return outputs().fields;
}

std::vector<std::string> MulticomponentSystem::default_fields() const {
  return two_fluids() ? std::vector<std::string>{"p", "alpha"}
                      : std::vector<std::string>{"rho", "p"};
}

double MulticomponentSystem::factor_of(Quantity quantity) const {
  switch (quantity) {
    case Quantity::rho:
      return scales_.density;
    case Quantity::velocity:
    case Quantity::sound_speed:
    case Quantity::speed:
      return scales_.speed;
    case Quantity::p:
    case Quantity::pi:
    case Quantity::energy:
      return pressure_scale();
    case Quantity::density_gradient:  // taken with U / h for 1 / h, as those of velocity are
      return scales_.density / scales_.speed;
    default:
      return 1;
  }
}

void MulticomponentSystem::evaluate(const std::string& quantity, std::span<const Box> boxes,
                                    void* packed) {
  const auto known = quantities();
  for (std::size_t q = 0; q < known.size(); ++q) {
    if (known[q].name != quantity) continue;
    const Quantity requested = static_cast<Quantity>(q);
    EvaluateParameters& e = case_.evaluate;
    e.mixture = mixture_;
    e.split = flow_.split;
    e.axisymmetric = axisymmetric_;
    e.first_j = flow_.first_j;
    e.factor = factor_of(requested);
    if (requested >= Quantity::vorticity) fill_ghosts();
    if (requested == Quantity::schlieren) {
      double steepest = largest_over_cells(
          launch(0, 1), [&](const exec::Launch& l) { return loops_->steepest(l); });
      team_->communicator().all_reduce_max(std::span<double>(&steepest, 1));
      e.schlieren_rate = steepest > 0 ? schlieren_contrast_ / steepest : 0.0;
    }
    evaluate_boxes(*loops_, launch(0, 1), q, known[q].components, boxes, packed);
    return;
  }
  require(false, "evaluate: no such quantity");
}

std::vector<systems::SeriesColumn> MulticomponentSystem::series_columns() const {
  std::vector<std::string> conditions, names;
  if (two_fluids()) conditions.push_back(with_two_fluids);
  if (two_fluids() && fluids_.size() == 2) {
    conditions.push_back(with_named_fluids);
    names = {fluids_[gas_].name, fluids_[liquid_].name};
  }
  auto columns =
      systems::with_names(systems::present(outputs().series, conditions), "FLUID", names);
  for (systems::SeriesColumn& column : columns) {
    if (column.name == "p_amplification" && shock_jump() > 0) column.progress_title = "p_max/dp";
  }
  return columns;
}

DiagnoseParameters MulticomponentSystem::diagnose_parameters() const {
  return {mixture_, flow_.split, axisymmetric_, flow_.first_j};
}

double MulticomponentSystem::cell_volume() const {
  const Real3& h = cell_grid_.geometry.spacing;
  return axisymmetric_ ? 2 * pi * h[1] * h[1] * h[0] : h[0] * h[1] * h[2];
}

double MulticomponentSystem::length(int axis) const {
  const std::size_t a = static_cast<std::size_t>(axis);
  return cell_grid_.geometry.spacing[a] * static_cast<double>(cell_grid_.cells[a]);
}

// Radius of the sphere of that volume; of the cylinder across a plane grid; half the length of the
// layer on a grid of one axis.
double MulticomponentSystem::equivalent_radius(double volume) const {
  double across = 1;
  int axes = 0;
  for (int a = 0; a < 3; ++a) {
    if (cell_grid_.cells[static_cast<std::size_t>(a)] > 1) {
      ++axes;
    } else {
      across *= length(a);
    }
  }
  if (axes == 3 || axisymmetric_) return std::cbrt(3 * volume / (4 * pi));
  return axes == 2 ? std::sqrt(volume / across / pi) : volume / across / 2;
}

std::vector<double> MulticomponentSystem::series() {
  constexpr int sums = sums_end, maxima = maxima_end;
  case_.diagnose = diagnose_parameters();
  const auto r = systems::reduced_cells<sums, maxima>(
      *team_, cell_grid_.cells[0] * cell_grid_.cells[1] * cell_grid_.cells[2], all_cells(*loops_),
      launch(0, 1));
  const double* const largest = r.data() + sums;
  const double volume = cell_volume(), kilograms = scales_.density * volume,
               joules = pressure_scale() * volume, p_scale = pressure_scale();
  const double mass = r[sum_mass] * kilograms;
  const double energy = (r[sum_energy] + (flow_.split ? r[sum_pi] : 0.0)) * joules;
  const double p_max = largest[max_p] * p_scale;
  if (!beginning_) beginning_ = Beginning{mass, energy, p_max};
  Amounts left{};
  if (has_boundaries()) left = ledger_.outflow(team_->communicator(), queue_);
  const double mass_left = left[s_rho] * scales_.density, energy_left = left[s_energy] * p_scale;
  const double compared = shock_jump() > 0 ? shock_jump() : std::abs(beginning_->p_max);
  std::vector<double> row = {mass,
                             (mass + mass_left) / beginning_->mass - 1.0,
                             energy,
                             (energy + energy_left) / beginning_->energy - 1.0,
                             r[sum_momentum_x] * kilograms * scales_.speed,
                             r[sum_momentum_y] * kilograms * scales_.speed,
                             r[sum_momentum_z] * kilograms * scales_.speed,
                             r[sum_kinetic_energy] * joules,
                             p_max,
                             compared > 0 ? p_max / compared : 0.0,
                             -largest[max_minus_p] * p_scale,
                             largest[max_mach],
                             largest[max_speed] * scales_.speed,
                             largest[max_rho] * scales_.density,
                             -largest[max_minus_rho] * scales_.density,
                             static_cast<double>(fallbacks()),
                             static_cast<double>(limited_cells())};
  if (two_fluids()) {
    const double gas_volume = r[sum_gas_volume] * volume;
    row.push_back(gas_volume);
    row.push_back(equivalent_radius(gas_volume));
    if (fluids_.size() == 2) {
      row.push_back(r[sum_gas_mass] * kilograms);
      row.push_back(mass - r[sum_gas_mass] * kilograms);
    }
  }
  return row;
}

std::int64_t MulticomponentSystem::fallbacks() const {
  std::int64_t events = exec::read_clock(clock_.as<exec::Clock>(), queue_).events;
  team_->communicator().all_reduce_sum(std::span<std::int64_t>(&events, 1));
  return events + earlier_fallbacks_;
}

std::int64_t MulticomponentSystem::limited_cells() const {
  return earlier_limited_ + (limiter_.on() ? limiter_.limited(queue_) : 0);
}

std::map<std::string, double> MulticomponentSystem::checkpoint_scalars() const {
  std::map<std::string, double> numbers = {{"density_scale", scales_.density},
                                           {"speed_scale", scales_.speed},
                                           {"fallback_edges", static_cast<double>(fallbacks())}};
  if (beginning_) {
    numbers["initial_mass"] = beginning_->mass;
    numbers["initial_energy"] = beginning_->energy;
    numbers["initial_p_max"] = beginning_->p_max;
  }
  numbers["limited_cells"] = static_cast<double>(limited_cells());
  if (has_boundaries()) ledger_.save(numbers, team_->communicator(), queue_);
  return numbers;
}

void MulticomponentSystem::restore_scalars(const std::map<std::string, double>& numbers) {
  const auto number = [&](const char* name) {
    const auto found = numbers.find(name);
    return found == numbers.end() ? 0.0 : found->second;
  };
  for (const auto& [name, mine] :
       {std::pair{"density_scale", scales_.density}, std::pair{"speed_scale", scales_.speed}}) {
    if (numbers.count(name) == 0 || number(name) == mine) continue;
    throw Error(ErrorKind::user_input,
                fmt::format("the checkpoint has {} = {:.17g}, and the case has {:.17g}; set "
                            "physics.scales to the values that the run began with",
                            name, number(name), mine));
  }
  if (numbers.count("initial_mass") > 0) {
    beginning_ =
        Beginning{number("initial_mass"), number("initial_energy"), number("initial_p_max")};
  }
  earlier_fallbacks_ = static_cast<std::int64_t>(number("fallback_edges"));
  earlier_limited_ = static_cast<std::int64_t>(number("limited_cells"));
  if (has_boundaries()) ledger_.restore_scalars(numbers, queue_);
}

std::map<std::string, std::string> MulticomponentSystem::notes() const {
  std::map<std::string, std::string> notes;
  if (initial_) notes = initial_->notes();
  if (const std::string& sides = boundaries_.description(); !sides.empty())
    notes["boundary"] = sides;
  if (scales_.density != 1 || scales_.speed != 1) {
    notes["state_scales"] = fmt::format("density {:.9g}, speed {:.9g}, pressure {:.9g}",
                                        scales_.density, scales_.speed, pressure_scale());
  }
  return notes;
}

std::string MulticomponentSystem::inadmissible(std::span<const double> values) const {
  Conserved<double> stored;
  for (int v = 0; v < n_variables; ++v) stored[v] = values[static_cast<std::size_t>(v)];
  const Primitive<double> w = primitive_of(stored, flow_.split);
  if (admissible(w)) return {};
  const double rho = w[w_rho] * scales_.density, p = w[w_p] * pressure_scale(),
               p_pi = w[w_pi] * pressure_scale();
  std::string wrong;
  if (!(w[w_rho] > 0)) {
    wrong = fmt::format("density {:.6g} is not positive", rho);
  } else if (!(w[w_gamma] > 0)) {
    wrong = fmt::format("Gamma = {:.6g} is not positive", w[w_gamma]);
  } else {
    wrong =
        fmt::format("pressure {:.6g} is not above -p_c = {:.6g}", p, 0.0 - p_pi / (w[w_gamma] + 1));
  }
  const double speed = detail::speed_of(w) * scales_.speed;
  return fmt::format("{}; rho = {:.6g}, |u| = {:.6g}, p = {:.6g}, Gamma = {:.6g}, Pi = {:.6g}",
                     wrong, rho, speed, p, w[w_gamma], p_pi);
}

std::vector<std::string> MulticomponentSystem::failure_hints() const {
  std::vector<std::string> hints;
  if (!side_values_.empty()) hints.push_back(systems::side_values_hint);
  if (flow_.positivity == Positivity::off) {
    hints.push_back("numerics.positivity = \"fallback\"");
  } else if (flow_.positivity == Positivity::fallback) {
    hints.push_back(strict_
                        ? "time.scheme = \"ssp-rk3\", with which the flux limiter is most effective"
                        : "numerics.positivity = \"strict\"");
  }
  // With epsilon = 1e-6 steps below 1e-3 of the scale are reconstructed as if they were smooth, and the
  // density beside them may fall through zero, however short the time step.
  if (flow_.reconstruction == Reconstruction::weno5_js ||
      flow_.reconstruction == Reconstruction::weno3) {
    hints.push_back(
        "numerics.reconstruction = \"weno5-z\", for steps of a density far below the largest one");
  }
  if (flow_.riemann == Riemann::hllc) {
    hints.push_back("numerics.riemann = \"hll\", which is more dissipative");
  }
  hints.push_back("smoothing = 2 for the shapes of [[initial]]");
  if (precision_ == Precision::single_) hints.push_back("numerics.precision = \"double\"");
  return hints;
}

}  // namespace watersmeet::multicomponent
