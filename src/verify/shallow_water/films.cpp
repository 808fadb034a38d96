// Thin water, which must not run away.
//   - A dam of depth d breaks in a basin with walls and an island: no water becomes faster than the
//     front over dry ground, 2 sqrt(g d) (Ritter 1892, C. R. Acad. Sci. 115, 183). Films that slide
//     down the island would, if they gained momentum in every step.
//   - A dam of depth d parallel to an infinite slope b = -s x breaks. With x' = x - g s t^2/2 and
//     u' = u - g s t the equations are those of a flat bed, so that it is Ritter's dam in x':
//       h = (2 c - x'/t)^2/(9 g),  u = g s t + 2/3 (c + x'/t),  -c < x'/t < 2 c,  c = sqrt(g d)
//     With s < 0 the front climbs, turns and leaves the slope dry behind it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

namespace {

void island_rows(Verification& v, const std::string& name, const std::string& rough,
                 double dry_depth) {
  constexpr double depth = 5, end = 60;
  WaterCase c;
  c.cells = {80, 80, 1};
  c.upper = {80, 80, 1};
  c.gravity = g;
  c.bed = "8*exp(-((x - 40)^2 + (y - 40)^2)/30)" + rough;
  c.surface = fmt::format("{}*(x < 15)", number(depth));
  c.wet_dry = true;
  c.dry_depth = dry_depth;
  Simulation s = start(v, c);
  double fastest = 0;
  while (s.t() < end && s.steps() < 3000) {
    s.step(4);
    fastest = std::max(fastest, s.diagnostics().at("speed_max"));
  }
  const std::string here = fmt::format("{}, dry_depth {:.0e}, ", name, dry_depth);
  v.below(here + "largest speed over that of the front", fastest / (2 * std::sqrt(g * depth)), 1);
  // The front needs 80 m/(14 m/s) and 0.9 of a cell a step; later steps are longer.
  v.below(here + "steps of 60 s", static_cast<double>(s.steps()), 1200);
  v.below(here + "drift of the volume", std::abs(s.diagnostics().at("volume_drift")),
          v.single() ? 3e-6 : 1e-13);
}

struct SlopeErrors {
  double depth = 0, speed = 0, drift = 0;
};

SlopeErrors slide(const Verification& v, double slope, std::int64_t n, int axis) {
  constexpr double depth = 1, end = 6, half = 300;
  const std::size_t along = static_cast<std::size_t>(axis);
  const char x = "xy"[axis];
  WaterCase c;
  c.cells[along] = n;
  c.lower[along] = -half;
  c.upper[along] = half;
  c.gravity = g;
  c.bed = fmt::format("{}*{}", number(-slope), x);
  c.surface = fmt::format("{}*{} + {}*({} < 0)", number(-slope), x, number(depth), x);
  c.wet_dry = true;
  c.boundary = fmt::format("{} = \"open\"\n", x);
  Simulation s = start(v, c);
  SlopeErrors e;
  while (s.t() < end) {
    s.advance_to(std::min(end, s.t() + end / 24));
    e.speed = std::max(e.speed, s.diagnostics().at("speed_max"));
  }
  const std::vector<double> at = centres(s, axis), h = s.field("depth");
  const double wave = std::sqrt(g * depth);
  double all = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    // What the sides do has come this far: 88 m with the water, or 39 m with waves against it.
    if (at[i] < (slope > 0 ? -100 : -150) || at[i] > 250) continue;
    const double in_frame = (at[i] - 0.5 * g * slope * end * end) / end;
    const double fan = std::pow(2 * wave - in_frame, 2) / (9 * g);
    const double exact = in_frame < -wave ? depth : in_frame < 2 * wave ? fan : 0;
    e.depth += std::abs(h[i] - exact);
    all += exact;
  }
  e.depth /= all;
  e.drift = std::abs(s.diagnostics().at("volume_drift"));
  return e;
}

void slope_rows(Verification& v, const std::string& name, double slope, double error) {
  const SlopeErrors coarse = slide(v, slope, 600, 0), fine = slide(v, slope, 2400, 1);
  v.below(name + "N = 2400, L1 error of h", fine.depth, error);
  // The front and the film behind it are of first order, and the corner of the fan is.
  v.above(name + "order of h from N = 600 to 2400", order_of(coarse.depth, fine.depth) / 2, 0.7);
  if (slope > 0) {
    const double front = 2 * std::sqrt(g) + 6 * g * slope;
    v.below(name + "N = 600, largest speed over that of the front", coarse.speed / front, 1);
    v.below(name + "N = 2400, largest speed over that of the front", fine.speed / front, 1);
  }
  // Single precision rounds the surface, up to 150 m above zero, by 6e-8 of it.
  v.below(name + "drift of the volume with what has left", fine.drift, v.single() ? 2e-5 : 1e-13);
}
}  // namespace

void verify_films(Verification& v) {
  // In single precision the surface above a bed of 8 m is a multiple of 5e-7 m.
  const std::vector<double> all = {1e-4, 1e-8, 1e-12}, single = {1e-4, 1e-5};
  for (const double dry_depth : v.single() ? single : all) {
    island_rows(v, "island", "", dry_depth);
    island_rows(v, "island and rough bed", " + 0.5*sin(3*x)*cos(2.7*y)", dry_depth);
  }
  slope_rows(v, "dam on a falling slope, ", 0.5, v.single() ? 2e-3 : 1e-3);
  slope_rows(v, "dam on a rising slope, ", -0.5, 5e-3);
}

}  // namespace watersmeet::verify
