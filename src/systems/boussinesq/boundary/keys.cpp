// Input keys of boundary conditions: the same for both sides of an axis and for one side.
#include "config/usual_keys.hpp"
#include "systems/boussinesq/boundary/conditions.hpp"
#include "systems/side_conditions.hpp"

namespace watersmeet::boussinesq {

using config::bounded_key;
using config::choice_key;
using config::expression_key;
using config::expressions_key;
using config::Key;

namespace {

const std::string variables = "x y z r t";

// An expression that may read the state at the side.
Key of_state(Key key) {
  key.state = "velocity.x velocity.y velocity.z speed temperature *";
  return key;
}

void add_scalar(std::vector<Key>& keys, const std::string& value, const std::string& others,
                const std::string& unit, const std::string& what) {
  const auto expression = [&](const std::string& path, const std::string& its_unit,
                              const std::string& help) {
    keys.push_back(of_state(expression_key(path, its_unit, "", variables, help)));
  };
  expression(
      value, unit,
      "Value of the " + what + " at the side. Give only one of value, gradient, flux and robin.");
  expression(
      others + "gradient", unit + "/length",
      "Derivative of the " + what + " along the outward normal; 0 when no condition is given.");
  expression(others + "flux", unit + " length/time",
             "Diffusive flux of the " + what + " out of the domain, -kappa dT/dn.");
  keys.push_back(of_state(
      expressions_key(others + "robin", "1", "", variables,
                      "Coefficients [a, b, c] of the condition a T + b dT/dn = c for the " + what +
                          "; a and b are numbers.")));
}

}  // namespace

std::vector<Key> boundary_keys() {
  std::vector<Key> keys;
  const auto add_side = [&](const std::string& path, const std::string& what,
                            const std::string& otherwise) {
    keys.push_back(choice_key(
        path + ".kind", "", {"periodic", "no_slip", "free_slip", "partial_slip", "stress", "open"},
        "Condition of " + what + "; " + otherwise +
            " Kind open has pressure 0, and fluid may leave and enter."));
    keys.push_back(of_state(expressions_key(
        path + ".velocity", "length/time", "", variables,
        "Velocity of the wall; its normal component is a flow through the side. For kind "
        "open only the tangential components apply, to fluid that enters. 0 when unset.")));
    keys.push_back(
        bounded_key(path + ".slip", "1", "", 0.0, 1.0,
                    "Kind partial_slip: slip parameter s between free slip (0) and no slip (1)."));
    keys.push_back(of_state(
        expressions_key(path + ".stress", "length^2/time^2", "", variables,
                        "Kind stress: prescribed stress tau = nu dV/dn per unit mass, n being "
                        "the outward normal; its normal component must be 0.")));
    add_scalar(keys, path + ".temperature", path + ".temperature_", "temperature", "temperature");
    add_scalar(keys, path + ".scalars.*.value", path + ".scalars.*.", "1", "scalar");
  };
  systems::for_each_side_table(
      3, "no_slip when unset. If one side is periodic, the opposite one must be too.", add_side);
  return keys;
}

}  // namespace watersmeet::boussinesq
