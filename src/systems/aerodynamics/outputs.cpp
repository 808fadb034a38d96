// What cases of aerodynamics may write.
#include "systems/aerodynamics/system.hpp"

namespace watersmeet::aerodynamics {

// Integrals are sums over the nodes with the weights of the operators (H-norm).
const systems::Outputs& outputs() {
  static const std::string energy = "mass length^2/time^2", force = "mass length/time^2";
  static const std::string rate = "Root mean square over the nodes of the rate of change of ";
  static const systems::Outputs all = {
      .fields = {{"rho", "density", "mass/length^3", "", 1},
                 {"velocity", "velocity", "length/time", "", 3},
                 {"p", "pressure", "mass/(length time^2)", "", 1},
                 {"mach", "Mach number", "1", "", 1},
                 {"temperature", "temperature over that of the free stream", "1", "", 1},
                 {"entropy", "p/rho^gamma over that of the free stream, less 1", "1", "", 1},
                 {"total_enthalpy", "total enthalpy", "length^2/time^2", "", 1},
                 {"cp", "pressure coefficient", "1", "", 1, in_stream},
                 {"vorticity", "vorticity, curl of the velocity", "1/time", "", 3},
                 {"speed", "magnitude of the velocity", "length/time", "", 1},
                 {"total_pressure", "total pressure over that of the free stream", "1", "", 1},
                 {"total_temperature", "total temperature over that of the free stream", "1", "",
                  1},
                 {"q_criterion", systems::q_criterion_text, "1/time^2", "", 1}},
      .series = {{"log_residual", "1", "log10 residual", "{:.3f}",
                  "log10 of residual_rho over that of the first cycle of the order of the case."},
                 {"residual_rho", "mass/(length^3 time)", "", "", rate + "rho."},
                 {"residual_mx", "mass/(length^2 time^2)", "", "", rate + "rho u_x."},
                 {"residual_my", "mass/(length^2 time^2)", "", "", rate + "rho u_y."},
                 {"residual_mz", "mass/(length^2 time^2)", "", "", rate + "rho u_z."},
                 {"residual_energy", "mass/(length time^3)", "", "", rate + "the total energy."},
                 {"residual_max", "mass/(length^3 time)", "", "",
                  "Largest magnitude of the rate of change of rho."},
                 {"cl", "1", "lift", "{:.5f}",
                  "Lift over rho_inf |u_inf|^2/2 and output.forces.area (in the plane a length).",
                  lifting_body},
                 {"cd", "1", "drag", "{:.5f}", "Drag likewise.", lifting_body},
                 {"cm", "1", "", "",
                  "Pitching moment likewise, over output.forces.length too, nose up positive.",
                  lifting_body},
                 {"cs", "1", "", "", "Side force likewise.", lifting_body_in_space},
                 {"force_PATCH_x", force, "", "",
                  "Force of (p - p_inf) on each wall by its name, along x.", with_walls},
                 {"force_PATCH_y", force, "", "", "The same along y.", with_walls},
                 {"force_PATCH_z", force, "", "", "The same along z.", with_walls_in_space},
                 {"supersonic", "1", "", "", "Nodes whose Mach number is above 1."},
                 {"limited", "1", "", "",
                  "Corrections and states that had to be limited, since the start."},
                 {"enthalpy_error", "1", "", "", "Largest |H/H_inf - 1| of the total enthalpy."},
                 {"mass", "mass", "", "",
                  "Integral of rho; in the plane per length across it, as all."},
                 {"entropy", "mass", "", "",
                  "Integral of -rho (ln p - gamma ln rho)/(gamma - 1), the mathematical entropy."},
                 {"energy", energy, "", "", "Integral of the total energy."},
                 {"flux_mass", "mass/time", "", "",
                  "Mass that leaves through all boundaries per time."},
                 {"flux_energy", "mass length^2/time^3", "", "",
                  "Energy that leaves through all boundaries per time."},
                 {"entropy_error", "1", "", "",
                  "Root mean square, by volume, of the field entropy."},
                 {"error_rho", "mass/length^3", "error of rho", "{:.3e}",
                  "sqrt of the integral of (rho - rho_exact)^2.", with_exact_flow}},
      .profiles = {}};
  return all;
}

}  // namespace watersmeet::aerodynamics
