// A shock of Mach 1.22 in air runs over a cylinder of helium (Haas and Sturtevant, J. Fluid Mech.
// 181, 1987; Quirk and Karni, J. Fluid Mech. 318, 1996): speeds of waves and interfaces on the axis
// of symmetry, each a straight line through the positions of a window of time. The expected speeds
// are those of validation/reference/two_fluid_problems.py helium-cylinder 2, at 0.5 mm, the windows
// in microseconds after first contact.
#include <fmt/format.h>

#include <cmath>

#include "verify/multicomponent/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr double shock_mach = 1.22, cylinder_centre = 0.147, cylinder_radius = 0.025,
                 shock_start = 0.18, us = 1e-6;
constexpr schemes::GasState air{1.225, 0, 101325, 1.4, 0};
constexpr schemes::GasState helium{0.18188 * 1.225, 0, 101325, 1.648, 0};

FlowCase case_of(double h) {
  const auto along = [h](double length) { return std::llround(length / h); };
  FlowCase c{.cells = {along(0.267), along(0.0445), 1},
             .upper = {0.267, 0.0445, 1},
             .fluids = fluid_line("air", air) + fluid_line("helium", helium),
             .cfl = 0.6};
  // The interface is smeared over two cells on either side.
  c.initial = initial_entry("air", air) +
              fmt::format(
                  "[[initial]]\nfluid = \"helium\"\nshape = {{ kind = \"cylinder\", "
                  "centre = [{}, 0, 0], radius = {}, smoothing = {:.17g} }}\n"
                  "[[initial]]\nshape = {{ kind = \"shock\", x = {}, side = \"upper\", "
                  "mach = {} }}\n",
                  cylinder_centre, cylinder_radius, 2 / std::sqrt(3.0), shock_start, shock_mach);
  c.boundary = "x_upper = \"inflow\"\ny = \"reflecting\"\n";
  return c;
}

// Places at one time, in metres; not a number where there is none.
struct Places {
  double time = 0;                      // after first contact
  double upstream = 0, downstream = 0;  // interfaces on the axis
  double edge = 0;                      // helium farthest upstream anywhere
  double front = 0;                     // farthest downstream pressure rise on the axis
};

// Where values pass `level` between the centres i and i + 1.
double crossing(const std::vector<double>& x, const double* values, std::size_t i, double level) {
  return x[i] + (x[i + 1] - x[i]) * (level - values[i]) / (values[i + 1] - values[i]);
}
double last_crossing(const std::vector<double>& x, const double* values, double level) {
  for (std::size_t i = x.size() - 1; i-- > 0;)
    if ((values[i] < level) != (values[i + 1] < level)) return crossing(x, values, i, level);
  return std::nan("");
}
double first_crossing(const std::vector<double>& x, const double* values, double level) {
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    if ((values[i] < level) != (values[i + 1] < level)) return crossing(x, values, i, level);
  return std::nan("");
}

Places look(const Simulation& s, double contact) {
  const std::vector<double> x = centres(s), p = s.field("p"), Gamma = s.field("Gamma");
  const double middle = 0.5 / (air.gamma - 1) + 0.5 / (helium.gamma - 1);
  Places now{s.t() - contact, last_crossing(x, Gamma.data(), middle),
             first_crossing(x, Gamma.data(), middle), 0, first_crossing(x, p.data(), 1.02 * air.p)};
  for (std::size_t j = 0; j < Gamma.size() / x.size(); ++j) {
    const double here = last_crossing(x, Gamma.data() + j * x.size(), middle);
    if (here > now.edge) now.edge = here;
  }
  return now;
}

// Speed towards smaller x, by least squares over a window.
double speed(const std::vector<Places>& track, double Places::*place_of, double from, double to) {
  double n = 0, t = 0, x = 0, tt = 0, tx = 0;
  for (const Places& p : track) {
    if (p.time < (from - 0.5) * us || p.time > (to + 0.5) * us) continue;
    n += 1;
    t += p.time;
    x += p.*place_of;
    tt += p.time * p.time;
    tx += p.time * p.*place_of;
  }
  return -(tx - t * x / n) / (tt - t * t / n);
}

void rows(Verification& v, double h, double shock_speed) {
  Simulation s = start(v, case_of(h));
  const double contact = (shock_start - cylinder_centre - cylinder_radius) / shock_speed;
  std::vector<Places> track;
  for (int t = 4; t <= 234; t += 2) {
    s.advance_to(contact + t * us);
    track.push_back(look(s, contact));
  }
  // `published`: the numbers of Quirk and Karni, 0 where they give none for the window.
  const struct {
    const char* name;
    double Places::*place_of;
    double from, to, expected, published;
  } windows[] = {{"refracted shock, 24-44 us", &Places::front, 24, 44, 941.7, 943},
                 {"upstream interface, 4-44 us", &Places::upstream, 4, 44, 173.8, 178},
                 {"transmitted shock, 64-164 us", &Places::front, 64, 164, 372.9, 377},
                 {"downstream interface, 64-104 us", &Places::downstream, 64, 104, 95.5, 0},
                 {"downstream interface, 124-164 us", &Places::downstream, 124, 164, 128.6, 0},
                 {"downstream interface, 164-234 us", &Places::downstream, 164, 234, 149.5, 146},
                 {"upstream edge of the helium, 144-234 us", &Places::edge, 144, 234, 108.9, 0}};
  for (const auto& w : windows) {
    const double measured = speed(track, w.place_of, w.from, w.to);
    const std::string name = fmt::format("h = {} mm, {}, m/s", 1e3 * h, w.name);
    v.near_relative(name, measured, w.expected, 0.03);
    if (h < 0.4e-3 && w.published > 0) {
      v.near_relative(name + ", published", measured, w.published, 0.05);
    }
  }
}
}  // namespace

void verify_helium_cylinder(Verification& v) {
  const schemes::Shock shock = schemes::shock_with_mach(air, shock_mach, -1);
  // To half a unit of the last digit given.
  v.near("shock of Mach 1.22 in air, speed", -shock.speed, 415.2, 0.05);
  v.near("shock of Mach 1.22 in air, velocity behind", -shock.behind.u, 113.5, 0.05);
  v.near("shock of Mach 1.22 in air, ratio of the pressures", shock.behind.p / air.p, 1.5698, 5e-5);
  v.near("shock of Mach 1.22 in air, ratio of the densities", shock.behind.rho / air.rho, 1.3764,
         5e-5);
  v.report("plane surface of helium, velocity after the shock has met it",
           -schemes::ExactRiemann(helium, shock.behind).star_velocity(),
           "exact; a jet makes the cylinder's axis faster");
  if (!v.at_least(Extent::full))
    return v.leave_out("shock and helium cylinder on the grid", "only in the full extent");
  for (const double h : {0.5e-3, 0.25e-3}) rows(v, h, -shock.speed);
}

}  // namespace watersmeet::verify
