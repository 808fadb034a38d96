// Conservation: of two gases in a periodic box while shocks form, and in an open tube, where what
// has passed the ends is counted.
#include <fmt/format.h>

#include <cmath>

#include "verify/multicomponent/groups.hpp"

namespace watersmeet::verify {

namespace {
// Two gases in layers of no symmetry; velocities of half the sound speed in waves of several
// directions, which steepen to shocks within the run.
FlowCase crossing_waves(std::int64_t n) {
  FlowCase c{
      .cells = {n, n, n},
      .fluids = fluid_line("air", {1, 0, 1, 1.4, 0}) + fluid_line("helium", {1, 0, 1, 1.667, 0}),
      .boundary = "x = \"periodic\"\ny = \"periodic\"\nz = \"periodic\"\n"};
  c.initial = fmt::format(
      "[[initial]]\nfluid = \"air\"\n"
      "density = \"1+0.5*sin(2*pi*(x+2*y)+0.3)*cos(2*pi*(z-x)+1.1)\"\n"
      "pressure = \"1+0.5*cos(2*pi*(x-y)+0.7)*sin(2*pi*(2*z+y)+0.2)\"\n"
      "velocity = [\"0.5*sin(2*pi*(x+y)+0.4)\", \"0.5*cos(2*pi*(y-2*z)+0.9)\", "
      "\"0.5*sin(2*pi*(z+x)+2.1)\"]\n"
      "[[initial]]\nfluid = \"helium\"\n"
      "density = \"0.6+0.2*cos(2*pi*(x+z)+0.5)\"\n"
      "shape = {{ kind = \"expression\", smoothing = 2, "
      "inside = \"0.1*(sin(2*pi*x+0.6)+cos(2*pi*(y+z)+1.3))\" }}\n");
  return c;
}

void periodic_rows(Verification& v) {
  const std::int64_t n = v.by_extent(16, 32, 64);
  const std::int64_t steps = v.at_least(Extent::quick) ? 200 : 60;
  Simulation s = start(v, crossing_waves(n));
  const auto before = s.diagnostics();
  // What momentum is compared with: the sum of rho c.
  const std::vector<double> rho = s.field("rho"), sound = s.field("sound_speed");
  const auto h = s.spacing();
  double most = 0;
  for (std::size_t i = 0; i < rho.size(); ++i) most += rho[i] * sound[i] * h[0] * h[1] * h[2];
  s.step(steps);
  const auto after = s.diagnostics();
  const std::string name = fmt::format("crossing waves, {}^3, {} steps, ", n, steps);
  const double bound = v.single() ? 2e-6 : 1e-13;
  v.below(name + "mass drift", std::abs(after.at("mass") / before.at("mass") - 1), bound);
  v.below(name + "energy drift", std::abs(after.at("energy") / before.at("energy") - 1), bound);
  for (const char* const column : {"momentum_x", "momentum_y", "momentum_z"}) {
    v.below(name + column + " drift", std::abs(after.at(column) - before.at(column)) / most, bound);
  }
  // Without shocks the row would show little: the steepest of them halves the gas within a cell.
  v.report(name + "largest Mach number", after.at("mach_max"), "waves of half the sound speed");
}

void open_rows(Verification& v) {
  const schemes::GasState left{1, 0.5, 1, 1.4, 0}, right{0.125, 0.5, 0.1, 1.4, 0};
  for (const char* const scheme : {"rk3-cubism", "rk3-williamson", "ssp-rk3"}) {
    FlowCase c{.cells = {100, 1, 1},
               .fluids = fluid_line("left", left) + fluid_line("right", right),
               .scheme = scheme};
    c.initial = two_halves(left, right, 0.5);
    Simulation s = start(v, c);
    const double mass = s.diagnostics().at("mass");
    s.advance_to(0.6);  // until the waves have left
    const auto d = s.diagnostics();
    const std::string name = fmt::format("open tube, {}, ", scheme);
    v.above(name + "change of the mass inside", std::abs(d.at("mass") / mass - 1), 0.01);
    v.below(name + "mass drift, ends counted", std::abs(d.at("mass_drift")), 1e-13);
    v.below(name + "energy drift, ends counted", std::abs(d.at("energy_drift")), 1e-13);
  }
}
}  // namespace

void verify_ledger(Verification& v) {
  periodic_rows(v);
  if (v.single()) {
    v.leave_out("drifts of the open tube", "their bound is that of double precision");
  } else {
    open_rows(v);
  }
}

}  // namespace watersmeet::verify
