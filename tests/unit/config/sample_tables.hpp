#pragma once
// A second small system, with tables of every form: words for tables, tables whose names the case
// chooses, tables inside entries of lists, and lists below a section.

#include <string>
#include <vector>

#include "config/schema.hpp"

namespace sample {

using namespace watersmeet;
using namespace watersmeet::config;

inline std::vector<Key> fluid_keys() {
  return {
      {.path = "physics.model",
       .type = KeyType::choice,
       .default_text = "\"plain\"",
       .choices = {"plain", "compressing"},
       .help = "Form of the equation of the volume fraction."},
      {.path = "physics.fluids.*.gamma",
       .type = KeyType::real,
       .required = true,
       .lowest = 1,
       .lowest_open = true,
       .help = "Ratio of specific heats."},
      {.path = "physics.fluids.*.p_c",
       .type = KeyType::real,
       .unit = "pressure",
       .default_text = "0.0",
       .lowest = 0,
       .help = "Stiffness."},
      {.path = "physics.fluids.*.density",
       .type = KeyType::real,
       .unit = "density",
       .lowest = 0,
       .lowest_open = true,
       .help = "Density of entries of this fluid."},
      {.path = "physics.fluids.*.viscous.bulk",
       .type = KeyType::real,
       .default_text = "0.0",
       .help = "Bulk viscosity."},
      {.path = "physics.walls.*.kind",
       .type = KeyType::choice,
       .required = true,
       .choices = {"rigid", "elastic"},
       .help = "What a wall is made of."},
      {.path = "physics.walls.*.modulus",
       .type = KeyType::real,
       .default_text = "2.5",
       .help = "Modulus of an elastic wall."},
      {.path = "numerics.scales.*",
       .type = KeyType::real,
       .lowest = 0,
       .lowest_open = true,
       .help = "Size of a quantity."},
  };
}

inline std::vector<Key> side_keys(const std::string& side) {
  return {
      {.path = "boundary." + side + ".kind",
       .type = KeyType::choice,
       .default_text = "\"absorbing\"",
       .choices = {"absorbing", "inflow", "reflecting"},
       .help = "Condition on this side."},
      {.path = "boundary." + side + ".pressure",
       .type = KeyType::expression,
       .unit = "pressure",
       .variables = "x y z t",
       .help = "Pressure outside."},
      {.path = "boundary." + side + ".velocity",
       .type = KeyType::expressions3,
       .unit = "speed",
       .lowest = -1000,
       .variables = "x y z t",
       .help = "Velocity outside."},
  };
}

inline std::vector<Key> entry_keys() {
  return {
      {.path = "boundary.y",
       .type = KeyType::choice,
       .choices = {"periodic", "symmetry"},
       .help = "Condition on both sides along y."},
      {.path = "boundary.patch[].side",
       .type = KeyType::choice,
       .required = true,
       .choices = {"x_lower", "x_upper"},
       .help = "The side that it is a part of."},
      {.path = "boundary.patch[].kind",
       .type = KeyType::choice,
       .default_text = "\"inflow\"",
       .choices = {"absorbing", "inflow"},
       .help = "Condition on this part."},
      {.path = "boundary.patch[].profile.kind",
       .type = KeyType::choice,
       .default_text = "\"flat\"",
       .choices = {"flat", "power"},
       .help = "Shape of the inflow."},
      {.path = "boundary.patch[].profile.exponent",
       .type = KeyType::real,
       .default_text = "7.0",
       .help = "Exponent of the power law."},
      {.path = "initial[].fluid", .type = KeyType::text, .help = "Name of a fluid."},
      {.path = "initial[].velocity",
       .type = KeyType::expressions3,
       .unit = "speed",
       .variables = "x y z r",
       .help = "Velocity; what lies beneath when unset."},
      {.path = "initial[].shape.kind",
       .type = KeyType::choice,
       .required = true,
       .choices = {"sphere", "box", "half_space"},
       .help = "Form of the region."},
      {.path = "initial[].shape.centre",
       .type = KeyType::reals3,
       .unit = "length",
       .help = "Centre of a sphere."},
      {.path = "initial[].shape.radius",
       .type = KeyType::real,
       .unit = "length",
       .lowest = 0,
       .lowest_open = true,
       .help = "Radius of a sphere."},
      {.path = "initial[].shape.smoothing",
       .type = KeyType::real,
       .default_text = "1.0",
       .lowest = 0,
       .help = "Half width of the edge in cells."},
      {.path = "initial[].holes[].radius",
       .type = KeyType::real,
       .unit = "length",
       .required = true,
       .help = "Radius of a hole."},
  };
}

// A case that is right: its head, and a table of every form.
inline std::string tables_head() {
  return R"toml([case]
system = "multicomponent"
[grid]
cells = [8, 8, 8]
[time]
end = 1.0
)toml";
}

inline std::string tables_body() {
  return R"toml(
[physics.fluids]
water = { gamma = 6.12, p_c = 3.43e8 }
air = { gamma = 1.4, density = 1.204, viscous = {} }
[physics.walls]
steel = "rigid"
skin = { kind = "elastic", modulus = "2*pi" }
[numerics.scales]
speed = 100
Pi = 4e8
[boundary]
x_lower = "inflow"
x_upper = { kind = "reflecting", pressure = 1e5, velocity = [-3, "sin(t)", 1e-20] }
y = "periodic"
[[boundary.patch]]
side = "x_lower"
profile = "power"
[[boundary.patch]]
side = "x_upper"
kind = "absorbing"
[[initial]]
fluid = "water"
velocity = [1e20, "x*t0", -2]
[[initial.holes]]
radius = 1
[[initial.holes]]
radius = 2
[[initial]]
[initial.shape]
kind = "sphere"
centre = [0, 1, "2"]
[[initial]]
shape = "box"
[constants]
t0 = 3
)toml";
}

}  // namespace sample
