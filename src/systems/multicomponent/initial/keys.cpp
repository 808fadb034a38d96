// Input keys of the initial state of multicomponent flow.
#include "config/usual_keys.hpp"
#include "systems/multicomponent/initial/shape_reader.hpp"
#include "systems/multicomponent/initial/state.hpp"

namespace watersmeet::multicomponent {

using config::amount_key;
using config::choice_key;
using config::expression_key;
using config::expressions_key;
using config::Key;
using config::KeyType;
using config::positive_key;
using config::text_key;
using config::vector_key;

std::vector<Key> initial_keys() {
  std::vector<Key> keys = {
      text_key("initial[].fluid",
               "Name of a fluid of [physics.fluids]; that of the entries before when unset. The "
               "first entry covers the whole grid, each later one the inside of its shape."),
      expression_key("initial[].density", "mass/length^3", "", "x y z r",
                     "Initial density. When unset, that of the fluid given here, else that of the "
                     "entries before."),
      expression_key(
          "initial[].pressure", "pressure", "", "x y z r",
          "Initial pressure; that of the entries before when unset. Expressions are averaged "
          "over cells, so describe jumps by shapes."),
      expressions_key("initial[].velocity", "length/time", "", "x y z r",
                      "Initial velocity. When unset, that of the entries before, or 0."),
  };
  const std::vector<Key> shapes = shape_keys();
  keys.insert(keys.end(), shapes.begin(), shapes.end());
  return keys;
}

std::vector<Key> shape_keys() {
  const auto place = [](const std::string& axis) {
    return Key{.path = "initial[].shape." + axis,
               .unit = "length",
               .help = "Position of the plane of a half space or shock along " + axis + "."};
  };
  return {
      {.path = "initial[].shape.kind",
       .type = KeyType::choice,
       .required = true,
       .choices = {"half_space", "sphere", "sphere_row", "cylinder", "box", "bubbles", "expression",
                   "shock"},
       .help =
           "What the entry covers: half_space (x, y or z, side), sphere (centre, radius), "
           "sphere_row (radius, count, gap, first, direction), cylinder (centre, radius, axis), "
           "box (lower, upper), bubbles (file), expression (inside), shock (x, y or z, side, "
           "pressure_jump or mach)."},
      amount_key(
          "initial[].shape.smoothing", "1", "",
          "Smoothing m: the interface has the half width m sqrt(3) h, with cells of the width "
          "h (the largest of the cell at hand); 0 gives a sharp interface. When unset 1, and 0 for "
          "a shock."),
      place("x"),
      place("y"),
      place("z"),
      choice_key("initial[].shape.side", "", {"lower", "upper"},
                 "Side of the plane that a half space covers, or on which the shocked fluid is."),
      vector_key("initial[].shape.centre", "length", "", "Centre of a sphere or cylinder."),
      positive_key("initial[].shape.radius", "length", "",
                   "Radius of a sphere, of each sphere in a row, or of a cylinder."),
      choice_key("initial[].shape.axis", "", {"x", "y", "z"},
                 "Axis of an endless cylinder; z when unset."),
      {.path = "initial[].shape.count",
       .type = KeyType::integer,
       .lowest = 1,
       .highest = 1000000,
       .help = "Number of spheres in a row."},
      amount_key("initial[].shape.gap", "length", "",
                 "Distance between the surfaces of neighbouring spheres in a row."),
      vector_key("initial[].shape.first", "length", "", "Centre of the first sphere of a row."),
      choice_key("initial[].shape.direction", "", {"x", "y", "z"},
                 "Direction of a row of spheres from the first one."),
      vector_key("initial[].shape.lower", "length", "", "Lower corner of a box."),
      vector_key(
          "initial[].shape.upper", "length", "",
          "Upper corner of a box. Where the box ends at a side of the grid it has no interface."),
      text_key("initial[].shape.file",
               "File of bubbles with one line \"x y z radius\" for each; # begins a comment. It is "
               "looked for beside the case, then in the working folder, and the run keeps a copy."),
      expression_key("initial[].shape.inside", "length", "", "x y z r",
                     "Signed distance from the surface, at least approximately; positive inside."),
      {.path = "initial[].shape.pressure_jump",
       .unit = "pressure",
       .help = "Pressure behind the shock minus the pressure ahead of it; above 0."},
      {.path = "initial[].shape.mach",
       .help =
           "Mach number of the shock: its speed divided by the sound speed ahead of it; above 1."},
  };
}

}  // namespace watersmeet::multicomponent
