// A vortex in gradient-wind balance is carried across a periodic square by a uniform flow:
//   v_theta = B r exp(-A r^2),  eta = -(B^2/(4 A g)) exp(-2 A r^2) - f (B/(2 A g)) exp(-A r^2)
// which solves v^2/r + f v = g eta_r, moves unchanged without rotation (f = 0). With rotation it
// stands still; so does a zonal flow over the beta plane, f u = -g eta_y.
#include <fmt/format.h>

#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr double steepness = 100, swirl = 12;

// Text of the vortex around (cx, cy).
WaterCase vortex(std::int64_t n, double f, double drift_x, double drift_y, double cx, double cy) {
  WaterCase c;
  c.cells = {n, n, 1};
  c.bed = "-1";
  const std::string r2 = fmt::format("((x - {})^2 + (y - {})^2)", number(cx), number(cy));
  c.surface = fmt::format("-{}*exp(-{}*{}) - {}*exp(-{}*{})",
                          number(swirl * swirl / (4 * steepness * g)), number(2 * steepness), r2,
                          number(f * swirl / (2 * steepness * g)), number(steepness), r2);
  const std::string turn = fmt::format("{}*exp(-{}*{})", number(swirl), number(steepness), r2);
  c.velocity = {fmt::format("{} - {}*(y - {})", number(drift_x), turn, number(cy)),
                fmt::format("{} + {}*(x - {})", number(drift_y), turn, number(cx))};
  if (f != 0) c.physics = fmt::format("coriolis = {{ f = {} }}\n", number(f));
  c.boundary = "x = \"periodic\"\ny = \"periodic\"\n";
  return c;
}

// Error of the velocity after the vortex has moved by (0.2, 0.1), over its root mean square.
double drifted_error(const Verification& v, std::int64_t n, double c3) {
  WaterCase c = vortex(n, 0, 1, 0.5, 0.4, 0.45);
  c.transverse = c3;
  Simulation s = start(v, c);
  s.advance_to(0.2);
  const Simulation truth = start(v, vortex(n, 0, 1, 0.5, 0.6, 0.55));
  return rms_difference(s.field("velocity"), truth.field("velocity")) /
         rms(truth.field("velocity"));
}

double standing_error(const Verification& v, std::int64_t n) {
  const WaterCase c = vortex(n, 8, 0, 0, 0.5, 0.5);
  Simulation s = start(v, c);
  const std::vector<double> before = s.field("velocity");
  s.advance_to(0.2);
  return rms_difference(s.field("velocity"), before) / rms(before);
}

// u = U sin(pi y) between walls, f = f0 + beta y: eta = -(U/g) (f0 I + beta J) with the integrals
// I of sin(pi y) and J of y sin(pi y), -cos(pi y)/pi and sin(pi y)/pi^2 - y cos(pi y)/pi.
double zonal_error(const Verification& v, std::int64_t n) {
  constexpr double u = 0.5, f0 = 5, beta = 4;
  WaterCase c;
  c.cells = {4, n, 1};
  c.upper = {4 / static_cast<double>(n), 1, 1};
  c.bed = "-1";
  c.physics = fmt::format("coriolis = {{ f = {}, beta = {} }}\n", f0, beta);
  c.velocity = {fmt::format("{}*sin(pi*y)", u), "0"};
  c.surface = fmt::format("-{}*(-{}*cos(pi*y)/pi + {}*(sin(pi*y)/pi^2 - y*cos(pi*y)/pi))",
                          number(u / g), f0, beta);
  c.boundary = "x = \"periodic\"\ny = \"wall\"\n";
  Simulation s = start(v, c);
  const std::vector<double> before = s.field("velocity");
  s.advance_to(0.5);
  return rms_difference(s.field("velocity"), before) / rms(before);
}
}  // namespace

void verify_vortex(Verification& v) {
  if (v.single())
    return v.leave_out("moving vortex", "orders of convergence are measured in double precision");
  const std::int64_t fine = v.at_least(Extent::quick) ? 256 : 128;
  // Fluxes at the middle of faces from values there leave second order, whatever c3.
  for (const double c3 : {0.0, -1.0 / 24}) {
    const double coarse = drifted_error(v, fine / 2, c3), error = drifted_error(v, fine, c3);
    const std::string name = c3 == 0 ? "drifting, c3 = 0, " : "drifting, c3 = -1/24, ";
    v.within(fmt::format("{}order from N = {} to {}", name, fine / 2, fine),
             order_of(coarse, error), 1.85, 3.2);
    v.report(fmt::format("{}N = {}, error of the velocity", name, fine), error, "rms, relative");
  }
  v.within(fmt::format("standing in a rotating square, order to N = {}", fine),
           order_of(standing_error(v, fine / 2), standing_error(v, fine)), 1.85, 3.2);
  v.within(fmt::format("zonal flow over the beta plane, order to N = {}", fine),
           order_of(zonal_error(v, fine / 2), zonal_error(v, fine)), 1.6, 3.2);
}

}  // namespace watersmeet::verify
