// Input keys of the initial state of multicomponent flow.
#include "config/number_keys.hpp"
#include "systems/multicomponent/initial/shape_reader.hpp"
#include "systems/multicomponent/initial/state.hpp"

namespace watersmeet::multicomponent {

using config::amount_key;
using config::Key;
using config::KeyType;
using config::positive_key;

std::vector<Key> initial_keys() {
  std::vector<Key> keys = {
      {.path = "initial[].fluid",
       .type = KeyType::text,
       .help = "Name of a fluid of [physics.fluids]; that of the entries before when unset. The "
               "first entry covers the whole grid, each later one the inside of its shape."},
      {.path = "initial[].density",
       .type = KeyType::expression,
       .unit = "mass/length^3",
       .variables = "x y z r",
       .help = "Initial density. When unset, that of the fluid given here, else that of the "
               "entries before."},
      {.path = "initial[].pressure",
       .type = KeyType::expression,
       .unit = "pressure",
       .variables = "x y z r",
       .help = "Initial pressure; that of the entries before when unset. Expressions are averaged "
               "over cells, so describe jumps by shapes."},
      {.path = "initial[].velocity",
       .type = KeyType::expressions3,
       .unit = "length/time",
       .variables = "x y z r",
       .help = "Initial velocity. When unset, that of the entries before, or 0."},
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
          "h; 0 gives a sharp interface. When unset 1, and 0 for a shock."),
      place("x"),
      place("y"),
      place("z"),
      {.path = "initial[].shape.side",
       .type = KeyType::choice,
       .choices = {"lower", "upper"},
       .help = "Side of the plane that a half space covers, or on which the shocked fluid is."},
      {.path = "initial[].shape.centre",
       .type = KeyType::reals3,
       .unit = "length",
       .help = "Centre of a sphere or cylinder."},
      positive_key("initial[].shape.radius", "length", "",
                   "Radius of a sphere, of each sphere in a row, or of a cylinder."),
      {.path = "initial[].shape.axis",
       .type = KeyType::choice,
       .choices = {"x", "y", "z"},
       .help = "Axis of an endless cylinder; z when unset."},
      {.path = "initial[].shape.count",
       .type = KeyType::integer,
       .lowest = 1,
       .highest = 1000000,
       .help = "Number of spheres in a row."},
      amount_key("initial[].shape.gap", "length", "",
                 "Distance between the surfaces of neighbouring spheres in a row."),
      {.path = "initial[].shape.first",
       .type = KeyType::reals3,
       .unit = "length",
       .help = "Centre of the first sphere of a row."},
      {.path = "initial[].shape.direction",
       .type = KeyType::choice,
       .choices = {"x", "y", "z"},
       .help = "Direction of a row of spheres from the first one."},
      {.path = "initial[].shape.lower",
       .type = KeyType::reals3,
       .unit = "length",
       .help = "Lower corner of a box."},
      {.path = "initial[].shape.upper",
       .type = KeyType::reals3,
       .unit = "length",
       .help =
           "Upper corner of a box. Where the box ends at a side of the grid it has no interface."},
      {.path = "initial[].shape.file",
       .type = KeyType::text,
       .help = "File of bubbles with one line \"x y z radius\" for each; # begins a comment. It is "
               "looked for beside the case, then in the working folder, and the run keeps a copy."},
      {.path = "initial[].shape.inside",
       .type = KeyType::expression,
       .unit = "length",
       .variables = "x y z r",
       .help = "Signed distance from the surface, at least approximately; positive inside."},
      {.path = "initial[].shape.pressure_jump",
       .unit = "pressure",
       .help = "Pressure behind the shock minus the pressure ahead of it; above 0."},
      {.path = "initial[].shape.mach",
       .help =
           "Mach number of the shock: its speed divided by the sound speed ahead of it; above 1."},
  };
}

}  // namespace watersmeet::multicomponent
