// States that the discrete equations keep to round-off: conduction at rest under gravity, straight
// profiles between all pairs of conditions for a scalar, Couette's flow, flow driven by a stress,
// and Poiseuille's, whose discrete profile is the parabola and F h^2/(8 nu) more.
#include <fmt/format.h>

#include "core/math.hpp"
#include "verify/boussinesq/groups.hpp"

namespace watersmeet::verify {

namespace {

// Text of [boundary] with conditions at both sides of `axis`, all else periodic.
std::string sides(int axis, const std::string& lower, const std::string& upper) {
  std::string text;
  for (int a = 0; a < 3; ++a) {
    if (a == axis) {
      text += fmt::format("{0}_lower = {{ {1} }}\n{0}_upper = {{ {2} }}\n", axis_letters[a], lower,
                          upper);
    } else {
      text += fmt::format("{} = \"periodic\"\n", axis_letters[a]);
    }
  }
  return text;
}

ConvectionCase box(int axis, bool stretched = false) {
  ConvectionCase c;
  c.cells = {12, 12, 12};
  c.cells[static_cast<std::size_t>((axis + 1) % 3)] = 8;
  c.physics = "viscosity = 1\ndiffusivity = 1\n";
  c.dt = 5e-4;
  if (stretched) {
    c.grid = "z_stretching = 1.2\n";
    c.dt = 2e-4;
  }
  return c;
}

void conduction(Verification& v, bool stretched) {
  constexpr double b = 1000;  // below the onset of convection: nothing grows
  ConvectionCase c = box(2, stretched);
  c.physics += fmt::format("buoyancy = {}\n", b);
  c.temperature = "1 - z";
  c.boundary = sides(2, "temperature = 1", "temperature = 0");
  Simulation s = start(v, c);
  s.step(100);
  const double w = largest_magnitude(s.variable("w")) / (b * c.dt);
  v.below(fmt::format("conduction at rest{}: w / (B dT dt)", stretched ? ", stretched" : ""), w,
          v.single() ? 1e-4 : 1e-13);
}

// A scalar of slope 2 along an axis, held by one condition on each side.
void straight_profiles(Verification& v, int axis) {
  const std::string conditions[2][4] = {
      {"temperature = 1", "temperature_gradient = -2", "temperature_flux = 2",
       "temperature_robin = [1, 0.25, 0.5]"},  // T = 1 and dT/dn = -2 at the lower side
      {"temperature = 3", "temperature_gradient = 2", "temperature_flux = -2",
       "temperature_robin = [1, 0.25, 3.5]"}};
  double worst = 0;
  for (int lower = 0; lower < 4; ++lower) {
    for (int upper = 0; upper < 4; ++upper) {
      ConvectionCase c = box(axis);
      c.temperature = fmt::format("1 + 2*{}", axis_letters[axis]);
      c.boundary = sides(axis, conditions[0][lower], conditions[1][upper]);
      Simulation s = start(v, c);
      const std::vector<double> before = s.variable("temperature");
      s.step(50);
      worst = max_or_nan(worst, largest_difference(s.variable("temperature"), before));
    }
  }
  v.below(fmt::format("straight profile along {}, pairs of conditions: change", axis_letters[axis]),
          worst, v.single() ? 3e-6 : 2e-14);
}

void shear_flow(Verification& v, int axis, const std::string& name, const std::string& profile,
                const std::string& lower, const std::string& upper, const std::string& more = "") {
  const std::size_t next = static_cast<std::size_t>((axis + 1) % 3);
  ConvectionCase c = box(axis);
  c.physics += more;
  c.velocity = list_along(next, "\"" + profile + "\"");
  c.boundary = sides(axis, lower, upper);
  Simulation s = start(v, c);
  const std::string variable(1, "uvw"[next]);
  const std::vector<double> before = s.variable(variable);
  s.step(50);
  v.below(fmt::format("{} across {}: change", name, axis_letters[axis]),
          largest_difference(s.variable(variable), before), v.single() ? 3e-6 : 2e-14);
}

void shear_flows(Verification& v, int axis) {
  const std::size_t next = static_cast<std::size_t>((axis + 1) % 3);
  const std::string x(1, axis_letters[axis]);
  const std::string still = "kind = \"no_slip\"";
  shear_flow(v, axis, "Couette's flow", x, still,
             "kind = \"no_slip\", velocity = [" + list_along(next, "1") + "]");
  shear_flow(v, axis, "flow under a stress", "3*" + x, still,
             "kind = \"stress\", stress = [" + list_along(next, "3") + "]");
  // s = 1/2: the wall value counts half, the ghost is V = 2.
  shear_flow(v, axis, "partial slip", fmt::format("{} * 2 / (1 + 1.0/24)", x), still,
             "kind = \"partial_slip\", slip = 0.5, velocity = [" + list_along(next, "2") + "]");
  // F h^2/(8 nu) on the parabola F/(2 nu) x (1 - x), F = 4, h = 1/12.
  shear_flow(v, axis, "Poiseuille's flow", fmt::format("2*{0}*(1 - {0}) + 0.5/144", x), still,
             still, "acceleration = [" + list_along(next, "4") + "]\n");
}
}  // namespace

void verify_rest_states(Verification& v) {
  conduction(v, false);
  conduction(v, true);
  for (int axis = 0; axis < 3; ++axis) {
    straight_profiles(v, axis);
    shear_flows(v, axis);
  }
}

}  // namespace watersmeet::verify
