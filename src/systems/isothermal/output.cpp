// The time series of the isothermal system.
#include <cmath>

#include "exec/clock_access.hpp"
#include "systems/isothermal/system.hpp"
#include "systems/reduced_cells.hpp"

namespace watersmeet::isothermal {

std::vector<double> IsothermalSystem::series() {
  fill_ghosts();
  const double points = cells_of_all();
  const auto r = systems::reduced_cells<n_sums, n_maxima>(
      *team_, grid_.cells.block(0).interior().count(), all_cells(*loops_), launch(0, 1));
  const exec::Clock now = exec::read_clock(clock_.as<exec::Clock>(), queue_);
  const double mass = r[sum_mass] / points * volume();
  const double u2 = (r[sum_ux2] + r[sum_uy2] + r[sum_uz2]) / points;
  const double speed_max = r[n_sums + max_speed];
  return {mass,
          mass / first_value("initial_mass", mass) - 1.0,
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
          physics_.viscosity > 0 ? speed_max * widest_spacing() / physics_.viscosity : 0.0,
          now.work,
          r[sum_numerical_dissipation] / points};
}

}  // namespace watersmeet::isothermal
