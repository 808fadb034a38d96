// What the atmosphere on a sphere tells the rest of the program: the time series.
#include "systems/atmosphere/system.hpp"
#include "systems/reduced_cells.hpp"

namespace watersmeet::atmosphere {

std::vector<double> AtmosphereSystem::globe_series() {
  constexpr int sums = globe_sums_end, maxima = globe_maxima_end;
  const auto r = systems::reduced_cells<sums, maxima>(*team_, cells_[0] * cells_[1] * cells_[2],
                                                      globe_->loops(), launch(0, 1));
  const double* const largest = r.data() + sums;
  const double volume = cell_volume();
  const Beginning now{r[globe_mass] * volume, r[globe_energy] * volume};
  if (!beginning_) beginning_ = now;
  const double mass = r[globe_reference_mass] * volume + now.mass;
  const double energy = r[globe_reference_energy] * volume + now.energy;
  return {mass,
          (now.mass - beginning_->mass) / mass,
          energy,
          (now.energy - beginning_->energy) / energy,
          r[globe_kinetic] * volume,
          largest[globe_max_theta],
          -largest[globe_max_minus_theta],
          largest[globe_max_surface],
          -largest[globe_max_minus_surface],
          largest[globe_max_w],
          -largest[globe_max_minus_w],
          largest[globe_max_speed]};
}

}  // namespace watersmeet::atmosphere
