// The atmosphere on a cubed sphere: rest over any terrain, what is kept across edges of panels, the
// same answers on every panel, steady flows that stay, and the same bits however it is computed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "run/verify/atmosphere/groups.hpp"
#include "run/verify/bit_rows.hpp"

namespace watersmeet::run {

namespace {

struct GlobeCase {
  std::int64_t n = 12, levels = 8;
  std::string initial = {};  // lines of [[initial]]
  std::string physics = "rotation = { rate = 1e-3 }\n";
  std::string reference = "kind = \"stratified\", brunt_vaisala = 0.01";
  std::string numerics = {};
  std::string time = "cfl = 0.9\n";
};

// A planet of 60 km under a lid at 12 km, on which waves travel far in few steps.
Simulation start(const Verification& v, const GlobeCase& c, int threads = 0) {
  return v.start(fmt::format("[case]\nsystem = \"atmosphere\"\n[grid]\nkind = \"cubed_sphere\"\n"
                             "cells = [{}, {}, {}]\nradius = 60e3\ntop = 12e3\n[physics]\n{}"
                             "reference = {{ {} }}\n[numerics]\n{}[time]\nend = 1e9\n{}{}",
                             c.n, c.n, c.levels, c.physics, c.reference, c.numerics, c.time,
                             c.initial.empty() ? "" : "[[initial]]\n" + c.initial),
                 "", threads);
}

const char* const mountains =
    "terrain = \"1000*(1 + cos(4*lon)*cos(lat)^2*sin(3*lat))\"\nrotation = { rate = 1e-3 }\n";
const char* const bubble =
    "theta = \"2*exp(-20*((cos(lat)*cos(lon) - 0.6)^2 + (cos(lat)*sin(lon) - 0.6)^2 + (sin(lat) - "
    "0.53)^2) - ((z - 5000)/2000)^2)\"\n"
    "velocity = [\"20*cos(lat)\", \"5*sin(2*lat)*cos(lon)\", 0]\n";

const char* const hevi = "cfl = 0.8\nscheme = \"hevi\"\n";
const char* const deep = "atmosphere = \"deep\"\n";  // r up to 1.2 a
const char* const transverse = "reconstruction = { transverse = \"-1/24\" }\n";

double count_nonzero(const Simulation& s) {
  double count = 0;
  for (const std::string& name : s.variables()) {
    for (const double value : s.variable(name)) count += value != 0 ? 1 : 0;
  }
  return count;
}

void rest_rows(Verification& v) {
  for (const char* const riemann : {"lmars", "ausm", "hllc"}) {
    GlobeCase c;
    c.physics = mountains;
    c.numerics = fmt::format("riemann = \"{}\"\n", riemann);
    Simulation s = start(v, c);
    s.step(v.at_least(Extent::quick) ? 1000 : 20);
    v.zero(fmt::format("mountains at rest, {}: numbers that are not 0", riemann), count_nonzero(s));
  }
  for (const int choice : {1, 2, 3}) {
    const bool split = choice % 2 == 1, deepened = choice >= 2;
    GlobeCase c;
    c.physics = std::string(deepened ? deep : "") + mountains;
    if (split) c.time = hevi;
    Simulation s = start(v, c);
    s.step(v.at_least(Extent::quick) ? 1000 : 20);
    v.zero(fmt::format("mountains at rest{}{}: numbers that are not 0", deepened ? ", deep" : "",
                       split ? ", hevi" : ""),
           count_nonzero(s));
  }
  for (const bool deepened : {false, true}) {
    GlobeCase c;
    c.physics = std::string(deepened ? deep : "") + mountains;
    c.numerics = transverse;
    Simulation s = start(v, c);
    s.step(v.at_least(Extent::quick) ? 1000 : 20);
    v.zero(fmt::format("mountains at rest{}, c3: numbers that are not 0", deepened ? ", deep" : ""),
           count_nonzero(s));
  }
  GlobeCase c;
  c.initial = bubble;
  Simulation moving = start(v, c);
  moving.step(5);
  v.above("with wind: numbers that are not 0", count_nonzero(moving), 5.0 * 0.9 * 6 * 12 * 12 * 8);
}

void conservation_rows(Verification& v) {
  const std::int64_t steps = v.at_least(Extent::full)    ? 10000
                             : v.at_least(Extent::quick) ? 1000
                                                         : 50;
  struct Choice {
    bool terrain, split, deepened, across = false;
  };
  for (const auto& [terrain, split, deepened, across] : {Choice{false, false, false},
                                                         {true, false, false},
                                                         {false, true, false},
                                                         {true, true, false},
                                                         {false, false, true},
                                                         {false, true, true},
                                                         {true, true, true},
                                                         {false, false, false, true},
                                                         {true, false, false, true},
                                                         {true, false, true, true}}) {
    GlobeCase c;
    if (across) c.numerics = transverse;
    c.initial = bubble;
    if (terrain) c.physics = mountains;
    if (deepened) c.physics = deep + c.physics;
    if (split) c.time = hevi;
    Simulation s = start(v, c);
    s.step(steps);
    const auto numbers = s.diagnostics();
    const std::string name =
        fmt::format("{}, {}{}{}{} steps, ", terrain ? "mountains" : "flat",
                    deepened ? "deep, " : "", split ? "hevi, " : "", across ? "c3, " : "", steps);
    v.below(name + "drift of the mass", std::abs(numbers.at("mass_drift")),
            v.single() ? 1e-7 : 1e-14);
    // The momentum of curved axes is not kept, and work is done by what is not.
    v.below(name + "drift of the energy", std::abs(numbers.at("energy_drift")),
            v.single() ? 1e-6 : 1e-14);
    v.above(name + "fastest air", numbers.at("speed_max"), 5);
  }
}

// A flow turned by a quarter around the axis is that of the next panel.
void rotation_rows(Verification& v, bool across) {
  const auto theta = [&](const char* lon) {
    GlobeCase c;
    c.initial = fmt::format(
        "theta = \"2*exp(4*cos({0} - 0.7)*cos(lat) - 4)*sin(pi*z/12000)\"\n"
        "velocity = [\"15*cos(lat)*(1 + 0.5*sin({0}))\", \"5*cos(lat)*cos({0})\", 0]\n",
        lon);
    if (across) c.numerics = transverse;
    Simulation s = start(v, c);
    s.step(40);
    return s.field("theta_perturbation");
  };
  const std::vector<double> here = theta("lon"), turned = theta("(lon - pi/2)");
  const std::size_t panel = here.size() / 6;
  double largest = 0, size = 0;
  for (std::size_t c = 0; c < 4 * panel; ++c) {
    largest = std::max(largest, std::abs(here[c] - turned[(c + panel) % (4 * panel)]));
    size = std::max(size, std::abs(here[c]));
  }
  v.below(fmt::format("turned by a quarter{}, relative difference of theta'", across ? ", c3" : ""),
          largest / size, v.single() ? 1e-3 : 1e-10);
}

// The zonal flow of DCMIP's case 3-1 without its bubble: what it becomes is error.
GlobeCase steady_shallow() {
  GlobeCase c;
  c.physics = "gravity = 9.80616\nrotation = { rate = 0 }\n";
  c.initial = "state = \"dcmip31\"\nperturbed = false\n";
  return c;
}

// Air of 300 K that turns as a whole, faster than the planet. With the distance s from the axis and
// the potential Phi = g z/(1 + z/a)
//   ln(p/p_0) = (((Omega + omega)^2 - Omega^2) s^2/2 - Phi)/(R_d T)
// At up to 1.2 a each term of a deep atmosphere counts.
GlobeCase steady_deep() {
  GlobeCase c;
  c.physics = std::string(deep) + "rotation = { rate = 1e-3 }\n";
  c.reference = "kind = \"isothermal\", temperature = 300";
  c.initial =
      "temperature = \"0\"\n"
      "pressure = \"1e5*exp(-9.81*z/(1 + z/60e3)/(287*300))"
      "*(exp(0.5*((1.3e-3)^2 - (1e-3)^2)*((60e3 + z)*cos(lat))^2/(287*300)) - 1)\"\n"
      "velocity = [\"3e-4*(60e3 + z)*cos(lat)\", 0, 0]\n";
  return c;
}

double steady_error(const Verification& v, GlobeCase c, std::int64_t n, std::int64_t levels) {
  c.n = n;
  c.levels = levels;
  Simulation s = start(v, c);
  const std::vector<double> before = s.field("velocity_east");
  s.advance_to(200);
  const std::vector<double> after = s.field("velocity_east"), w = s.field("w");
  double sum = 0;
  for (std::size_t p = 0; p < before.size(); ++p) {
    sum += (after[p] - before[p]) * (after[p] - before[p]) + w[p] * w[p];
  }
  return std::sqrt(sum / static_cast<double>(before.size()));
}

void steady_rows(Verification& v) {
  if (v.single()) return;
  for (const char* const choice : {"", "hevi", "c3"}) {
    GlobeCase c = steady_deep();
    if (choice == std::string("hevi")) c.time = hevi;
    if (choice == std::string("c3")) c.numerics = transverse;
    const double first = steady_error(v, c, 8, 6), second = steady_error(v, c, 16, 12);
    const std::string name =
        fmt::format("air turning in a deep atmosphere{}{}, ", *choice ? ", " : "", choice);
    v.below(name + "N = 16, error after 200 s", second, 0.1);
    v.above(name + "order from N = 8 to 16", order_of(first, second), 1.7);
    if (!v.at_least(Extent::quick)) continue;
    v.above(name + "order from N = 16 to 32", order_of(second, steady_error(v, c, 32, 24)), 1.7);
  }
  for (const bool across : {false, true}) {
    GlobeCase c = steady_shallow();
    if (across) c.numerics = transverse;
    const std::string name = fmt::format("steady zonal flow{}, ", across ? ", c3" : "");
    const double coarse = steady_error(v, c, 8, 6);
    v.below(name + "N = 8, error after 200 s", coarse, 0.5);
    if (!v.at_least(Extent::quick)) continue;
    const double fine = steady_error(v, c, 16, 12), finest = steady_error(v, c, 32, 24);
    v.above(name + "order from N = 8 to 16", order_of(coarse, fine), 1.7);
    v.above(name + "order from N = 16 to 32", order_of(fine, finest), 1.7);
  }
}

// Steps of ever smaller size, with sound across levels implicit, against the smallest explicit
// ones.
void hevi_rows(Verification& v) {
  if (v.single()) return;
  const auto theta = [&](double dt, const char* scheme) {
    GlobeCase c;
    c.initial =
        "theta = \"2*exp(4*cos(lon - 0.7)*cos(lat) - 4)*sin(pi*z/12000)^2\"\n"
        "velocity = [\"15*cos(lat)\", 0, 0]\n";
    c.physics = "rotation = { rate = 0 }\n";
    c.time = fmt::format("dt = {}\nscheme = \"{}\"\n", dt, scheme);
    Simulation s = start(v, c);
    s.advance_to(96);
    return s.field("theta_perturbation");
  };
  const auto far = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t p = 0; p < a.size(); ++p) sum += (a[p] - b[p]) * (a[p] - b[p]);
    return std::sqrt(sum / static_cast<double>(a.size()));
  };
  const std::vector<double> a = theta(8, "hevi"), b = theta(4, "hevi"), c = theta(2, "hevi");
  v.above("hevi, order in time of theta'", std::log2(far(a, b) / far(b, c)), 1.7);
  // Explicit fluxes between levels are other ones, of the same order in space: what both differ by
  // is the error of the mesh, far below the 2 K of the case.
  v.below("hevi against explicit, theta', K", far(c, theta(1, "ssp-rk3")), 0.02);

  // A jet of 28 m/s in balance; a step is 170 times what sound takes through a level.
  Simulation jet = v.start(
      "[case]\nsystem = \"atmosphere\"\n[grid]\nkind = \"cubed_sphere\"\ncells = [10, 10, 20]\n"
      "top = 30e3\n[physics]\ngravity = 9.80616\nreference = { kind = \"isothermal\", temperature "
      "= 250 }\n[time]\nend = 1e9\nscheme = \"hevi\"\n[[initial]]\nstate = "
      "\"baroclinic-wave\"\nperturbed = false\n");
  jet.advance_to(86400);
  const auto numbers = jet.diagnostics();
  v.below("balanced jet, hevi, a day: fastest rise", numbers.at("w_max"), 0.05);
  v.near("balanced jet, hevi, a day: fastest air", numbers.at("speed_max"), 27.8, 1.0);
  v.near("balanced jet, hevi, a day: lowest pressure on the ground, Pa",
         numbers.at("surface_pressure_min"), 1e5, 500);
}

// A step with a sponge is that without one, its departures over 1 + dt rate in the upper levels.
void sponge_rows(Verification& v, bool split) {
  GlobeCase c;
  c.initial = bubble;
  c.physics = mountains;
  c.time = fmt::format("dt = 1.0\n{}", split ? "scheme = \"hevi\"\n" : "");
  Simulation without = start(v, c);
  c.physics += "sponge.top = { width = 5000, rate = 0.5 }\n";
  Simulation with = start(v, c);
  without.step(1);
  with.step(1);
  const auto levels = static_cast<std::size_t>(c.levels),
             columns = static_cast<std::size_t>(c.n * c.n);
  double largest = 0, below = 0, damped = 0;
  for (const std::string& name : with.variables()) {
    const std::vector<double> a = with.variable(name), b = without.variable(name);
    for (std::size_t p = 0; p < a.size(); ++p) {
      const double from_lid = 12e3 - (static_cast<double>(p / columns % levels) + 0.5) * 1500;
      if (from_lid >= 5000) {
        below += a[p] != b[p] ? 1 : 0;
        continue;
      }
      const double sine = std::sin(0.5 * std::numbers::pi * (1 - from_lid / 5000));
      const double expected = b[p] / (1 + 0.5 * sine * sine);
      largest = std::max(largest, std::abs(a[p] - expected) / (std::abs(expected) + 1e-30));
      damped += b[p] != 0 ? 1 : 0;
    }
  }
  const std::string name = split ? "sponge, hevi: " : "sponge: ";
  v.zero(name + "values below it that it changes", below);
  v.below(name + "relative error of its step", largest, v.single() ? 5e-7 : 1e-15);
  v.above(name + "values in it", damped, 0.9 * 5 * 3 * 6 * 144);
}

void globe_bit_rows(Verification& v, const char* choice) {
  GlobeCase c;
  if (choice == std::string("hevi")) c.time = hevi;
  if (choice == std::string("c3")) c.numerics = transverse;
  const std::string name = fmt::format("{}{}", choice, *choice ? ", " : "");
  c.n = 13;
  c.levels = 7;
  c.initial = bubble;
  c.physics = mountains;
  bit_rows(v, name, {.on_threads = 6, .before = 3, .after = 4, .threads = {3}},
           [&](int threads) { return start(v, c, threads); });
}

}  // namespace

void verify_air_globe(Verification& v) {
  v.begin_group("sphere");
  rest_rows(v);
  conservation_rows(v);
  for (const bool across : {false, true}) rotation_rows(v, across);
  steady_rows(v);
  hevi_rows(v);
  for (const bool split : {false, true}) sponge_rows(v, split);
  for (const char* const choice : {"", "hevi", "c3"}) globe_bit_rows(v, choice);
}

}  // namespace watersmeet::run
