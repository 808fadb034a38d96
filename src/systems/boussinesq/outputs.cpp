// What cases of the Boussinesq system may write.
#include "systems/boussinesq/system.hpp"

namespace watersmeet::boussinesq {

// Fields in the order of enum Quantity; means are by volume, over all cells.
const systems::Outputs& outputs() {
  static const std::string energy = "length^2/time^2", power = "length^2/time^3",
                           speed = "length/time", degree = "temperature", heated = between_plates,
                           scalars = with_scalars;
  static const systems::Outputs all = {
      .fields = {{"velocity", "velocity at the centres of cells", speed, "", 3},
                 {"temperature", "temperature", degree, "", 1},
                 {"p", "pressure over density", energy, "", 1},
                 {"speed", "magnitude of the velocity", speed, "", 1},
                 {"vorticity", "vorticity, curl of the velocity", "1/time", "", 3},
                 {"divergence", "divergence of the velocity", "1/time", "", 1},
                 {"dissipation", "nu |grad u|^2", power, "", 1},
                 {"thermal_dissipation", "kappa |grad T|^2", degree + "^2/time", "", 1},
                 {"enstrophy", "|curl u|^2/2", "1/time^2", "", 1},
                 {"helicity", "u . curl u", "length/time^2", "", 1},
                 {"q_criterion", systems::q_criterion_text, "1/time^2", "", 1},
                 {"SCALAR", "scalar", "1", "", 1, scalars}},
      .series = {{"cfl", "1", "", "", "Largest sum of |u_i|/h_i times the last time step."},
                 {"divergence_max", "1/time", "max div", "{:.1e}", "Largest |div u| of a cell."},
                 {"pressure_cycles", "1", "cycles", "{:.0f}",
                  "Cycles of the last solve for the pressure; 0 of a direct solver."},
                 {"kinetic_energy", energy, "kinetic energy", "{:.4e}",
                  "Mean of |u|^2/2, per mass."},
                 {"buoyancy_work", power, "", "",
                  "Mean of u . (buoyancy of all scalars), per mass."},
                 {"dissipation", power, "", "", "Mean of nu |grad u|^2, per mass."},
                 {"temperature_mean", degree, "", "", "Mean of T."},
                 {"temperature_rms", degree, "", "", "sqrt(<T^2> - <T>^2)."},
                 {"temperature_min", degree, "", "", "Least T."},
                 {"temperature_max", degree, "", "", "Largest T."},
                 {"temperature_flux", degree + " " + speed, "", "",
                  "Mean of u_h T, h the heated axis, or that of gravity where nothing is heated."},
                 {"u_max", speed, "", "", "Largest |u_x|."},
                 {"v_max", speed, "", "", "Largest |u_y|."},
                 {"w_max", speed, "", "", "Largest |u_z|."},
                 {"SCALAR_mean", "1", "", "", "Mean of a scalar.", scalars},
                 {"nusselt_lower", "1", "", "",
                  "Mean of -dT/dx_h on the lower plate over (T_lower - T_upper)/H.", heated},
                 {"nusselt_upper", "1", "", "", "The same on the upper plate.", heated},
                 {"nusselt_flux", "1", "Nusselt", "{:.4f}",
                  "1 + <u_h T> H/(kappa (T_lower - T_upper)).", heated},
                 {"nusselt_thermal", "1", "", "", "<|grad T|^2> H^2/(T_lower - T_upper)^2.",
                  heated},
                 {"nusselt_kinetic", "1", "", "",
                  "1 + <nu |grad u|^2> H/(B kappa (T_lower - T_upper)), B the buoyancy of T; 0 "
                  "where the "
                  "heated axis is not that of gravity.",
                  heated}},
      .profiles = {
          {"AXIS", "length", "", "",
           "x, y or z: coordinate of the middle of the plane, across the heated axis, or "
           "across gravity where nothing is heated; the averages below are over the plane."},
          {"temperature_mean", degree, "", "", "Mean of T."},
          {"temperature_rms", degree, "", "", "sqrt(<T^2> - <T>^2)."},
          {"u_rms", speed, "", "", "sqrt(<u_x^2>)."},
          {"v_rms", speed, "", "", "sqrt(<u_y^2>)."},
          {"w_rms", speed, "", "", "sqrt(<u_z^2>)."},
          {"temperature_flux", degree + " " + speed, "", "", "Mean of u_h T."},
          {"dissipation", power, "", "", "Mean of nu |grad u|^2, per mass."},
          {"temperature_gradient_squared", degree + "^2/length^2", "", "", "Mean of |grad T|^2."},
          {"SCALAR_mean", "1", "", "", "Mean of a scalar.", scalars}}};
  return all;
}

}  // namespace watersmeet::boussinesq
