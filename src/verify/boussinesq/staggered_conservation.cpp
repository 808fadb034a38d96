// What advection keeps on the staggered grid: sums of the temperature and of momentum, to
// round-off, and the kinetic energy, to round-off in space and to second order of dt altogether.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "verify/boussinesq/groups.hpp"

namespace watersmeet::verify {

namespace {

double sum(const std::vector<double>& values) {
  return static_cast<double>(std::accumulate(values.begin(), values.end(), 0.0L));
}

// Turbulent convection between insulating walls, and in a periodic box.
void sums_stay(Verification& v) {
  for (const bool walls : {true, false}) {
    ConvectionCase c;
    c.cells = {20, 14, 12};
    c.physics = "viscosity = 1e-3\ndiffusivity = 1e-3\nbuoyancy = 1\n";
    c.temperature = "1 + x + cos(2*pi*y)*sin(2*pi*z)";
    c.velocity = "\"sin(2*pi*z)\", \"0.3*sin(2*pi*x)\", \"0.2*sin(2*pi*y)\"";
    if (walls) c.boundary = "x = \"no_slip\"\ny = \"free_slip\"\nz = \"no_slip\"\n";
    c.numerics = walls ? "" : "advection = \"centered2\"\n";
    Simulation s = start(v, c);
    const double cells = 20 * 14 * 12, heat = sum(s.variable("temperature"));
    const double momentum = sum(s.variable("u"));
    s.step(60);
    const std::string name = walls ? "closed box: " : "periodic box: ";
    v.below(name + "drift of the mean temperature",
            std::abs(sum(s.variable("temperature")) / heat - 1), v.single() ? 1e-6 : 1e-13);
    if (!walls) {
      v.below(name + "drift of the mean velocity along x",
              std::abs(sum(s.variable("u")) - momentum) / cells, v.single() ? 1e-6 : 1e-14);
    }
  }
}

Simulation inviscid(const Verification& v, double dt) {
  ConvectionCase c;
  c.cells = {16, 16, 16};
  c.upper = {two_pi, two_pi, two_pi};
  c.dt = dt;
  Simulation s = start(v, c);
  const auto u = random_solenoidal(s.cells(), s.spacing(), 11);
  s.set_variable("u", u[0]);
  s.set_variable("v", u[1]);
  s.set_variable("w", u[2]);
  return s;
}

// <u . N(u)> from one step of Euler's: u^1 - u^0 is dt N(u) without its gradient part, which is
// orthogonal to u.
void energy_in_space(Verification& v) {
  constexpr double dt = 0.01;
  Simulation s = inviscid(v, dt);
  const char* const names[] = {"u", "v", "w"};
  std::vector<double> before[3];
  for (int a = 0; a < 3; ++a) before[a] = s.variable(names[a]);
  s.step(1);
  long double work = 0;
  for (int a = 0; a < 3; ++a) {
    const std::vector<double> after = s.variable(names[a]);
    for (std::size_t i = 0; i < after.size(); ++i)
      work += static_cast<long double>(before[a][i]) * (after[i] - before[a][i]);
  }
  const double power = static_cast<double>(work) / (16.0 * 16 * 16) / dt;
  // |u| = 1, so that |u|^3/h is 16/(2 pi).
  v.below("<u . N(u)> of a random velocity, over |u|^3/h", std::abs(power) * two_pi / 16,
          v.single() ? 1e-5 : 1e-14);
}

void energy_in_time(Verification& v) {
  if (v.single())
    return v.leave_out("drift of the energy in time",
                       "it is below the round-off of single precision");
  double drift[3];
  for (int n = 0; n < 3; ++n) {
    Simulation s = inviscid(v, 0.02 / (1 << n));
    const double before = s.diagnostics().at("kinetic_energy");
    s.advance_to(2);
    drift[n] = s.diagnostics().at("kinetic_energy") / before - 1;
  }
  v.near("drift of the energy until t = 2: order in dt", std::log2(std::abs(drift[1] / drift[2])),
         2, 0.15);
  v.report("the same at dt = 0.02, 0.01 and 0.005", drift[0],
           fmt::format("{:.2e}, {:.2e}", drift[1], drift[2]));
}
}  // namespace

void verify_staggered_conservation(Verification& v) {
  sums_stay(v);
  energy_in_space(v);
  energy_in_time(v);
}

}  // namespace watersmeet::verify
