// Set-up of the state of the MHD system, and its time series.
#include "systems/mhd/system.hpp"

#include <fmt/format.h>

#include <cmath>

#include "exec/clock_access.hpp"
#include "systems/reduced_cells.hpp"

namespace watersmeet::mhd {

std::unique_ptr<systems::System> make_system() { return std::make_unique<MhdSystem>(); }

systems::RecordedWork MhdSystem::recorded_work() const {
  systems::RecordedWork work = CentralSystem::recorded_work();
  if (physics_.kinematic) work.row.clear();  // less is computed than what was recorded
  if (has_entropy_ && !work.row.empty()) work.row += " entropy";
  return work;
}

std::string MhdSystem::summary() const {
  return fmt::format("{} magnetohydrodynamics, 6th order, {}",
                     physics_.kinematic ? "kinematic"
                     : has_entropy_     ? "compressible"
                                        : "isothermal",
                     scheme_.name);
}

std::vector<Variable> MhdSystem::variables() const {
  std::vector<Variable> all = flow_variables();
  for (int a = 0; a < 3; ++a) {
    all.push_back({fmt::format("a{}", "xyz"[a]), fmt::format("vector potential along {}", "xyz"[a]),
                   "field length", Kind::cartesian, Location::cell, a});
  }
  if (has_entropy_)
    all.push_back({"entropy", "specific entropy over c_p", "1", Kind::scalar, Location::cell, 0});
  return all;
}

std::vector<std::string> MhdSystem::conditions() const {
  return has_entropy_ ? std::vector<std::string>{with_energy_equation} : std::vector<std::string>{};
}

std::vector<systems::QuantityInfo> MhdSystem::quantities() const {
  return systems::present(outputs().fields, conditions());
}

std::vector<std::string> MhdSystem::default_fields() const {
  return {"rho", "velocity", "magnetic_field"};
}

std::vector<systems::SeriesColumn> MhdSystem::series_columns() const {
  return with_mass_of_sources(systems::present(outputs().series, conditions()));
}

void MhdSystem::allocate(const systems::Placement& placement) {
  allocate_state(placement);
  choose_loops(placement.schedule, !has_shock(), [&](exec::CellSchedule schedule) {
    loops_ = make_loops(queue_.backend, precision_,
                        {has_entropy_, physics_.kinematic, terms_, schedule}, case_);
  });
}

void MhdSystem::initialise(const config::Input& input) {
  const std::string entry = initial_entry(input);
  const bool given = !entry.empty();
  const auto key = [&](const char* name) {
    return input.place(config::FaultKind::range, entry + name);
  };
  const double inverse = 1.0 / physics_.reference_density;
  const bool kinematic = physics_.kinematic;
  set_variable(lnrho, given ? input.expression(entry + ".density") : "1", key(".density"), true,
               [=](double rho) { return kinematic ? 0.0 : std::log(rho * inverse); });
  for (int a = 0; a < 3; ++a) {
    const auto component = [&](const char* name) {
      return given ? input.expressions3(entry + name)[static_cast<std::size_t>(a)] : "0";
    };
    if (kinematic)
      set_variable(ux + a, velocity_[static_cast<std::size_t>(a)], velocity_place_, false);
    else
      set_variable(ux + a, component(".velocity"), key(".velocity"), false);
    set_variable(ax + a, component(".potential"), key(".potential"), false);
  }
  if (has_entropy_)
    set_variable(entropy, given ? input.expression(entry + ".entropy") : "0", key(".entropy"),
                 false);
  forget_first_values();
}

systems::Transfer MhdSystem::transfer() const {
  systems::Transfer values = flow_transfer(physics_.reference_density);
  if (physics_.kinematic) values.prescribed = {"lnrho", "ux", "uy", "uz"};
  values.made_of = {{"physics.velocity", velocity_words_}};
  return values;
}

std::vector<systems::FromFields> MhdSystem::from_fields() const {
  const double rho_0 = physics_.reference_density;
  std::vector<systems::FromFields> all = flow_from_fields(rho_0);
  for (int a = 0; a < 3; ++a)
    all.push_back(systems::same_as_field(std::string("a") + "xyz"[a], "vector_potential", a));
  if (!has_entropy_) return all;
  const double gamma = physics_.gamma, c = physics_.sound_speed;
  all.push_back(systems::same_as_field("entropy", "entropy"));
  // c^2 = gamma p/rho = c_0^2 exp(gamma q + (gamma - 1) ln(rho/rho_0)) with the entropy q
  all.push_back({"entropy", {{"p", 0}, {"rho", 0}}, [=](const double* v) {
                   return (std::log(gamma * v[0] / (v[1] * c * c)) -
                           (gamma - 1) * std::log(v[1] / rho_0)) /
                          gamma;
                 }});
  return all;
}

std::vector<double> MhdSystem::series() {
  fill_ghosts();
  const double points = cells_of_all();
  const auto r = systems::reduced_cells<n_sums, n_maxima>(
      *team_, grid_.cells.block(0).interior().count(), all_cells(*loops_), launch(0, 1));
  const exec::Clock now = exec::read_clock(clock_.as<exec::Clock>(), queue_);
  const double mass = r[sum_mass] / points * volume();
  const double speed_max = r[n_sums + max_speed], b_max = r[n_sums + max_b];
  std::vector<double> values = {
      mass,
      mass / first_value("initial_mass", mass) - 1.0,
      std::sqrt((r[sum_ux2] + r[sum_uy2] + r[sum_uz2]) / points),
      speed_max,
      std::sqrt(r[sum_b2] / points),
      b_max,
      -r[n_sums + max_minus_rho],
      r[n_sums + max_rho],
      r[sum_kinetic_energy] / points,
      r[sum_magnetic_energy] / points,
      r[sum_dissipation] / points,
      r[sum_ohmic] / points,
      r[sum_enstrophy] / points,
      r[sum_helicity] / points,
      r[sum_cross_helicity] / points,
      r[sum_magnetic_helicity] / points,
      r[sum_current_helicity] / points,
      r[n_sums + max_div_b],
      r[sum_momentum_x] / points,
      r[sum_momentum_y] / points,
      r[sum_momentum_z] / points,
      r[sum_ux2] / points,
      r[sum_uy2] / points,
      r[sum_uz2] / points,
      r[sum_bx] / points,
      r[sum_by] / points,
      r[sum_bz] / points,
      physics_.viscosity > 0 ? speed_max * widest_spacing() / physics_.viscosity : 0.0,
      physics_.resistivity > 0 ? speed_max * widest_spacing() / physics_.resistivity : 0.0,
      now.work};
  if (has_entropy_) {
    const double energy =
        (r[sum_kinetic_energy] + r[sum_magnetic_energy] + r[sum_internal_energy]) / points;
    values.insert(values.end(), {r[sum_internal_energy] / points, r[sum_entropy] / points,
                                 energy / first_value("initial_energy", energy) - 1.0});
  }
  return values;
}

}  // namespace watersmeet::mhd
