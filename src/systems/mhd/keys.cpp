// Input keys of the MHD system.
#include "config/usual_keys.hpp"
#include "systems/mhd/system.hpp"

namespace watersmeet::mhd {

using config::amount_key;
using config::choice_key;
using config::expression_key;
using config::expressions_key;
using config::Key;
using config::KeyType;
using config::positive_key;
using config::vector_key;

std::vector<Key> keys() {
  const std::vector<Key> own = {
      choice_key(
          "physics.energy", "isothermal", {"isothermal", "entropy"},
          "Constant sound speed, or an ideal gas with an equation for the specific entropy."),
      amount_key("physics.sound_speed", "speed", "1.0",
                 "Sound speed c_0; with an energy equation that of density rho_0 and entropy 0."),
      {.path = "physics.gamma",
       .unit = "1",
       .default_text = "1.6666666666666667",
       .lowest = 1.0,
       .lowest_open = true,
       .help = "Ratio of specific heats c_p / c_v, with an energy equation."},
      positive_key("physics.heat_capacity", "length^2/(time^2 temperature)", "1.0",
                   "c_p, which scales the temperature T_0 = c_0^2 / ((gamma - 1) c_p)."),
      positive_key("physics.permeability", "1", "1.0",
                   "mu_0 of the magnetic pressure B^2 / (2 mu_0)."),
      vector_key("physics.background_field", "field", "[0, 0, 0]",
                 "Uniform field B_0, added to curl A."),
      expressions_key(
          "physics.velocity", "length/time", "", "x y z r",
          "Prescribed (kinematic) flow: the velocity and the density rho_0 stay as they are, "
          "and only the induction equation is integrated, in the resistive gauge."),
      amount_key("physics.viscosity", "length^2/time", "5.0e-3", "Kinematic shear viscosity nu."),
      amount_key("physics.bulk_viscosity", "length^2/time", "0.0",
                 "Kinematic bulk viscosity zeta."),
      amount_key("physics.resistivity", "length^2/time", "5.0e-3", "Magnetic diffusivity eta."),
      choice_key(
          "physics.gauge", "resistive", {"resistive", "weyl"},
          "Gauge of A: dA/dt = u x B + eta lap A, or (weyl) u x B - eta curl curl A. The equations "
          "have the same B; on a grid the Weyl gauge can make fields grow in strong steady flows."),
      amount_key("physics.thermal_diffusivity", "length^2/time", "0.0",
                 "chi = K / (rho c_p) of heat conduction with constant chi."),
      amount_key("physics.conductivity", "mass length/(time^3 temperature)", "0.0",
                 "K of heat conduction with constant K."),
      amount_key("physics.hyperviscosity", "length^6/time", "0.0",
                 "nu_3 of the term nu_3 (d_x^6 + d_y^6 + d_z^6) u."),
      amount_key("physics.hyperresistivity", "length^6/time", "0.0",
                 "eta_3 of the term eta_3 (d_x^6 + d_y^6 + d_z^6) A."),
      amount_key("physics.hyperdiffusivity", "length^6/time", "0.0",
                 "chi_3 of the term chi_3 (d_x^6 + d_y^6 + d_z^6) s, with an energy equation."),
      {.path = "numerics.upwind",
       .type = KeyType::texts,
       .default_text = "[]",
       .choices = {"rho", "velocity", "potential", "entropy"},
       .help = "Fields advected with 5th-order upwinding instead of central differences."},
      positive_key(
          "time.cfl_viscous", "1", "0.25",
          "Limit on dt times the largest diffusivity and sum 1/h^2; linear stability ends at "
          "0.37. With rk4-carpenter-kennedy it ends at 0.68, and the default is 0.45."),
      positive_key("time.cfl_hyper", "1", "0.01",
                   "Limit on dt times the largest hyperdiffusivity and sum 1/h^6; linear stability "
                   "ends at 0.039. With rk4-carpenter-kennedy it ends at 0.073, and the default is "
                   "0.018."),
      expressions_key(
          "initial[].potential", "field length", "[\"0\", \"0\", \"0\"]", "x y z r",
          "Initial vector potential A; the field is physics.background_field + curl A."),
      expression_key("initial[].entropy", "1", "0.0", "x y z r",
                     "Initial s / c_p, with an energy equation."),
  };
  std::vector<systems::SourceEquation> equations = systems::central_source_equations();
  equations.push_back({"potential", 3, "field length/time",
                       "Adds to the rate of change of the vector potential A: an electromotive "
                       "force."});
  equations.push_back(
      {"heating", 1, "mass/(length time^3)", "Heat per volume and time, with an energy equation."});
  const std::string state =
      std::string(systems::central_state) +
      " vector_potential.x vector_potential.y vector_potential.z temperature entropy";
  return config::joined(
      {own, systems::central_keys(), systems::source_keys(equations, "x y z r", state)});
}

void adjust_schema(config::Schema& schema) {
  schema.set_default("time.cfl", "0.9");
  schema.set_help("time.cfl", systems::central_cfl_help);
  schema.set_default("output.fields", "[\"rho\", \"velocity\", \"magnetic_field\"]");
}

}  // namespace watersmeet::mhd
