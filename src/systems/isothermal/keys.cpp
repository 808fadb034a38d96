// Input keys of the isothermal system.
#include "systems/isothermal/system.hpp"

namespace watersmeet::isothermal {

using config::Key;
using config::KeyType;

std::vector<Key> keys() {
  return {
      {.path = "physics.sound_speed", .unit = "speed", .default_text = "1.0", .lowest = 0.0,
       .help = "Constant sound speed c; 0 gives pressureless flow."},
      {.path = "physics.viscosity", .unit = "length^2/time", .default_text = "5.0e-3", .lowest = 0.0,
       .help = "Kinematic shear viscosity nu."},
      {.path = "physics.bulk_viscosity", .unit = "length^2/time", .default_text = "0.0", .lowest = 0.0,
       .help = "Kinematic bulk viscosity zeta."},
      {.path = "physics.hyperviscosity", .unit = "length^6/time", .default_text = "0.0", .lowest = 0.0,
       .help = "nu_3 of the term nu_3 (d_x^6 + d_y^6 + d_z^6) u."},
      {.path = "physics.reference_density", .unit = "mass/length^3", .default_text = "1.0", .lowest = 0.0,
       .lowest_open = true, .help = "rho_0 of the stored ln(rho / rho_0)."},
      {.path = "physics.acceleration", .type = KeyType::expressions3, .unit = "length/time^2",
       .variables = "x y z r", .help = "Body acceleration, constant in time."},
      {.path = "physics.scales.mass", .unit = "kg", .lowest = 0.0, .lowest_open = true,
       .help = "M_u: physical mass of one code unit; kept in the output files."},
      {.path = "physics.scales.length", .unit = "m", .lowest = 0.0, .lowest_open = true,
       .help = "L_u: physical length of one code unit; kept in the output files."},
      {.path = "physics.scales.time", .unit = "s", .lowest = 0.0, .lowest_open = true,
       .help = "T_u: physical time of one code unit; kept in the output files."},
      {.path = "forcing.kind", .type = KeyType::choice, .default_text = "\"none\"",
       .choices = {"none", "nonhelical", "helical"},
       .help = "Random forcing: one plane wave from a shell of wave numbers, redrawn every step."},
      {.path = "forcing.amplitude", .unit = "1", .default_text = "0.02", .lowest = 0.0,
       .help = "f0 of N = f0 c sqrt(k c / dt); the mean energy input is f0^2 c^3 k / 4 per unit mass."},
      {.path = "forcing.k_min", .unit = "2 pi / side", .default_text = "2.5", .lowest = 0.0,
       .help = "Lower end of the shell, inclusive."},
      {.path = "forcing.k_max", .unit = "2 pi / side", .default_text = "3.5", .lowest = 0.0,
       .help = "Upper end of the shell, inclusive."},
      {.path = "forcing.wavevectors", .type = KeyType::list_reals3, .unit = "2 pi / side",
       .help = "Explicit integer wave vectors instead of a shell."},
      {.path = "forcing.helicity", .default_text = "1.0", .lowest = -1.0, .highest = 1.0,
       .help = "Relative helicity sigma of kind = \"helical\"; +1 forces curl f = +k f."},
      {.path = "forcing.seed", .type = KeyType::integer, .default_text = "1", .lowest = 0,
       .help = "Seed of the random numbers; the same seed gives the same run on any machine."},
      {.path = "forcing.normalisation", .type = KeyType::choice, .default_text = "\"mean\"",
       .choices = {"mean", "per-vector"},
       .help = "Whether k in the amplitude is the mean over the shell or that of the drawn vector."},
      {.path = "forcing.application", .type = KeyType::choice, .default_text = "\"kick\"", .choices = {"kick", "rhs"},
       .help = "Add the forcing once after each step, or as a constant term of the equation."},
      {.path = "numerics.order", .type = KeyType::integer, .default_text = "6", .choices = {"6"},
       .help = "Order of the finite differences."},
      {.path = "numerics.method", .type = KeyType::choice, .default_text = "\"55-point\"",
       .choices = {"55-point", "19-point"},
       .help = "grad div u by mixed derivatives in one pass, or by first derivatives of a stored div u."},
      {.path = "numerics.storage", .type = KeyType::choice, .default_text = "\"auto\"",
       .choices = {"auto", "two", "stored", "stored-full"},
       .help = "Runge-Kutta registers: two solutions, or the increment too; auto: two in double, stored in single."},
      {.path = "numerics.upwind", .type = KeyType::texts, .default_text = "[]", .choices = {"rho", "velocity"},
       .help = "Fields advected with 5th-order upwinding instead of central differences."},
      {.path = "time.scheme", .type = KeyType::choice, .default_text = "\"rk3-williamson\"",
       .choices = {"rk3-williamson", "rk3-cubism", "rk2", "rk4-carpenter-kennedy"},
       .help = "Low-storage Runge-Kutta scheme."},
      {.path = "time.cfl_viscous", .default_text = "0.25", .lowest = 0.0, .lowest_open = true,
       .help = "Limit on dt times nu sum 1/h^2; linear stability ends at 0.37."},
      {.path = "time.cfl_hyper", .default_text = "0.01", .lowest = 0.0, .lowest_open = true,
       .help = "Limit on dt times nu_3 sum 1/h^6; linear stability ends at 0.039."},
      {.path = "initial[].density", .type = KeyType::expression, .unit = "mass/length^3", .default_text = "1.0",
       .variables = "x y z r", .help = "Initial density; must be positive."},
      {.path = "initial[].velocity", .type = KeyType::expressions3, .unit = "length/time",
       .default_text = "[\"0\", \"0\", \"0\"]", .variables = "x y z r", .help = "Initial velocity."},
  };
}

void adjust_schema(config::Schema& schema) {
  schema.set_default("time.cfl", "0.9");
  schema.set_default("output.fields", "[\"rho\", \"velocity\"]");
}

}  // namespace watersmeet::isothermal
