// Water swings in a parabolic bowl with a moving shore (Thacker 1981, J. Fluid Mech. 107, 499): the
// bed b = h0 (x^2/a^2 - 1), w = sqrt(2 g h0)/a, a velocity that is the same everywhere,
//   u = B sin(w t),  eta = -(w B/g) x cos(w t) - (B^2/(4 g)) (1 + cos(2 w t))
// where eta > b. Check: u_t = -g eta_x, and with h = eta - b h_t + u h_x = 0.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "run/verify/shallow_water/groups.hpp"

namespace watersmeet::run {

namespace {
constexpr double g = 9.81, a = 1, h0 = 0.1, speed = 0.4;
const double w = std::sqrt(2 * g * h0) / a;

double bed(double x) { return h0 * (x * x / (a * a) - 1); }
double surface(double x, double t) {
  return -(w * speed / g) * x * std::cos(w * t) -
         speed * speed / (4 * g) * (1 + std::cos(2 * w * t));
}

struct Errors {
  double depth = 0, shore = 0, least = 0, drift = 0;
};

// After one and a quarter periods, when the water stands highest on neither side.
Errors swing(const Verification& v, std::int64_t n, int axis, const std::string& limiter) {
  const std::size_t along = static_cast<std::size_t>(axis);
  const char x = "xy"[axis];
  WaterCase c;
  c.cells[along] = n;
  c.lower[along] = -2;
  c.upper[along] = 2;
  c.gravity = g;
  c.bed = fmt::format("{}*({}^2 - 1)", h0, x);
  c.surface = fmt::format("-{}*{} - {}", number(w * speed / g), x, number(speed * speed / (2 * g)));
  c.limiter = limiter;
  c.wet_dry = true;
  Simulation s = start(v, c);
  const double t = 1.25 * 2 * 3.14159265358979323846 / w;
  s.advance_to(t);
  Errors e;
  const std::vector<double> at = cell_centres(s, axis), h = s.field("depth");
  double first = 1e300, exact_first = 1e300;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double exact = std::max(0.0, surface(at[i], t) - bed(at[i]));
    e.depth += std::abs(h[i] - exact) / (h0 * static_cast<double>(at.size()));
    e.least = std::min(e.least, h[i]);
    if (h[i] > 1e-2 * h0) first = std::min(first, at[i]);
    if (exact > 1e-2 * h0) exact_first = std::min(exact_first, at[i]);
  }
  e.shore = std::abs(first - exact_first) / s.spacing()[along];
  e.drift = std::abs(s.diagnostics().at("volume_drift"));
  return e;
}
}  // namespace

void verify_parabolic_bowl(Verification& v) {
  v.begin_group("parabolic bowl");
  for (const char* limiter : {"vanleer", "minmod"}) {
    const std::string name = fmt::format("limiter {}, ", limiter);
    const Errors coarse = swing(v, 100, 0, limiter), fine = swing(v, 200, 1, limiter);
    // The shore is of first order: a cell or two of its neighbourhood is reconstructed so.
    v.below(name + "N = 200, L1 error of h", fine.depth, 5e-3);
    v.above(name + "order of h from N = 100 to 200", order_of(coarse.depth, fine.depth), 0.9);
    v.below(name + "N = 200, shore, in cells", fine.shore, 3);
    v.above(name + "least depth over that of the bowl", fine.least / h0,
            v.single() ? -1e-6 : -1e-14);
    v.below(name + "drift of the volume", fine.drift, v.single() ? 3e-6 : 1e-13);
  }
}

}  // namespace watersmeet::run
