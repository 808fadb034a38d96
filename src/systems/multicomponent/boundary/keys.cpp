// Input keys of boundary conditions: the same five for both sides of an axis, for one side, and for
// a part of one.
#include "config/usual_keys.hpp"
#include "systems/multicomponent/boundary/conditions.hpp"
#include "systems/side_conditions.hpp"

namespace watersmeet::multicomponent {

using config::choice_key;
using config::expression_key;
using config::expressions_key;
using config::Key;
using config::KeyType;
using config::text_key;

namespace {

const std::string variables = "x y z r t";

void add_values(std::vector<Key>& keys, const std::string& path, const std::string& where) {
  keys.push_back(text_key(path + ".fluid", "Kinds inflow and nonreflecting: fluid prescribed " +
                                               where +
                                               "; that of the initial state when "
                                               "unset."));
  const auto add = [&](Key key) {
    key.state =
        "rho velocity.x velocity.y velocity.z speed p energy Gamma Pi alpha sound_speed mach";
    keys.push_back(key);
  };
  add(expression_key(
      path + ".density", "mass/length^3", "", variables,
      "Density of the inflow, or of the far field of kind nonreflecting. When unset, that "
      "of the fluid if one is given here, else that of the initial state."));
  add(expression_key(path + ".pressure", "pressure", "", variables,
                     "Pressure of the inflow, or of the far field of kind nonreflecting; that "
                     "of the initial state when unset."));
  add(expressions_key(path + ".velocity", "length/time", "", variables,
                      "Velocity of the inflow, or of the far field of kind nonreflecting; that "
                      "of the initial state when unset."));
}

}  // namespace

std::vector<Key> boundary_keys() {
  std::vector<Key> keys;
  const std::vector<std::string> kinds = {"periodic",      "inflow",     "absorbing",
                                          "nonreflecting", "reflecting", "symmetry"};
  const auto add_side = [&](const std::string& path, const std::string& what,
                            const std::string& otherwise) {
    keys.push_back(
        choice_key(path + ".kind", "", kinds, "Condition of " + what + "; " + otherwise));
    add_values(keys, path, "at " + what);
  };
  systems::for_each_side_table(
      3,
      "absorbing when unset (reflecting at the axis of an axisymmetric grid). If one side is "
      "periodic, the opposite one must be too.",
      add_side);
  const std::string patch = "boundary.patch[]";
  std::vector<std::string> sides;
  for (int s = 0; s < 6; ++s) sides.push_back(systems::name_of_side(s));
  keys.push_back({.path = patch + ".side",
                  .type = KeyType::choice,
                  .required = true,
                  .choices = sides,
                  .help = "Side of the grid on which the patch lies. The patch has its own "
                          "condition; later patches overwrite earlier ones."});
  for (const std::string corner : {"lower", "upper"}) {
    keys.push_back({.path = patch + "." + corner,
                    .type = KeyType::reals3,
                    .unit = "length",
                    .required = true,
                    .help = "The " + corner +
                            " corner of the box that the centres of the patch's "
                            "faces lie in; its coordinate normal to the side is not used."});
  }
  keys.push_back({.path = patch + ".kind",
                  .type = KeyType::choice,
                  .required = true,
                  .choices = {kinds.begin() + 1, kinds.end()},
                  .help = "Condition of the patch."});
  add_values(keys, patch, "on the patch");
  return keys;
}

}  // namespace watersmeet::multicomponent
