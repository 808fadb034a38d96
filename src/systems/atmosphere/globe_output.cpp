// What the atmosphere on a sphere tells the rest of the program: quantities and time series.
#include "systems/atmosphere/system.hpp"
#include "systems/reduced_cells.hpp"

namespace watersmeet::atmosphere {

// Same order as enum GlobeQuantity.
std::vector<systems::QuantityInfo> AtmosphereSystem::globe_quantities() const {
  return {{"theta_perturbation", "departure of the potential temperature", "temperature", "", 1},
          {"density_perturbation", "departure of the density", "mass/length^3", "", 1},
          {"pressure_perturbation", "departure of the pressure", "pressure", "", 1},
          {"velocity", "velocity", "length/time", "", 3},
          {"velocity_east", "velocity to the east", "length/time", "eastward_wind", 1},
          {"velocity_north", "velocity to the north", "length/time", "northward_wind", 1},
          {"w", "velocity upwards", "length/time", "upward_air_velocity", 1},
          {"theta", "potential temperature", "temperature", "air_potential_temperature", 1},
          {"temperature", "temperature", "temperature", "air_temperature", 1},
          {"density", "density", "mass/length^3", "air_density", 1},
          {"pressure", "pressure", "pressure", "air_pressure", 1},
          {"pressure_below", "pressure on the lower face of the cell, the ground of the lowest one",
           "pressure", "", 1},
          {"speed", "magnitude of the velocity", "length/time", "wind_speed", 1},
          {"height", "height of the middle of the cell", "length", "altitude", 1}};
}

std::vector<systems::SeriesColumn> AtmosphereSystem::globe_series_columns() const {
  return {{"mass", "mass", "", ""},
          {"mass_drift", "1", "mass drift", "{:+.1e}"},
          {"energy", "mass length^2/time^2", "", ""},
          {"energy_drift", "1", "energy drift", "{:+.1e}"},
          {"kinetic_energy", "mass length^2/time^2", "", ""},
          {"theta_max", "temperature", "", ""},
          {"theta_min", "temperature", "", ""},
          {"surface_pressure_max", "pressure", "", ""},
          {"surface_pressure_min", "pressure", "surface p min", "{:.6g}"},
          {"w_max", "length/time", "w max", "{:.4g}"},
          {"w_min", "length/time", "", ""},
          {"speed_max", "length/time", "speed max", "{:.4g}"}};
}

std::vector<double> AtmosphereSystem::globe_series() {
  constexpr int sums = globe_sums_end, maxima = globe_maxima_end;
  const GlobeProbeParameters probe = globe_->probe();
  const GlobeKernels& kernels = globe_->kernels();
  const auto r = systems::reduced_cells<sums, maxima>(*team_, cells_[0] * cells_[1] * cells_[2],
                                                      kernels, globe_call(0, 1), probe);
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
