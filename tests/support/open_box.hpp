#pragma once
// Two fluids in a box with a condition of every kind but one on its sides across x and y, and inflow that changes in time.

#include <string>

namespace watersmeet::test {

// z_sides: lines of [boundary]. The text ends in its section [time].
inline std::string open_box(const std::string& cells, double upper_z, const std::string& z_sides) {
  return R"toml([case]
system = "multicomponent"
[grid]
lower = [0, 0, 0]
upper = [1, 1, )toml" +
         std::to_string(upper_z) + R"toml(]
cells = )toml" +
         cells + R"toml(
[physics.fluids]
liquid = { gamma = 6.12, p_c = 0.5, density = 1 }
gas = { gamma = 1.4, density = 0.5 }
[physics.scales]
density = 1
speed = 1
[numerics]
weno_scales = { density = 1, speed = 1, pressure = 1, Gamma = 2.5, Pi = 0.6 }
[boundary]
x_lower = { kind = "inflow", velocity = ["0.3 + 0.2*sin(9*t)", 0, "0.1*y"] }
x_upper = { kind = "nonreflecting", pressure = 0.9 }
y_lower = "reflecting"
y_upper = "absorbing"
)toml" + z_sides +
         R"toml([[initial]]
fluid = "liquid"
pressure = "1 + 0.2*cos(6*y - z)"
density = "1 + 0.3*sin(7*x + 3*y)"
velocity = ["0.2*cos(5*z)", "0.3*sin(4*x)", "-0.2*cos(3*y)"]
[[initial]]
fluid = "gas"
shape = { kind = "sphere", centre = [0.5, 0.4, 0.6], radius = 0.2 }
[time]
steps = 1000000
)toml";
}

// Both of them conditions, for open_box().
inline const std::string shut_z = "z_lower = \"nonreflecting\"\nz_upper = \"symmetry\"\n";

}  // namespace watersmeet::test
