// What cases of the isothermal system may write.
#include "systems/isothermal/system.hpp"

namespace watersmeet::isothermal {

// Fields in the order of enum Quantity.
const systems::Outputs& outputs() {
  static const std::string pressure = "mass/(length time^2)", power = "mass/(length time^3)",
                           momentum = "mass/(length^2 time)", square = "length^2/time^2";
  static const systems::Outputs all = {
      .fields = {{"rho", "density", "mass/length^3", "air_density", 1},
                 {"lnrho", "logarithmic density ln(rho/rho_0)", "1", "", 1},
                 {"velocity", "velocity", "length/time", "", 3},
                 {"speed", "magnitude of the velocity", "length/time", "", 1},
                 {"p", "pressure c^2 rho", pressure, "air_pressure", 1, "", "pressure"},
                 {"vorticity", "vorticity, curl of the velocity", "1/time", "", 3},
                 {"divergence", "divergence of the velocity", "1/time", "", 1},
                 {"mach", "Mach number; 0 without sound", "1", "", 1},
                 {"dissipation", "viscous dissipation 2 nu rho S:S + zeta rho (div u)^2 per volume",
                  power, "", 1},
                 {"enstrophy", "|curl u|^2/2", "1/time^2", "", 1},
                 {"helicity", "u . curl u", "length/time^2", "", 1},
                 {"q_criterion", systems::q_criterion_text, "1/time^2", "", 1}},
      .series =
          {{"mass", "mass", "", "", "Integral of rho over the box."},
           {"mass_drift", "1", "mass drift", "{:+.1e}", "Mass over that of the start, less 1.", "",
            "", systems::largest_mass_drift},
           {"u_rms", "length/time", "u_rms", "{:.4e}", "sqrt(<|u|^2>), the mean over all cells."},
           {"speed_max", "length/time", "", "", "Largest |u|.", "", "u_max"},
           {"mach_max", "1", "Mach max", "{:.3f}", "speed_max over the speed of sound."},
           {"rho_min", "mass/length^3", "", "", "Least density."},
           {"rho_max", "mass/length^3", "", "", "Largest density."},
           {"kinetic_energy", pressure, "", "", "Mean of rho |u|^2/2, per volume."},
           {"dissipation", power, "", "",
            "Mean of 2 nu rho S:S + zeta rho (div u)^2, S the traceless rate of strain, zeta with "
            "the shock viscosity, per volume."},
           {"enstrophy", "1/time^2", "", "", "Mean of |curl u|^2/2: half the mean square."},
           {"helicity", "length/time^2", "", "", "Mean of u . curl u."},
           {"momentum_x", momentum, "", "", "Mean of rho u_x, per volume."},
           {"momentum_y", momentum, "", "", "Mean of rho u_y, per volume."},
           {"momentum_z", momentum, "", "", "Mean of rho u_z, per volume."},
           {"ux2", square, "", "", "Mean of u_x^2."},
           {"uy2", square, "", "", "Mean of u_y^2."},
           {"uz2", square, "", "", "Mean of u_z^2."},
           {"acceleration_work", power, "", "",
            "Mean of rho u . g of the body acceleration g, per volume; 0 without one."},
           {"mesh_reynolds", "1", "", "",
            "speed_max times the largest spacing over nu; 0 where nu is 0."},
           {"forcing_work", square, "", "",
            "Work of the forcing per mass, summed up since the start."},
           {"numerical_dissipation", power, "", "",
            "Mean of what upwinding of the velocity and hyperviscosity take out, -rho u . (their "
            "terms), per volume; 0 without them."}},
      .profiles = {}};
  return all;
}

}  // namespace watersmeet::isothermal
