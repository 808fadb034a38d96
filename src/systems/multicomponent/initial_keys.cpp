// Input keys of the initial state of multicomponent flow.
#include "systems/multicomponent/initial.hpp"
#include "systems/multicomponent/shape_reader.hpp"

namespace watersmeet::multicomponent {

using config::Key;
using config::KeyType;

std::vector<Key> initial_keys() {
  std::vector<Key> keys = {
      {.path = "initial[].fluid",
       .type = KeyType::text,
       .help = "Name of a fluid of [physics.fluids]; that beneath when unset. The first entry "
               "covers the grid, later ones cover what their shapes hold."},
      {.path = "initial[].density",
       .type = KeyType::expression,
       .unit = "mass/length^3",
       .variables = "x y z r",
       .help = "Initial density; that of the fluid, or beneath, when unset."},
      {.path = "initial[].pressure",
       .type = KeyType::expression,
       .unit = "pressure",
       .variables = "x y z r",
       .help = "Initial pressure; that beneath when unset. Averaged over cells: put jumps into "
               "shapes."},
      {.path = "initial[].velocity",
       .type = KeyType::expressions3,
       .unit = "length/time",
       .variables = "x y z r",
       .help = "Initial velocity; that beneath, at first 0, when unset."},
  };
  const std::vector<Key> shapes = shape_keys();
  keys.insert(keys.end(), shapes.begin(), shapes.end());
  return keys;
}

std::vector<Key> shape_keys() {
  const auto place = [](const std::string& axis) {
    return Key{.path = "initial[].shape." + axis,
               .unit = "length",
               .help = "Place of the plane of a half space or shock across " + axis + "."};
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
      {.path = "initial[].shape.smoothing",
       .lowest = 0.0,
       .help = "m of the interface's half width m sqrt(3) h; 0 is sharp, cell by cell. When unset "
               "1, and 0 of a shock."},
      place("x"),
      place("y"),
      place("z"),
      {.path = "initial[].shape.side",
       .type = KeyType::choice,
       .choices = {"lower", "upper"},
       .help = "Which side of its plane a half space covers; of a shock, where the shocked fluid "
               "is."},
      {.path = "initial[].shape.centre",
       .type = KeyType::reals3,
       .unit = "length",
       .help = "Centre of a sphere or cylinder."},
      {.path = "initial[].shape.radius",
       .unit = "length",
       .lowest = 0.0,
       .lowest_open = true,
       .help = "Radius of a sphere, of those of a row, or of a cylinder."},
      {.path = "initial[].shape.axis",
       .type = KeyType::choice,
       .choices = {"x", "y", "z"},
       .help = "Axis of an endless cylinder; z when unset."},
      {.path = "initial[].shape.count",
       .type = KeyType::integer,
       .lowest = 1,
       .highest = 1000000,
       .help = "Number of spheres in a row."},
      {.path = "initial[].shape.gap",
       .unit = "length",
       .lowest = 0.0,
       .help = "Between the surfaces of neighbours in a row of spheres."},
      {.path = "initial[].shape.first",
       .type = KeyType::reals3,
       .unit = "length",
       .help = "Centre of the first sphere of a row."},
      {.path = "initial[].shape.direction",
       .type = KeyType::choice,
       .choices = {"x", "y", "z"},
       .help = "Direction in which a row of spheres goes on from the first."},
      {.path = "initial[].shape.lower",
       .type = KeyType::reals3,
       .unit = "length",
       .help = "Lower corner of a box."},
      {.path = "initial[].shape.upper",
       .type = KeyType::reals3,
       .unit = "length",
       .help = "Upper corner of a box; a side at the grid's own is no interface."},
      {.path = "initial[].shape.file",
       .type = KeyType::text,
       .help =
           "File of bubbles, a line \"x y z radius\" each, # before comments; looked for beside "
           "the case, then in the working folder. The run keeps a copy."},
      {.path = "initial[].shape.inside",
       .type = KeyType::expression,
       .unit = "length",
       .variables = "x y z r",
       .help = "Distance from the surface, or nearly so, positive inside."},
      {.path = "initial[].shape.pressure_jump",
       .unit = "pressure",
       .help = "Pressure behind the shock less that ahead; above 0."},
      {.path = "initial[].shape.mach",
       .help = "Speed of the shock over the sound speed ahead of it; above 1."},
  };
}

}  // namespace watersmeet::multicomponent
