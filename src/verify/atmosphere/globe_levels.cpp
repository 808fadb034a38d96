// Stretched levels on a sphere: rest over terrain, what is kept, orders, the flow of equal levels
// where a list makes them equal, implicit sound against explicit steps, and the same bits.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/math.hpp"
#include "verify/atmosphere/globe_rows.hpp"
#include "verify/atmosphere/groups.hpp"

namespace watersmeet::verify {

namespace {

void level_rest_rows(Verification& v) {
  for (const GlobeChoice& choice :
       {GlobeChoice{"lmars", true}, GlobeChoice{"deep", true, true},
        GlobeChoice{"hevi", true, false, true}, GlobeChoice{"deep, hevi", true, true, true},
        GlobeChoice{"c3", true, false, false, true},
        GlobeChoice{"hllc, limited", true, false, false, false,
                    "riemann = \"hllc\"\nreconstruction = { limiter = \"vanleer\" }\n"}}) {
    globe_rest_row(v, choice, growing_levels);
  }
}

void level_conservation_rows(Verification& v) {
  for (const GlobeChoice& choice :
       {GlobeChoice{"flat"}, GlobeChoice{"mountains, hevi", true, false, true},
        GlobeChoice{"mountains, deep", true, true}, GlobeChoice{"deep, hevi", false, true, true},
        GlobeChoice{"mountains, c3", true, false, false, true}}) {
    globe_conserved_rows(v, "sphere, ", choice, growing_levels);
  }
}

// w of the lowest mode of isothermal columns of 12 km after a period; `crossed`: levels of mean
// thickness that sound crosses in a step.
double globe_column_error(const Verification& v, std::int64_t levels, bool split, double crossed) {
  const SoundingColumn column = sounding_column(levels, crossed, 12e3);
  GlobeCase c;
  c.n = 8;
  c.levels = levels;
  c.grid = growing_levels;
  c.physics = "rotation = { rate = 0 }\n";
  c.reference = "kind = \"isothermal\", temperature = 250";
  c.initial = column.air.initial;
  c.time = fmt::format("dt = {:.17e}\n{}", column.air.dt, split ? "scheme = \"hevi\"\n" : "");
  return relative_change(start(v, c), "w", column.steps);
}

// Largest w that air takes up which is heavier by the same everywhere, in balance: p' falls in a
// straight line of z, also to the ground and the lid.
double balanced_motion(const Verification& v, const char* numerics, const char* time) {
  GlobeCase c;
  c.grid = growing_levels;
  c.physics = "rotation = { rate = 0 }\n";
  c.initial = "density = \"0.01\"\npressure = \"-9.81*0.01*z\"\n";
  c.numerics = numerics;
  c.time = time;
  Simulation s = start(v, c);
  s.step(5);
  return largest_magnitude(s.field("w"));
}

// As in levels.cpp: largest error of what the density of a straight line changes by in a step, over
// that change, away from the walls.
double line_error(const Verification& v, const char* numerics) {
  const double wind = 0.01, slope = 1e-5, dt = 50;
  GlobeCase c;
  c.n = 8;
  c.levels = 24;
  c.grid = growing_levels;
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
    error = max_or_nan(error, std::abs(after[p] - before[p] + wind * slope * dt));
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
    const double crossed = split ? 2 : 0.6;
    sounding_rows(v, std::string("sphere, ") + (split ? "hevi, " : "") + "isothermal columns",
                  split,
                  {16, 64, globe_column_error(v, 16, split, crossed),
                   globe_column_error(v, 64, split, crossed)},
                  growing_cubed * sounding_column(64, crossed, 12e3).damping, 0.35, 0.2);
  }
  globe_steady_deep_rows(v, growing_levels, false);
}

// Largest difference of what is stored, over the largest value.
double apart(const Simulation& a, const Simulation& b) {
  double largest = 0;
  for (const std::string& name : a.variables()) {
    const std::vector<double> x = a.variable(name), y = b.variable(name);
    largest = max_or_nan(largest, largest_difference(x, y) / largest_magnitude(x));
  }
  return largest;
}

// Levels that are equally thick by a list, for which every weight is looked up.
void equal_rows(Verification& v) {
  for (const GlobeChoice& choice :
       {GlobeChoice{"flat"}, GlobeChoice{"flat, hevi", false, false, true},
        GlobeChoice{"mountains, c3", true, false, false, true},
        GlobeChoice{"mountains, deep, hevi", true, true, true},
        GlobeChoice{"mountains, limited", true, false, false, false,
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

void sponge_row(Verification& v) {
  GlobeCase c;
  c.grid = growing_levels;
  c.time = "dt = 0.5\n";
  const SpongeStep step = globe_sponge_step(v, c, start(v, c).field("height"));
  v.below("sphere, sponge: relative error of its step", step.error, v.single() ? 2e-6 : 1e-14);
  v.above("sphere, sponge: values that it changes", step.changed, 0.9 * 5 * 2 * 6 * 144);
}

void level_bit_rows(Verification& v) {
  for (const GlobeChoice& choice :
       {GlobeChoice{"mountains", true}, GlobeChoice{"deep, hevi", true, true, true},
        GlobeChoice{"c3", true, false, false, true}}) {
    globe_bit_rows(v, fmt::format("sphere, {}, ", choice.name), choice, growing_levels);
  }
}

}  // namespace

void verify_air_globe_levels(Verification& v) {
  level_rest_rows(v);
  level_conservation_rows(v);
  equal_rows(v);
  sponge_row(v);
  level_bit_rows(v);
  if (v.single())
    return v.leave_out("straight lines and orders", "these errors lie below round-off");
  line_rows(v);
  order_rows(v);
  globe_split_rows(v, "sphere, ", growing_levels);
}

}  // namespace watersmeet::verify
