// Order in time on a fixed grid: differences of runs whose steps are halved again and again.
#include <fmt/format.h>

#include <cmath>

#include "verify/boussinesq/groups.hpp"

namespace watersmeet::verify {

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
}  // namespace

// Three runs with halved steps need no exact solution.
void judge_order_in_time(Verification& v, const std::vector<std::string>& variables, FlowAtEnd flow,
                         const std::string& words) {
  struct Expected {
    const char* scheme;
    double order, tolerance;
  };
  // Projecting every stage is the same as the scheme on equations without divergence: nothing of
  // the order is lost.
  for (const Expected& e : {Expected{"ab2", 2, 0.05}, Expected{"rk3", 3, 0.1}}) {
    const double dt = 0.4 / 64;
    const Simulation s[3] = {flow(v, e.scheme, dt), flow(v, e.scheme, dt / 2),
                             flow(v, e.scheme, dt / 4)};
    for (const std::string& name : variables) {
      const double coarse = rms_difference(s[0].variable(name), s[1].variable(name)),
                   fine = rms_difference(s[1].variable(name), s[2].variable(name));
      v.near(fmt::format(fmt::runtime(words), e.scheme, name), std::log2(coarse / fine), e.order,
             e.tolerance);
    }
  }
}

void verify_multistep_order(Verification& v) {
  if (v.single())
    return v.leave_out("order in time", "differences are below the round-off of single precision");
  judge_order_in_time(v, {"u", "v", "w", "temperature"}, convection, "{0}, {1}");
}

}  // namespace watersmeet::verify
