// Output of the isothermal system to the rest of the program: quantities, time series, notes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "exec/clock_access.hpp"
#include "systems/isothermal/system.hpp"
#include "systems/reduced_cells.hpp"

namespace watersmeet::isothermal {

std::vector<systems::QuantityInfo> IsothermalSystem::quantities() const { return outputs().fields; }

void IsothermalSystem::evaluate(const std::string& quantity, std::span<const Box> boxes,
                                void* packed) {
  const auto known = quantities();
  for (std::size_t q = 0; q < known.size(); ++q) {
    if (known[q].name == quantity) {
      fill_ghosts(0);
      exec::Launch l = launch(0, 1);
      const int components = known[q].components;
      evaluate_boxes(boxes, components, packed, [&](const Box& box, void* to) {
        l.box = box;
        loops_->evaluate(l, static_cast<int>(q), components, to);
      });
      return;
    }
  }
  require(false, "evaluate: no such quantity");
}

std::vector<systems::SeriesColumn> IsothermalSystem::series_columns() const {
  return outputs().series;
}

std::vector<double> IsothermalSystem::series() {
  fill_ghosts(0);
  const mesh::Block& block = mesh_->block(0);
  const auto r = systems::reduced_cells<n_sums, n_maxima>(*team_, block.interior().count(), *loops_,
                                                          launch(0, 1));
  const exec::Clock now = exec::read_clock(clock_.as<exec::Clock>(), queue_);
  const double points = static_cast<double>(block.interior().count());
  double volume = 1, widest = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    volume *= mesh_->geometry().spacing[a] * static_cast<double>(block.n[a]);
    if (block.n[a] > 1) widest = std::max(widest, mesh_->geometry().spacing[a]);
  }
  const double mass = r[sum_mass] / points * volume;
  if (initial_mass_ < 0) initial_mass_ = mass;
  const double u2 = (r[sum_ux2] + r[sum_uy2] + r[sum_uz2]) / points;
  const double speed_max = r[n_sums + max_speed];
  return {mass,
          mass / initial_mass_ - 1.0,
          std::sqrt(u2),
          speed_max,
          physics_.sound_speed > 0 ? speed_max / physics_.sound_speed : 0.0,
          -r[n_sums + max_minus_rho],
          r[n_sums + max_rho],
          r[sum_kinetic_energy] / points,
          r[sum_dissipation] / points,
          r[sum_enstrophy] / points,
          r[sum_helicity] / points,
          r[sum_momentum_x] / points,
          r[sum_momentum_y] / points,
          r[sum_momentum_z] / points,
          r[sum_ux2] / points,
          r[sum_uy2] / points,
          r[sum_uz2] / points,
          r[sum_acceleration_work] / points,
          physics_.viscosity > 0 ? speed_max * widest / physics_.viscosity : 0.0,
          now.work,
          r[sum_numerical_dissipation] / points};
}

std::map<std::string, double> IsothermalSystem::checkpoint_scalars() const {
  return {{"initial_mass", initial_mass_}};
}

void IsothermalSystem::restore_scalars(const std::map<std::string, double>& numbers) {
  const auto found = numbers.find("initial_mass");
  if (found != numbers.end()) initial_mass_ = found->second;
}

std::map<std::string, std::string> IsothermalSystem::notes() const {
  std::map<std::string, std::string> notes;
  if (forcing_.place != ForcingPlace::none) {
    notes["forcing_wavevectors"] = std::to_string(waves_.vectors.size());
    notes["forcing_mean_wavenumber"] = fmt::format("{:.17g}", waves_.mean_wavenumber);
    notes["forcing_energy_input"] = fmt::format("{:.17g}", forcing_.amplitude * forcing_.amplitude *
                                                               std::pow(physics_.sound_speed, 3) *
                                                               waves_.mean_wavenumber / 4.0);
  }
  return notes;
}

}  // namespace watersmeet::isothermal
