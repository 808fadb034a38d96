// Shallow water on a cubed sphere: rest over any bed, a steady flow and an advected bell with the
// errors that the same scheme in numpy has (validation/reference/water_sphere.py), what is kept
// across edges of panels, and the same answers on every panel.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "verify/bit_rows.hpp"
#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

namespace {

struct SphereCase {
  std::int64_t n = 16;
  std::string initial = "state = \"williamson-2\"";  // lines of [[initial]]
  std::string physics = {}, numerics = {};
  double tilt = 0, cfl = 1.2;
};

std::string text_of(const SphereCase& c) {
  return fmt::format(
      "[case]\nsystem = \"shallow_water\"\n[grid]\nkind = \"cubed_sphere\"\n"
      "cells = {}\n[physics]\nrotation = {{ tilt = {:.17e} }}\n{}[numerics]\n{}"
      "[time]\nend = 1e9\ncfl = {}\n[[initial]]\n{}\n",
      c.n, c.tilt, c.physics, c.numerics, c.cfl, c.initial);
}

constexpr double quarter_turn = 1.5707963267948966;
const char* const waves =
    "surface = \"8000 + 200*cos(3*lon)*cos(lat)^3 + 100*sin(2*lat)\"\n"
    "velocity = [\"40*cos(lat) + 10*sin(2*lon)*cos(lat)^2\", \"10*cos(lon)*sin(2*lat)\", 0]";
const char* const mountains =
    "bed = \"800 + 700*sin(5*lon)*cos(3*lat)*cos(lat) + 600*exp(-9*((lon - 0.8)^2 + (lat - "
    "0.7)^2))\"\n";

void rest_rows(Verification& v, const std::string& numerics, const std::string& name) {
  SphereCase c;
  c.n = 24;
  c.initial = "surface = 3000";
  c.physics = mountains;
  c.numerics = numerics;
  Simulation s = start(v, c);
  const std::vector<double> before = s.field("surface");
  s.step(v.at_least(Extent::quick) ? 500 : 50);
  v.below(name + "largest speed", largest_magnitude(s.field("speed")), 1e-12);
  v.below(name + "largest change of the surface", largest_difference(before, s.field("surface")),
          1e-10);
}

// Errors of williamson-2 after 5 days: l1, l2 and linf of the depth, l2 of the velocity, drift of
// the energy, of validation/reference/water_sphere.py, the same scheme in numpy (--tilt 0.25 where
// tilted, --cfl 1.1 with kappa = 0). Rows of `discharges` are of the same scheme with discharges
// reconstructed in place of velocities (--carried discharge), which shows most in linf and the
// velocity at the corners of the panels: these are reported, and l1 and l2 may be up to a fifth
// smaller and a tenth larger. With 256 cells l2 is that of 128 divided by what its order there makes
// of it.
struct Steady {
  std::int64_t n;
  const char* kappa;
  bool tilted, discharges;
  double l1, l2, linf, velocity, energy;  // 0: not known
  Extent extent;
};
constexpr std::array<Steady, 13> steady_flows = {{
    {16, "1/3", false, false, 2.171e-3, 2.440e-3, 4.870e-3, 7.563e-3, -1.467e-3, Extent::brief},
    {32, "0", false, false, 5.905e-4, 6.417e-4, 9.464e-4, 2.581e-3, -3.001e-4, Extent::quick},
    {32, "1/2", false, false, 2.669e-4, 3.146e-4, 5.233e-4, 2.252e-3, -1.285e-4, Extent::quick},
    {32, "1/3", false, false, 2.892e-4, 3.248e-4, 6.406e-4, 1.153e-3, -1.860e-4, Extent::brief},
    {32, "1/3", true, false, 3.240e-4, 3.710e-4, 6.359e-4, 1.432e-3, -1.892e-4, Extent::brief},
    {64, "0", false, false, 1.013e-4, 1.121e-4, 1.701e-4, 6.340e-4, -3.775e-5, Extent::full},
    {64, "1/2", false, true, 5.64e-5, 6.63e-5, 1.26e-4, 5.4e-4, -1.6e-5, Extent::full},
    {64, "1/3", false, false, 3.956e-5, 4.529e-5, 8.756e-5, 2.089e-4, -2.335e-5, Extent::quick},
    {64, "1/3", true, false, 5.785e-5, 6.665e-5, 1.045e-4, 2.920e-4, -2.375e-5, Extent::full},
    {128, "1/3", false, true, 6.79e-6, 8.08e-6, 1.41e-5, 5.7e-5, -2.9e-6, Extent::full},
    {128, "1/3", true, true, 1.36e-5, 1.56e-5, 2.71e-5, 7.3e-5, -3.0e-6, Extent::full},
    {256, "1/3", false, true, 0, 1.5e-6, 0, 0, 0, Extent::full},
    {256, "1/3", true, true, 0, 3.8e-6, 0, 0, 0, Extent::full},
}};

SphereCase steady_case(std::int64_t n, const std::string& kappa, bool tilted) {
  SphereCase c;
  c.n = n;
  c.tilt = tilted ? quarter_turn / 2 : 0;
  c.numerics = fmt::format("reconstruction = {{ kappa = \"{}\" }}\n", kappa);
  if (kappa == "0") c.cfl = 1.1;  // its limit is 1.18; errors of a steady flow are those of space
  return c;
}

}  // namespace

void verify_sphere_rest(Verification& v) {
  rest_rows(v, "", "9 points, ");
  rest_rows(v, "reconstruction = { transverse = \"-1/24\" }\n", "c3 = -1/24, ");
  rest_rows(v, "riemann = \"hllc\"\n", "hllc, ");
  rest_rows(v, "riemann = \"linearised\"\nreconstruction = { limiter = \"tvd\" }\n",
            "tvd, linearised, ");
}

void verify_sphere_steady(Verification& v) {
  if (v.single())
    return v.leave_out("sphere, steady flow", "errors are measured in double precision");
  double coarser[2] = {0, 0};  // of kappa = 1/3, along the grid and tilted
  for (const Steady& flow : steady_flows) {
    if (!v.at_least(flow.extent)) continue;
    Simulation s = start(v, steady_case(flow.n, flow.kappa, flow.tilted));
    s.advance_to(5 * day);
    const auto numbers = s.diagnostics();
    const std::string name = fmt::format("N = {}, kappa = {}{}, ", flow.n, flow.kappa,
                                         flow.tilted ? ", tilted by pi/4" : "");
    const double l2 = numbers.at("error_l2");
    const auto judge = [&](const char* what, double value, double expected, bool of_depth) {
      if (expected > 0 && !flow.discharges) {
        v.near_relative(name + what, value, expected, 0.01);
      } else if (expected > 0 && of_depth) {
        v.within(name + what, value, 0.8 * expected, 1.1 * expected);
      } else {
        v.report(name + what, value,
                 expected > 0 ? fmt::format("of discharges {:.3g}", expected) : "unknown");
      }
    };
    judge("l2 of the depth", l2, flow.l2, true);
    judge("l1 of the depth", numbers.at("error_l1"), flow.l1, true);
    judge("linf of the depth", numbers.at("error_linf"), flow.linf, false);
    judge("l2 of the velocity", numbers.at("velocity_error_l2"), flow.velocity, false);
    v.below(name + "drift of the volume", std::abs(numbers.at("volume_drift")), 1e-12);
    const double lost = numbers.at("energy_drift");
    if (flow.energy != 0) {
      v.near_relative(name + "drift of the energy", lost, flow.energy,
                      flow.discharges ? 0.1 : 0.01);
    }
    if (std::string(flow.kappa) != "1/3") continue;
    double& before = coarser[flow.tilted ? 1 : 0];
    if (before > 0) v.above(name + "order from half of it", order_of(before, l2), 1.9);
    before = l2;
  }
  // With the transverse term.
  std::map<std::string, double> before;
  for (const std::int64_t n : {16, 32, 64}) {
    if (n > 32 && !v.at_least(Extent::quick)) break;
    SphereCase c = steady_case(n, "1/3", false);
    c.numerics = "reconstruction = { transverse = \"-1/24\" }\n";
    Simulation s = start(v, c);
    s.advance_to(5 * day);
    const auto numbers = s.diagnostics();
    for (const char* const error : {"error_l2", "velocity_error_l2"}) {
      const double here = numbers.at(error);
      if (n > 16) {
        v.above(fmt::format("N = {}, c3 = -1/24, {}, order from half of it", n, error),
                order_of(before.at(error), here), 1.9);
      }
      before[error] = here;
    }
  }
}

// Errors of the bell above the 1000 m that it lies on, after one turn in 12 days; expected ones from
// validation/reference/water_sphere.py (--tilt 0.25 where tilted).
void verify_sphere_bell(Verification& v) {
  if (v.single())
    return v.leave_out("sphere, advected bell", "errors are measured in double precision");
  const struct {
    std::int64_t n;
    bool tilted;
    double l1, l2, linf;
  } bells[] = {{32, false, 0.3923, 0.2514, 0.2040},
               {32, true, 0.3646, 0.2279, 0.2346},
               {64, false, 0.1021, 0.06699, 0.05032},
               {64, true, 0.08282, 0.05070, 0.03371}};
  for (const auto& bell : bells) {
    if (bell.n > 32 && !v.at_least(Extent::quick)) continue;
    SphereCase c = steady_case(bell.n, "1/3", bell.tilted);
    c.initial = "state = \"williamson-1\"";
    Simulation s = start(v, c);
    s.advance_to(12 * day);
    const auto numbers = s.diagnostics();
    const std::string name =
        fmt::format("N = {}{}, ", bell.n, bell.tilted ? ", tilted by pi/4" : "");
    v.near_relative(name + "l1", numbers.at("error_l1"), bell.l1, 0.01);
    v.near_relative(name + "l2", numbers.at("error_l2"), bell.l2, 0.01);
    v.near_relative(name + "linf", numbers.at("error_linf"), bell.linf, 0.01);
    v.below(name + "drift of the volume", std::abs(numbers.at("volume_drift")), 1e-12);
  }
}

// What round-off may do to the volume, relative to it. Every stage rounds the surface that it
// stores, by eps/2 of it at most. Over a flow that hardly changes many cells round alike: no help
// is counted on from the mean over cells, only that the signs of successive roundings are as good
// as random, a walk of stages x steps. In double precision any fault but round-off stands far above
// the bound.
double volume_round_off(const Verification& v, const Simulation& s, Extent extent) {
  if (!v.single()) return 1e-12;
  constexpr double eps = std::numeric_limits<float>::epsilon(), stages = 3;  // of ssp-rk3
  const double walk = eps / 2 * std::sqrt(stages * static_cast<double>(s.steps()));
  return extent == Extent::full ? walk : std::min(walk, 2e-6);
}

// A jet that is steady but unstable: errors at the edges of panels grow. Reported, not judged, with
// the values of validation/reference/water_sphere.py jet N --carried discharge.
void verify_sphere_jet(Verification& v) {
  const struct {
    std::int64_t n;
    Extent extent;
    const char* discharges;  // on days 2, 3 and 5
  } grids[] = {{32, Extent::brief, "unknown"},
               {64, Extent::quick, "0.118, 0.325, 0.911"},
               {128, Extent::full, "0.594 on day 5"},
               {256, Extent::full, "unknown"},
               {512, Extent::full, "unknown"}};
  for (const auto& grid : grids) {
    if (!v.at_least(grid.extent)) continue;
    SphereCase c;
    c.n = grid.n;
    c.initial = "state = \"barotropic-jet\"\nperturbed = false";
    Simulation s = start(v, c);
    for (const double on_day : {1.0, 2.0, 3.0, 5.0}) {
      if (on_day > 1 && !v.at_least(Extent::quick)) break;
      s.advance_to(on_day * day);
      v.report(fmt::format("N = {}, l2 of the velocity on day {:g}", grid.n, on_day),
               s.diagnostics().at("velocity_error_l2"),
               fmt::format("of discharges: {}", grid.discharges));
    }
    v.below(fmt::format("N = {}, drift of the volume", grid.n),
            std::abs(s.diagnostics().at("volume_drift")), volume_round_off(v, s, grid.extent));
  }
}

// Volume is kept across edges to round-off; a flow that is turned by a quarter lies on the panels
// as before, and has the same errors.
void verify_sphere_panels(Verification& v) {
  const double slack = v.single() ? 2e-6 : 1e-13;
  for (const char* c3 : {"0", "-1/24"}) {
    SphereCase c;
    c.n = 20;
    c.initial = waves;
    c.physics = mountains;
    c.numerics = fmt::format("reconstruction = {{ transverse = \"{}\" }}\n", c3);
    Simulation s = start(v, c);
    s.step(v.at_least(Extent::quick) ? 2000 : 200);
    const auto numbers = s.diagnostics();
    v.below(fmt::format("waves over mountains, c3 = {}, drift of the volume", c3),
            std::abs(numbers.at("volume_drift")), slack);
    v.above(fmt::format("waves over mountains, c3 = {}, fastest water", c3),
            numbers.at("speed_max"), 10);
  }
  if (v.single()) return;
  const auto error = [&](double tilt, const char* name) {
    SphereCase c = steady_case(16, "1/3", false);
    c.tilt = tilt;
    Simulation s = start(v, c);
    s.step(100);
    return s.diagnostics().at(name);
  };
  for (const char* const name : {"error_l2", "error_linf", "velocity_error_l2"}) {
    v.near_relative(fmt::format("{} around the poles and around the equator", name),
                    error(quarter_turn, name) / error(0, name), 1, 1e-9);
  }
}

void verify_sphere_bits(Verification& v) {
  for (const char* numerics : {"", "reconstruction = { transverse = \"-1/24\" }\n",
                               "reconstruction = { limiter = \"vanleer\" }\n"}) {
    SphereCase c;
    c.n = 21;
    c.initial = waves;
    c.physics = mountains;
    c.numerics = numerics;
    const std::string name = *numerics == 0 ? "9 points, "
                             : std::string(numerics).find("limiter") == std::string::npos
                                 ? "c3 = -1/24, "
                                 : "vanleer, ";
    bit_rows(v, name, {.on_threads = 12, .before = 5, .after = 7}, text_of(c));
  }
}

}  // namespace watersmeet::verify
