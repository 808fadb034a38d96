// What cases of the atmosphere may write, in a box and on a sphere.
#include "systems/atmosphere/system.hpp"

namespace watersmeet::atmosphere {

// Fields in the order of enum Quantity.
const systems::Outputs& outputs() {
  static const std::string box = in_box, sphere = on_sphere, momentum = "mass length/time",
                           energy = "mass length^2/time^2", speed = "length/time",
                           degree = "temperature";
  static const systems::Outputs all =
      {.fields = {{"theta_perturbation", "departure of the potential temperature", degree, "", 1},
                  {"density_perturbation", "departure of the density", "mass/length^3", "", 1},
                  {"pressure_perturbation", "departure of the pressure", "pressure", "", 1},
                  {"velocity", "velocity", speed, "", 3},
                  {"velocity_east", "velocity to the east", speed, "eastward_wind", 1, sphere},
                  {"velocity_north", "velocity to the north", speed, "northward_wind", 1, sphere},
                  {"w", "velocity along z", speed, "upward_air_velocity", 1, box},
                  {"w", "velocity upwards", speed, "upward_air_velocity", 1, sphere},
                  {"theta", "potential temperature", degree, "air_potential_temperature", 1},
                  {"temperature", "temperature", degree, "air_temperature", 1},
                  {"rho", "density", "mass/length^3", "air_density", 1, "", "density"},
                  {"p", "pressure", "pressure", "air_pressure", 1, "", "pressure"},
                  {"pressure_below",
                   "pressure on the lower face of the cell, the ground of the lowest one",
                   "pressure", "", 1, sphere},
                  {"speed", "magnitude of the velocity", speed, "wind_speed", 1},
                  {"height", "height of the middle of the cell", "length", "altitude", 1},
                  {"mach", "Mach number", "1", "", 1},
                  {"exner", "Exner function (p/p_0)^(R/c_p)", "1", "", 1}},
       .series =
           {{"mass", "mass", "", "", "Integral of the density, reference and departure."},
            {"mass_drift", "1", "mass drift", "{:+.1e}",
             "Mass less that of the start, over the mass."},
            {"energy", energy, "", "",
             "Integral of p/(gamma - 1) + rho |u|^2/2 + rho g z, reference and departure."},
            {"energy_drift", "1", "energy drift", "{:+.1e}",
             "Energy less that of the start, over the energy."},
            {"kinetic_energy", energy, "", "", "Integral of rho |u|^2/2."},
            {"momentum_x", momentum, "", "", "Integral of rho u.", box},
            {"momentum_y", momentum, "", "", "Integral of rho v.", box},
            {"momentum_z", momentum, "", "", "Integral of rho w.", box},
            {"theta_max", degree, "theta' max", "{:.4g}",
             "Largest departure of the potential temperature.", box},
            {"theta_max", degree, "", "", "Largest departure of the potential temperature.",
             sphere},
            {"theta_min", degree, "theta' min", "{:.4g}",
             "Least departure of the potential temperature.", box},
            {"theta_min", degree, "", "", "Least departure of the potential temperature.", sphere},
            {"pressure_max", "pressure", "", "", "Largest departure of the pressure.", box},
            {"pressure_min", "pressure", "", "", "Least departure of the pressure.", box},
            {"surface_pressure_max", "pressure", "", "", "Largest pressure on the ground.", sphere},
            {"surface_pressure_min", "pressure", "surface p min", "{:.6g}",
             "Least pressure on the ground.", sphere},
            {"u_max", speed, "", "", "Largest velocity along x.", box},
            {"u_min", speed, "", "", "Least velocity along x.", box},
            {"w_max", speed, "w max", "{:.4g}", "Largest velocity upwards."},
            {"w_min", speed, "w min", "{:.4g}", "Least velocity upwards.", box},
            {"w_min", speed, "", "", "Least velocity upwards.", sphere},
            {"speed_max", speed, "", "", "Largest |u|.", box},
            {"speed_max", speed, "speed max", "{:.4g}", "Largest |u|.", sphere},
            {"front_x", "length", "", "",
             "Largest x where the departure of the potential temperature next to the ground rises "
             "through -1 along x; the lower end of the box where it does nowhere.",
             box}},
       .profiles = {}};
  return all;
}

}  // namespace watersmeet::atmosphere
