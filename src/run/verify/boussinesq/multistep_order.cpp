// Order in time on a fixed grid: differences of runs whose steps are halved again and again.
#include <fmt/format.h>

#include <cmath>

#include "run/verify/boussinesq/groups.hpp"

namespace watersmeet::run {

namespace {
Simulation convection(const Verification& v, const std::string& scheme, double dt) {
  ConvectionCase c;
  c.cells = {16, 8, 12};
  c.physics = "viscosity = 0.02\ndiffusivity = 0.02\nbuoyancy = 1\ncoriolis = [0, 0.3, 1]\n";
  c.scheme = scheme;
  c.temperature = "1 - z + 0.2*sin(2*pi*x)*sin(pi*z)*(1 + 0.3*cos(2*pi*y))";
  c.velocity = "\"sin(pi*z)*cos(2*pi*y)\", \"0\", \"0\"";
  c.boundary =
      "x = \"periodic\"\ny = \"periodic\"\nz_lower = { temperature = 1 }\n"
      "z_upper = { temperature = 0, velocity = [\"sin(t)^2\", 0, 0] }\n";
  c.dt = dt;
  Simulation s = start(v, c);
  s.advance_to(0.4);
  return s;
}

double difference(const Simulation& a, const Simulation& b, const std::string& name) {
  return rms_difference(a.variable(name), b.variable(name));
}
}  // namespace

void verify_multistep_order(Verification& v) {
  v.begin_group("order in time");
  if (v.single()) {
    v.leave_out("order in time", "differences are below the round-off of single precision");
    return;
  }
  struct Expected {
    const char* scheme;
    double order, tolerance;
  };
  // Projecting every stage is the same as the scheme on equations without divergence: nothing of
  // the order is lost.
  for (const Expected& e : {Expected{"ab2", 2, 0.05}, Expected{"rk3", 3, 0.1}}) {
    const double dt = 0.4 / 64;
    const Simulation s[3] = {convection(v, e.scheme, dt), convection(v, e.scheme, dt / 2),
                             convection(v, e.scheme, dt / 4)};
    for (const std::string& name :
         {std::string("u"), std::string("v"), std::string("w"), std::string("temperature")}) {
      const double order = std::log2(difference(s[0], s[1], name) / difference(s[1], s[2], name));
      v.near(fmt::format("{}, {}", e.scheme, name), order, e.order, e.tolerance);
    }
  }
}

}  // namespace watersmeet::run
