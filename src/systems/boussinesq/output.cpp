// What the Boussinesq system provides to the rest of the program: quantities, time series, notes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "exec/clock_access.hpp"
#include "systems/boussinesq/system.hpp"
#include "systems/prescribed_values.hpp"
#include "systems/reduced_cells.hpp"

namespace watersmeet::boussinesq {

std::string BoussinesqSystem::summary() const {
  return fmt::format("incompressible Boussinesq flow on a staggered grid, {}{}, {}",
                     advection_ == Advection::upwind ? "upwind advection" : "second order",
                     limited() ? ", limited scalars" : "", scheme_.name);
}

// Velocities are located on faces; shifted by half a cell their spectra are the same.
std::vector<std::string> BoussinesqSystem::spectral_variables() const {
  const bool periodic = staggered_.periodic(0) && staggered_.periodic(1) && staggered_.periodic(2);
  return periodic ? std::vector<std::string>{"u", "v", "w"} : std::vector<std::string>{};
}

std::vector<std::string> BoussinesqSystem::further_scalars() const {
  std::vector<std::string> names;
  for (std::size_t n = 1; n < parameters_.scalars.size(); ++n)
    names.push_back(parameters_.scalars[n].name);
  return names;
}

std::vector<systems::QuantityInfo> BoussinesqSystem::quantities() const {
  return systems::with_names(outputs().fields, "SCALAR", further_scalars());
}

DiagnoseParameters BoussinesqSystem::diagnose_parameters() const {
  DiagnoseParameters p;
  p.scalars = static_cast<int>(parameters_.scalars.size());
  p.heated_axis = profile_axis();
  const std::size_t a = static_cast<std::size_t>(p.heated_axis);
  const Box& box = domain_->box(0);
  p.lower_plate = heated_ && box.lower[a] == 0;
  p.upper_plate = heated_ && box.upper[a] == staggered_.cells()[a];
  p.last_cell = static_cast<int>(box.size(p.heated_axis) - 1);
  return p;
}

void BoussinesqSystem::evaluate(const std::string& quantity, std::span<const Box> boxes,
                                void* packed) {
  const auto known = quantities();
  const std::size_t wanted = place_of(quantity, known);
  tables_.set_now(clock(), queue_);
  fill_ghosts(0);
  case_.inverse_dt = 0;
  if (quantity == "p") {
    const exec::Clock now = exec::read_clock(clock(), queue_);
    const double dt = now.dt_before * scheme_.fractions.back();
    case_.inverse_dt = dt > 0 ? 1 / dt : 0;
  }
  evaluate_boxes(*loops_, launch(0, 1), wanted, known[wanted].components, boxes, packed);
}

std::vector<systems::SeriesColumn> BoussinesqSystem::series_columns() const {
  std::vector<std::string> conditions = {with_scalars};
  if (heated_) conditions.push_back(between_plates);
  auto columns = systems::with_names(systems::present(outputs().series, conditions), "SCALAR",
                                     further_scalars());
  for (systems::SeriesColumn& column : columns) {
    if (column.name == "pressure_cycles" && !iterative())
      column.progress_title = column.progress_format = "";
  }
  return columns;
}

std::vector<double> BoussinesqSystem::over_scalars(
    const std::function<std::vector<double>()>& reduce) {
  std::vector<double> first, further;
  const int scalars = static_cast<int>(parameters_.scalars.size());
  for (int n = 1; n == 1 || n < scalars; n += 2) {
    case_.diagnose.first_further = n;
    const std::vector<double> r = reduce();
    if (n == 1) first = r;
    if (n < scalars) further.push_back(r[sum_scalar_a]);
    if (n + 1 < scalars) further.push_back(r[sum_scalar_b]);
  }
  first.insert(first.end(), further.begin(), further.end());
  return first;
}

std::vector<double> BoussinesqSystem::series() {
  constexpr int sums = sums_end, maxima = maxima_end;
  tables_.set_now(clock(), queue_);
  fill_ghosts(0);
  const Index3& cells = staggered_.cells();
  const double points = static_cast<double>(cells[0] * cells[1] * cells[2]);
  const std::vector<double> r = over_scalars([&] {
    const auto sums_and_maxima = systems::reduced_cells<sums, maxima>(
        *team_, cells[0] * cells[1] * cells[2], *loops_, launch(0, 1));
    return std::vector<double>(sums_and_maxima.begin(), sums_and_maxima.end());
  });
  const double* const largest = r.data() + sums;
  const solve::PoissonRecord pressure = solver_->record();
  if (pressure.end == solve::PoissonEnd::stalled) {
    throw comm::AgreedError(
        ErrorKind::diverged,
        fmt::format("the solver of the pressure stalls: {} cycles took the divergence from {:.3g} "
                    "to {:.3g}, {:.3g} is wanted. Try --set numerics.pressure.solver=auto",
                    pressure.cycles, pressure.first_residual, pressure.residual, stop_.limit));
  }
  const exec::Clock now = exec::read_clock(clock(), queue_);
  const double nu = parameters_.viscosity, mean = r[sum_temperature] / points;
  const double dissipation = nu * r[sum_velocity_gradient2] / points;
  const double flux = r[sum_flux] / points;
  std::vector<double> row = {now.signal * now.dt_before,
                             largest[max_divergence],
                             static_cast<double>(pressure.cycles),
                             0.5 * (r[sum_u2] + r[sum_v2] + r[sum_w2]) / points,
                             r[sum_buoyancy_work] / points,
                             dissipation,
                             mean,
                             std::sqrt(std::max(0.0, r[sum_temperature2] / points - mean * mean)),
                             -largest[max_minus_temperature],
                             largest[max_temperature],
                             flux,
                             largest[max_u],
                             largest[max_v],
                             largest[max_w]};
  for (std::size_t n = sums + maxima; n < r.size(); ++n) row.push_back(r[n] / points);
  if (heated_) {
    const int axis = heated_->axis;
    const double height = staggered_.length(axis), dT = heated_->difference;
    const double kappa = parameters_.scalars[0].diffusivity;
    const double plate = points / static_cast<double>(cells[static_cast<std::size_t>(axis)]);
    // Sums of differences over 1/h along x and y, which is the width there; slopes are divided by
    // that of conduction, -dT/height.
    const double slope = -height / dT / plate;
    // eps_u = B (flux of convection), and that flux is kappa dT/height (Nu - 1): in this form the
    // relation does not ask for Ra and Pr.
    const double b = parameters_.upward * parameters_.scalars[0].buoyancy;
    const bool driven = axis == parameters_.gravity_axis && b * kappa * dT != 0;
    row.push_back(r[sum_lower_gradient] * slope);
    row.push_back(r[sum_upper_gradient] * slope);
    row.push_back(kappa > 0 ? 1 + flux * height / (kappa * dT) : 0.0);
    row.push_back(r[sum_temperature_gradient2] / points * height * height / (dT * dT));
    row.push_back(driven ? 1 + dissipation * height / (b * kappa * dT) : 0.0);
  }
  return row;
}

std::map<std::string, double> BoussinesqSystem::checkpoint_scalars() const {
  return {{"pressure_limit", stop_.limit}};
}

void BoussinesqSystem::restore_scalars(const std::map<std::string, double>& numbers) {
  const auto limit = numbers.find("pressure_limit");
  if (limit != numbers.end()) stop_.limit = limit->second;
}

std::map<std::string, std::string> BoussinesqSystem::notes() const {
  std::map<std::string, std::string> notes;
  if (const std::string& sides = boundaries_.description(); !sides.empty())
    notes["boundary"] = sides;
  if (solver_) notes["pressure"] = solver_->describe();
  if (implicit_.any()) notes["diffusion"] = "implicit along " + implicit_.names();
  if (parameters_.set != "dimensional") {
    notes["parameters"] = fmt::format(
        "Ra {:g}, Pr {:g}, {} units: nu {:.9g}, kappa {:.9g}, B {:.9g}", parameters_.rayleigh,
        parameters_.prandtl, parameters_.set, parameters_.viscosity,
        parameters_.scalars[0].diffusivity, parameters_.scalars[0].buoyancy);
  }
  return notes;
}

// That rounding, and not the tolerance, ended the last solve of the pressure. At rest there is no
// tolerance yet: first solves go as far as they can.
std::string BoussinesqSystem::termination_summary() {
  if (!iterative()) return "";
  const solve::PoissonRecord pressure = solver_->record();
  if (pressure.end != solve::PoissonEnd::floor || !(stop_.limit > 0)) return "";
  return fmt::format(
      "t = {:g}; the divergence was to fall to {:.2g}, but rounding stopped it at {:.2g}, where "
      "the solves ended",
      exec::read_clock(clock(), queue_).t, stop_.limit, pressure.residual);
}

std::vector<std::string> BoussinesqSystem::failure_hints() const {
  std::vector<std::string> hints;
  if (!side_values_.empty()) hints.push_back(systems::side_values_hint);
  if (scheme_.multistep) hints.push_back("time.scheme = \"rk3\"");
  if (advection_ == Advection::centred) {
    hints.push_back("more cells where layers are thin, or numerics.advection = \"upwind1\"");
  }
  return hints;
}

}  // namespace watersmeet::boussinesq
