// An isolated material interface, carried through a periodic tube at uniform velocity and pressure
// by one length of the tube: both must stay uniform to round-off. The bounds leave room for another
// order of operations. What single precision leaves with the total energy is what
// validation/reference/two_fluid_problems.py has in single precision, within a factor of 2.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "verify/multicomponent/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr std::int64_t n = 200;

struct Carried {
  const char* name;
  schemes::GasState around, inside;  // one velocity, one pressure
  double smoothing;                  // of the interface, in units of sqrt(3) spacings
  std::string energy;
  double expected_p, expected_u;  // 0: unknown
  double bound_p, bound_u;        // 0: within a factor of 2 of what is expected
  std::int64_t steps;             // 0: one period
};

FlowCase case_of(const Carried& c, bool scaled_already) {
  FlowCase flow{.cells = {n, 1, 1},
                .fluids = fluid_line("around", c.around) + fluid_line("inside", c.inside),
                .energy = c.energy,
                .cfl = 0.5,
                .boundary = "x = \"periodic\"\n"};
  if (scaled_already) flow.density_scale = flow.speed_scale = 1;
  flow.initial =
      initial_entry("around", c.around) +
      initial_entry("inside", c.inside, 0,
                    fmt::format("kind = \"box\", lower = [0.25, 0, 0], upper = [0.75, 1, 1], "
                                "smoothing = {:.17g}",
                                c.smoothing));
  return flow;
}

void rows(Verification& v, const Carried& c, const std::string& precision) {
  const bool single = precision == "single";
  Simulation s = start(v, case_of(c, single), precision);
  if (c.steps > 0) {
    s.step(c.steps);
  } else {
    s.advance_to(1 / c.around.u);
  }
  const double dp = largest_deviation(s.field("p"), c.around.p);
  const double du = largest_deviation(component(s.field("velocity"), 0), c.around.u);
  const std::string name = fmt::format("{}, {} precision, ", c.name, precision);
  const auto row = [&](const char* what, double measured, double bound, double expected) {
    if (bound > 0) {
      v.below(name + what, measured, bound);
    } else if (expected > 0) {
      v.within(name + what, measured, expected / 2, 2 * expected);
    } else {
      v.report(name + what, measured, "");
    }
  };
  row("max |dp|/p", dp, c.bound_p, c.expected_p);
  row("max |du|/u", du, c.bound_u, c.expected_u);
  const auto d = s.diagnostics();
  // Cells of one fluid round alike what a stage stores, so that drifts grow with the steps: in
  // single precision an eighth of a unit in the last place a step leaves twice what was measured.
  constexpr double eps = std::numeric_limits<float>::epsilon();
  const double drift = single ? std::max(1e-4, eps / 8 * static_cast<double>(s.steps())) : 1e-14;
  v.below(name + "mass drift", std::abs(d.at("mass_drift")), drift);
  v.below(name + "energy drift", std::abs(d.at("energy_drift")), drift);
}

// In units of 1000 kg/m^3, 1000 m/s and 1 GPa.
schemes::GasState scaled(schemes::GasState s, double u, double p) {
  return {s.rho / 1e3, u, p, s.gamma, s.p_c / 1e9};
}
schemes::GasState moving(schemes::GasState s, double u) {
  s.u = u;
  return s;
}
}  // namespace

void verify_interface_advection(Verification& v) {
  const schemes::GasState dense{1, 1, 1, 1.4, 0}, light{0.1, 1, 1, 1.667, 0};
  const schemes::GasState water = moving(seed_water, 100), air = moving(seed_air, 100);
  const double wide = std::sqrt(3.0);  // smeared over three cells on either side
  if (v.single()) {
    v.leave_out("interface advection in double precision", "single precision was asked for");
  } else {
    rows(v, {"gas in gas", dense, light, 0, "auto", 7e-15, 7e-15, 1e-12, 1e-12, 0}, "double");
    rows(v, {"air in water, smeared", water, air, wide, "auto", 6e-11, 6e-13, 1e-8, 1e-10, 0},
         "double");
    rows(v, {"air in water, sharp", water, air, 0, "auto", 3e-6, 2e-7, 5e-5, 5e-6, 0}, "double");
  }
  if (!v.single() && !v.at_least(Extent::quick)) return;
  // Where the pressure is small compared with Pi its round-off is what it is with the total energy.
  rows(v, {"gas in gas", dense, light, 0, "auto", 8e-6, 5e-6, 1e-4, 1e-4, 0}, "single");
  const schemes::GasState water_s = scaled(seed_water, 0.1, 1e-4),
                          air_s = scaled(seed_air, 0.1, 1e-4);
  rows(v, {"air in water, total energy", water_s, air_s, wide, "total", 1.09e-2, 2.74e-4, 0, 0, 0},
       "single");
  rows(v, {"air in water, split energy", water_s, air_s, wide, "split", 2e-3, 4e-5, 1e-2, 2e-4, 0},
       "single");
  if (!v.at_least(Extent::quick)) return;
  const schemes::GasState water_p = scaled(seed_water, 0.1, 0.04),
                          air_p = scaled(seed_air, 0.1, 0.04);
  rows(v,
       {"air in water at 40 MPa, total energy", water_p, air_p, wide, "total", 2.36e-4, 0,
        1.3 * 2.36e-4, 0, 20000},
       "single");
  rows(v,
       {"air in water at 40 MPa, split energy", water_p, air_p, wide, "split", 8.4e-5, 0,
        1.15 * 8.4e-5, 0, 20000},
       "single");
}

}  // namespace watersmeet::verify
