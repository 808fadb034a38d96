// What cases of the multicomponent system may write.
#include "systems/multicomponent/system.hpp"

namespace watersmeet::multicomponent {

// Fields in the order of enum Quantity. Integrals of axisymmetric cases are over a whole turn.
const systems::Outputs& outputs() {
  static const std::string pressure = "mass/(length time^2)", momentum = "mass length/time",
                           energy = "mass length^2/time^2";
  static const systems::Outputs all =
      {.fields = {{"rho", "density", "mass/length^3", "air_density", 1},
                  {"velocity", "velocity", "length/time", "", 3},
                  {"p", "pressure", pressure, "air_pressure", 1},
                  {"alpha", "volume fraction of the fluid with the larger Gamma", "1", "", 1},
                  {"Gamma", "Gamma = 1/(gamma - 1)", "1", "", 1},
                  {"Pi", "Pi = gamma p_c/(gamma - 1)", pressure, "", 1},
                  {"mach", "Mach number", "1", "", 1},
                  {"sound_speed", "speed of sound", "length/time", "", 1},
                  {"speed", "magnitude of the velocity", "length/time", "", 1},
                  {"energy", "total energy density", pressure, "", 1},
                  {"vorticity", "vorticity, curl of the velocity", "1/time", "", 3},
                  {"divergence", "divergence of the velocity", "1/time", "", 1},
                  {"density_gradient", "gradient of the density", "mass/length^4", "", 3},
                  {"schlieren", "exp(-k |grad rho| / max |grad rho|)", "1", "", 1},
                  {"enstrophy", "|curl u|^2/2", "1/time^2", "", 1},
                  {"q_criterion", systems::q_criterion_text, "1/time^2", "", 1}},
       .series =
           {{"mass", "mass", "", "",
             "Integral of rho over the grid; of an axisymmetric case over a whole turn, as all "
             "integrals."},
            {"mass_drift", "1", "mass drift", "{:+.1e}",
             "Mass here and what has left through the sides, over the mass of the start, less 1."},
            {"energy", energy, "", "", "Integral of the total energy Gamma p + Pi + rho |u|^2/2."},
            {"energy_drift", "1", "", "",
             "Energy here and what has left through the sides, over that of the start, less 1."},
            {"momentum_x", momentum, "", "", "Integral of rho u_x."},
            {"momentum_y", momentum, "", "",
             "Integral of rho u_y; of an axisymmetric case of the radial component, whatever its "
             "direction."},
            {"momentum_z", momentum, "", "", "Integral of rho u_z."},
            {"kinetic_energy", energy, "", "", "Integral of rho |u|^2/2."},
            {"p_max", pressure, "", "", "Largest pressure."},
            {"p_amplification", "1", "p_max/p_0", "{:.4g}",
             "p_max over the pressure jump of the initial shock; without a shock over p_max of the "
             "start."},
            {"p_min", pressure, "", "", "Least pressure."},
            {"mach_max", "1", "Mach max", "{:.3f}", "Largest |u|/c."},
            {"speed_max", "length/time", "", "", "Largest |u|.", "", "u_max"},
            {"rho_max", "mass/length^3", "", "", "Largest density."},
            {"rho_min", "mass/length^3", "", "", "Least density."},
            {"fallback_edges", "1", "", "",
             "Reconstructed edges that numerics.positivity changed, in all stages since the "
             "start."},
            {"limited_cells", "1", "", "",
             "Cells whose faces were set to first order by the limiter, in all stages since the "
             "start."},
            {"gas_volume", "length^3", "", "",
             "Integral of alpha, the volume of the fluid with the larger Gamma.", with_two_fluids},
            {"equivalent_radius", "length", "", "",
             "Radius of the sphere of that volume; of the cylinder on a plane grid, half the width "
             "of the layer on a grid of one axis.",
             with_two_fluids},
            {"mass_FLUID", "mass", "", "",
             "Mass of each fluid by its name, the one with the larger Gamma first: integral of rho "
             "Y, "
             "Y = alpha rho_g/(alpha rho_g + (1 - alpha) rho_l) with the fluids' own densities.",
             with_named_fluids}},
       .profiles = {}};
  return all;
}

}  // namespace watersmeet::multicomponent
