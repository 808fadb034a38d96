// Stretched levels on a sphere: rest over terrain, what is kept, orders, the flow of equal levels
// where a list makes them equal, implicit sound against explicit steps, and the same bits.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "run/verify/atmosphere/globe_case.hpp"
#include "run/verify/atmosphere/groups.hpp"
#include "run/verify/bit_rows.hpp"

namespace watersmeet::run {

namespace {

const char* const growing = "z_mapping = \"exp(1.5*s)\"\n";

// What a case may have beside stretched levels; the words that say so.
struct Choice {
  const char* name;
  bool terrain = false, deepened = false, split = false, across = false;
  const char* numerics = "";
};

GlobeCase case_of(const Choice& choice) {
  GlobeCase c;
  c.grid = growing;
  if (choice.terrain) c.physics = globe_mountains;
  if (choice.deepened) c.physics = deep_globe + c.physics;
  if (choice.split) c.time = globe_hevi;
  c.numerics = choice.across ? globe_transverse : choice.numerics;
  return c;
}

void rest_rows(Verification& v) {
  for (const Choice& choice :
       {Choice{"lmars", true}, Choice{"deep", true, true}, Choice{"hevi", true, false, true},
        Choice{"deep, hevi", true, true, true}, Choice{"c3", true, false, false, true},
        Choice{"hllc, limited", true, false, false, false,
               "riemann = \"hllc\"\nreconstruction = { limiter = \"vanleer\" }\n"}}) {
    Simulation s = start(v, case_of(choice));
    s.step(v.at_least(Extent::quick) ? 1000 : 20);
    v.zero(fmt::format("mountains at rest, {}: numbers that are not 0", choice.name),
           count_nonzero(s));
  }
}

void conservation_rows(Verification& v) {
  const std::int64_t steps = v.at_least(Extent::full)    ? 10000
                             : v.at_least(Extent::quick) ? 1000
                                                         : 50;
  for (const Choice& choice :
       {Choice{"flat"}, Choice{"mountains, hevi", true, false, true},
        Choice{"mountains, deep", true, true}, Choice{"deep, hevi", false, true, true},
        Choice{"mountains, c3", true, false, false, true}}) {
    GlobeCase c = case_of(choice);
    c.initial = globe_bubble;
    Simulation s = start(v, c);
    s.diagnostics();  // the beginning
    s.step(steps);
    const auto numbers = s.diagnostics();
    const std::string name = fmt::format("sphere, {}, {} steps, ", choice.name, steps);
    v.below(name + "drift of the mass", std::abs(numbers.at("mass_drift")),
            v.single() ? 1e-7 : 1e-14);
    v.below(name + "drift of the energy", std::abs(numbers.at("energy_drift")),
            v.single() ? 1e-6 : 1e-14);
    v.above(name + "fastest air", numbers.at("speed_max"), 5);
  }
}

// w of the lowest mode of isothermal columns of 12 km after a period; `crossed`: levels of mean
// thickness that sound crosses in a step.
double column_error(const Verification& v, std::int64_t levels, bool split, double crossed) {
  const SoundingColumn column = sounding_column(levels, crossed, 12e3);
  GlobeCase c;
  c.n = 8;
  c.levels = levels;
  c.grid = growing;
  c.physics = "rotation = { rate = 0 }\n";
  c.reference = "kind = \"isothermal\", temperature = 250";
  c.initial = column.air.initial;
  c.time = fmt::format("dt = {:.17e}\n{}", column.air.dt, split ? "scheme = \"hevi\"\n" : "");
  Simulation s = start(v, c);
  const std::vector<double> before = s.field("w");
  s.step(column.steps);
  return rms_difference(s.field("w"), before) / rms(before);
}

// Largest w that air takes up which is heavier by the same everywhere, in balance: p' falls in a
// straight line of z, also to the ground and the lid.
double balanced_motion(const Verification& v, const char* numerics, const char* time) {
  GlobeCase c;
  c.grid = growing;
  c.physics = "rotation = { rate = 0 }\n";
  c.initial = "density = \"0.01\"\npressure = \"-9.81*0.01*z\"\n";
  c.numerics = numerics;
  c.time = time;
  Simulation s = start(v, c);
  s.step(5);
  double largest = 0;
  for (const double w : s.field("w")) largest = std::max(largest, std::abs(w));
  return largest;
}

// As in levels.cpp: largest error of what the density of a straight line changes by in a step, over
// that change, away from the walls.
double line_error(const Verification& v, const char* numerics) {
  const double wind = 0.01, slope = 1e-5, dt = 50;
  GlobeCase c;
  c.n = 8;
  c.levels = 24;
  c.grid = growing;
  c.physics =
      "gravity = 0\ngas_constant = 1\nheat_capacity = 3.5\nexner_pressure = 1\n"
      "rotation = { rate = 0 }\n";
  c.reference = "kind = \"isothermal\", temperature = \"1/1.4\", pressure = 1";
  c.numerics = numerics;
  c.time = fmt::format("dt = {}\n", dt);
  c.initial = fmt::format("density = \"{}*z\"\nvelocity = [0, 0, {}]\n", slope, wind);
  Simulation s = start(v, c);
  const std::vector<double> before = s.field("density_perturbation");
  s.step(1);
  const std::vector<double> after = s.field("density_perturbation");
  double error = 0;
  for (std::size_t p = 0; p < after.size(); ++p) {
    const std::size_t level = p / 64 % 24;
    if (level < 8 || level >= 16) continue;
    error = std::max(error, std::abs(after[p] - before[p] + wind * slope * dt));
  }
  return error / (wind * slope * dt);
}

void line_rows(Verification& v) {
  const char* const limited = "reconstruction = { limiter = \"vanleer\" }\n";
  const struct {
    const char *name, *numerics, *time;
  } choices[] = {{"", "", "cfl = 0.9\n"},
                 {", limited", limited, "cfl = 0.9\n"},
                 {", c3", globe_transverse, "cfl = 0.9\n"},
                 {", hevi", "", globe_hevi}};
  for (const auto& choice : choices) {
    v.below(fmt::format("sphere, heavier air in balance{}: fastest rise", choice.name),
            balanced_motion(v, choice.numerics, choice.time), 1e-11);
  }
  v.below("sphere, straight line, error of its change", line_error(v, ""), 1e-8);
  v.below("sphere, straight line, limited, error of its change", line_error(v, limited), 1e-8);
}

void order_rows(Verification& v) {
  for (const bool split : {false, true}) {
    const std::string name = split ? "sphere, hevi, " : "sphere, ";
    const double crossed = split ? 2 : 0.3;
    const double coarse = column_error(v, 16, split, crossed),
                 fine = column_error(v, 64, split, crossed);
    v.above(name + "isothermal columns, order from 16 to 64 levels", 0.5 * order_of(coarse, fine),
            1.8);
    v.below(name + "isothermal columns, 64 levels, error after a period", fine, 1e-2);
  }
  for (const char* const choice : {"", "hevi", "c3"}) {
    GlobeCase c = steady_deep_globe();
    c.grid = growing;
    if (choice == std::string("hevi")) c.time = globe_hevi;
    if (choice == std::string("c3")) c.numerics = globe_transverse;
    const double first = globe_steady_error(v, c, 8, 6), second = globe_steady_error(v, c, 16, 12);
    const std::string name =
        fmt::format("air turning in a deep atmosphere{}{}, ", *choice ? ", " : "", choice);
    v.below(name + "N = 16, error after 200 s", second, 0.1);
    v.above(name + "order from N = 8 to 16", order_of(first, second), 1.7);
  }
}

// Largest difference of what is stored, over the largest value.
double apart(const Simulation& a, const Simulation& b) {
  double largest = 0;
  for (const std::string& name : a.variables()) {
    const std::vector<double> x = a.variable(name), y = b.variable(name);
    double difference = 0, size = 0;
    for (std::size_t p = 0; p < x.size(); ++p) {
      difference = std::max(difference, std::abs(x[p] - y[p]));
      size = std::max(size, std::abs(x[p]));
    }
    largest = std::max(largest, difference / size);
  }
  return largest;
}

// Levels that are equally thick by a list, for which every weight is looked up.
void equal_rows(Verification& v) {
  for (const Choice& choice : {Choice{"flat"}, Choice{"flat, hevi", false, false, true},
                               Choice{"mountains, c3", true, false, false, true},
                               Choice{"mountains, deep, hevi", true, true, true},
                               Choice{"mountains, limited", true, false, false, false,
                                      "reconstruction = { limiter = \"vanleer\" }\n"}}) {
    GlobeCase c = case_of(choice);
    c.initial = globe_bubble;
    std::vector<double> faces;
    for (std::int64_t k = 0; k <= c.levels; ++k) faces.push_back(1500 * static_cast<double>(k));
    c.grid = fmt::format("z_faces = [{}]\n", fmt::join(faces, ", "));
    Simulation listed = start(v, c);
    c.grid = "";
    Simulation equal = start(v, c);
    listed.step(5);
    equal.step(5);
    v.below(fmt::format("equal levels by a list, {}: relative difference", choice.name),
            apart(equal, listed), v.single() ? 1e-4 : 1e-13);
  }
}

// Fluxes between levels differ, of the same order in space: what both differ by is the error of the
// mesh.
void hevi_row(Verification& v) {
  const auto theta = [&](const char* time) {
    GlobeCase c = case_of({"hevi"});
    c.initial =
        "theta = \"2*exp(4*cos(lon - 0.7)*cos(lat) - 4)*sin(pi*z/12000)^2\"\n"
        "velocity = [\"15*cos(lat)\", 0, 0]\n";
    c.physics = "rotation = { rate = 0 }\n";
    c.time = time;
    Simulation s = start(v, c);
    s.advance_to(96);
    return s.field("theta_perturbation");
  };
  v.below("sphere, hevi against explicit, theta', K",
          rms_difference(theta("dt = 2\nscheme = \"hevi\"\n"), theta("dt = 0.5\n")), 0.02);
}

// A step with a sponge is that without one, its departures over 1 + dt rate in the upper levels.
void sponge_row(Verification& v) {
  GlobeCase c = case_of({"sponge"});
  c.initial = globe_bubble;
  c.time = "dt = 0.5\n";
  Simulation without = start(v, c);
  c.physics += "sponge.top = { width = 5000, rate = 0.5 }\n";
  Simulation with = start(v, c);
  without.step(1);
  with.step(1);
  const std::vector<double> z = with.field("height");
  double largest = 0, damped = 0;
  for (const std::string& name : with.variables()) {
    const std::vector<double> a = with.variable(name), b = without.variable(name);
    for (std::size_t p = 0; p < a.size(); ++p) {
      const double inside = std::max(0.0, 1 - (12e3 - z[p]) / 5000);
      const double sine = std::sin(0.5 * std::numbers::pi * inside);
      const double expected = b[p] / (1 + 0.25 * sine * sine);
      largest = std::max(largest, std::abs(a[p] - expected) / (std::abs(expected) + 1e-30));
      damped += a[p] != b[p] ? 1 : 0;
    }
  }
  v.below("sphere, sponge: relative error of its step", largest, v.single() ? 2e-6 : 1e-14);
  v.above("sphere, sponge: values that it changes", damped, 0.9 * 5 * 2 * 6 * 144);
}

void level_bit_rows(Verification& v) {
  for (const Choice& choice : {Choice{"mountains", true}, Choice{"deep, hevi", true, true, true},
                               Choice{"c3", true, false, false, true}}) {
    GlobeCase c = case_of(choice);
    c.n = 13;
    c.levels = 7;
    c.initial = globe_bubble;
    bit_rows(v, fmt::format("sphere, {}, ", choice.name),
             {.on_threads = 6, .before = 3, .after = 4, .threads = {3}},
             [&](int threads) { return start(v, c, threads); });
  }
}

}  // namespace

void verify_air_globe_levels(Verification& v) {
  v.begin_group("stretched levels of a sphere");
  rest_rows(v);
  conservation_rows(v);
  equal_rows(v);
  sponge_row(v);
  level_bit_rows(v);
  if (v.single()) {
    v.leave_out("straight lines and orders", "these errors lie below round-off");
    return;
  }
  line_rows(v);
  order_rows(v);
  hevi_row(v);
}

}  // namespace watersmeet::run
