// Input keys that the systems of central differences share.
#include "config/usual_keys.hpp"
#include "systems/central_system.hpp"

namespace watersmeet::systems {

using config::amount_key;
using config::bounded_key;
using config::choice_key;
using config::count_key;
using config::expression_key;
using config::expressions_key;
using config::Key;
using config::KeyType;
using config::positive_key;

std::vector<SourceEquation> central_source_equations() {
  return {{"velocity", 3, "length/time^2",
           "Adds to the rate of change of the velocity: an acceleration."},
          {"density", 1, "mass/(length^3 time)",
           "Adds to the rate of change of the density, at a velocity that stays what it is."}};
}

std::vector<Key> central_keys() {
  return {
      positive_key("physics.reference_density", "mass/length^3", "1.0",
                   "rho_0 of the stored ln(rho / rho_0)."),
      amount_key("physics.shock_viscosity", "1", "0.0",
                 "c_s of the bulk viscosity zeta_s = c_s h^2 smooth(max(0, -div u)), the largest "
                 "over neighbours, h the largest spacing: shocks of a few cells. 1 to 4 is usual."),
      expressions_key("physics.acceleration", "length/time^2", "", "x y z r",
                      "Body acceleration, constant in time."),
      positive_key("physics.scales.mass", "kg", "",
                   "M_u: physical mass of one code unit; kept in the output files."),
      positive_key("physics.scales.length", "m", "",
                   "L_u: physical length of one code unit; kept in the output files."),
      positive_key("physics.scales.time", "s", "",
                   "T_u: physical time of one code unit; kept in the output files."),
      choice_key(
          "forcing.kind", "none", {"none", "nonhelical", "helical"},
          "Random forcing: one plane wave from a shell of wave numbers, redrawn every step."),
      amount_key(
          "forcing.amplitude", "1", "0.02",
          "f0 of N = f0 c sqrt(k c / dt); the mean energy input is f0^2 c^3 k / 4 per unit mass."),
      amount_key("forcing.k_min", "2 pi / side", "2.5", "Lower end of the shell, inclusive."),
      amount_key("forcing.k_max", "2 pi / side", "3.5", "Upper end of the shell, inclusive."),
      {.path = "forcing.wavevectors",
       .type = KeyType::list_reals3,
       .unit = "2 pi / side",
       .help = "Explicit integer wave vectors instead of a shell."},
      bounded_key("forcing.helicity", "1", "1.0", -1.0, 1.0,
                  "Relative helicity sigma of kind = \"helical\"; +1 forces curl f = +k f."),
      count_key("forcing.seed", 0, "1",
                "Seed of the random numbers; the same seed gives the same forcing on any machine."),
      choice_key(
          "forcing.normalisation", "mean", {"mean", "per-vector"},
          "Whether k in the amplitude is the mean over the shell or that of the drawn vector."),
      choice_key("forcing.application", "kick", {"kick", "rhs"},
                 "Add the forcing once after each step, or as a constant term of the equation."),
      {.path = "numerics.order",
       .type = KeyType::integer,
       .default_text = "6",
       .choices = {"6"},
       .help = "Order of the finite differences."},
      choice_key("numerics.storage", "auto", {"auto", "two", "stored", "stored-full"},
                 "Runge-Kutta registers: two solutions, or the increment too; auto: two in double, "
                 "stored in single."),
      scheme_key(),
      expression_key("initial[].density", "mass/length^3", "1.0", "x y z r",
                     "Initial density; must be positive."),
      expressions_key("initial[].velocity", "length/time", "[\"0\", \"0\", \"0\"]", "x y z r",
                      "Initial velocity."),
  };
}

}  // namespace watersmeet::systems
