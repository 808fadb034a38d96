// Water swings in a parabolic bowl with a moving shore (Thacker 1981, J. Fluid Mech. 107, 499): the
// bed b = h0 (x^2/a^2 - 1), w = sqrt(2 g h0)/a, a velocity that is the same everywhere,
//   u = B sin(w t),  eta = -(w B/g) x cos(w t) - (B^2/(4 g)) (1 + cos(2 w t))
// where eta > b. Check: u_t = -g eta_x, and with h = eta - b h_t + u h_x = 0.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr double a = 1, h0 = 0.1, speed = 0.4;
const double w = std::sqrt(2 * g * h0) / a;

double bed(double x) { return h0 * (x * x / (a * a) - 1); }
double surface(double x, double t) {
  return -(w * speed / g) * x * std::cos(w * t) -
         speed * speed / (4 * g) * (1 + std::cos(2 * w * t));
}

struct SwingErrors {
  double depth = 0, shore = 0, least = 0, drift = 0;
};

// After one and a quarter periods, when the water stands highest on neither side.
SwingErrors swing(const Verification& v, std::int64_t n, int axis, const std::string& limiter) {
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
  const double t = 1.25 * 2 * std::numbers::pi / w;
  s.advance_to(t);
  SwingErrors e;
  const std::vector<double> at = centres(s, axis), h = s.field("depth");
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

// In two dimensions, the bed b = h0 (r^2/a^2 - 1), period 2 pi / w:
//   curved  w^2 = 8 g h0/a^2, eta = h0 (sqrt(1 - A^2)/q - 1 - r^2/a^2 ((1 - A^2)/q^2 - 1)),
//           q = 1 - A cos(w t), u = w A sin(w t)/(2 q) (x, y)
//   planar  w^2 = 2 g h0/a^2, eta = e h0/a^2 (2 x cos(w t) + 2 y sin(w t) - e),
//           u = e w (-sin(w t), cos(w t))
struct Bowl {
  bool curved;
  double amplitude;  // A, e
  double w() const { return std::sqrt((curved ? 8 : 2) * g * h0) / a; }
  double surface(double x, double y, double t) const {
    const double phase = w() * t, r2 = (x * x + y * y) / (a * a);
    if (!curved) {
      return amplitude * h0 / (a * a) *
             (2 * x * std::cos(phase) + 2 * y * std::sin(phase) - amplitude);
    }
    const double q = 1 - amplitude * std::cos(phase), b = 1 - amplitude * amplitude;
    return h0 * (std::sqrt(b) / q - 1 - r2 * (b / (q * q) - 1));
  }
};

// The energy of water at rest in the bowl, D deep in the middle: the volume is pi a^2 D^2/(2 h0), the energy the
// integral of g (eta^2 - b^2)/2 over r^2 < a^2 D/h0, eta = D - h0.
double energy_at_rest(double volume) {
  using std::numbers::pi;
  const double deep = std::sqrt(2 * h0 * volume / pi) / a, eta = deep - h0;
  const double beds = h0 * h0 * (std::pow(eta / h0, 3) + 1) / 3;
  return 0.5 * g * pi * a * a * (deep / h0 * eta * eta - beds);
}

struct BowlErrors {
  double depth = 0, speed = 0, drift = 0, lost = 0, steps = 0;
};

// After one period.
BowlErrors swing_around(const Verification& v, const Bowl& bowl, std::int64_t n) {
  WaterCase c;
  c.cells = {n, n, 1};
  c.lower = {-2, -2, 0};
  c.upper = {2, 2, 1};
  c.gravity = g;
  c.bed = fmt::format("{}*(x^2 + y^2 - 1)", h0);
  if (bowl.curved) {
    const double q = 1 - bowl.amplitude, b = 1 - bowl.amplitude * bowl.amplitude;
    c.surface = fmt::format("{}*({} - (x^2 + y^2)*{})", h0, number(std::sqrt(b) / q - 1),
                            number(b / (q * q) - 1));
  } else {
    c.surface = fmt::format("{}*(2*x - {})", number(bowl.amplitude * h0), number(bowl.amplitude));
    c.velocity[1] = number(bowl.amplitude * bowl.w());
  }
  c.wet_dry = true;
  Simulation s = start(v, c);
  const double period = 2 * std::numbers::pi / bowl.w(),
               rest = energy_at_rest(s.diagnostics().at("volume")),
               swing = s.diagnostics().at("energy") - rest;
  BowlErrors e;
  while (s.t() < period && s.steps() < 20000) {
    s.advance_to(std::min(period, s.t() + period / 64));
    e.speed = std::max(e.speed, s.diagnostics().at("speed_max"));
  }
  const std::vector<double> x = centres(s, 0), h = s.field("depth");
  double all = 0;
  for (std::size_t p = 0; p < h.size(); ++p) {
    const double px = x[p % x.size()], py = x[p / x.size()];
    const double ground = h0 * (px * px + py * py - 1);
    const double exact = std::max(0.0, bowl.surface(px, py, s.t()) - ground);
    e.depth += std::abs(h[p] - exact);
    all += exact;
  }
  e.depth /= all;
  e.drift = std::abs(s.diagnostics().at("volume_drift"));
  e.lost = 1 - (s.diagnostics().at("energy") - rest) / swing;
  e.steps = static_cast<double>(s.steps());
  return e;
}

void around_rows(Verification& v, const Bowl& bowl, const std::string& name, double fastest,
                 double most_steps, double most_lost) {
  const BowlErrors coarse = swing_around(v, bowl, 50), fine = swing_around(v, bowl, 101);
  for (const BowlErrors* e : {&coarse, &fine}) {
    const std::string here = fmt::format("{}, N = {}, ", name, e == &coarse ? 50 : 101);
    // A film that slides from the highest shore to the bottom gains as much as it falls.
    v.below(here + "largest speed", e->speed, fastest);
    v.below(here + "drift of the volume", e->drift, v.single() ? 3e-6 : 1e-13);
    v.above(here + "loss of energy above rest in a period", e->lost, 0);
  }
  v.below(name + ", N = 101, loss of energy above rest in a period", fine.lost, most_lost);
  v.above(name + ", order of that loss from N = 50 to 101", order_of(coarse.lost, fine.lost), 1.5);
  v.below(name + ", N = 101, steps of a period", fine.steps, most_steps);
  v.below(name + ", N = 101, L1 error of h after a period", fine.depth, 0.03);
  v.above(name + ", order of h from N = 50 to 101", order_of(coarse.depth, fine.depth), 0.9);
}
}  // namespace

void verify_parabolic_bowl(Verification& v) {
  for (const char* limiter : {"vanleer", "minmod"}) {
    const std::string name = fmt::format("limiter {}, ", limiter);
    const SwingErrors coarse = swing(v, 100, 0, limiter), fine = swing(v, 200, 1, limiter);
    // The shore is of first order: the cells beside dry ones are reconstructed so.
    v.below(name + "N = 200, L1 error of h", fine.depth, 2e-3);
    v.above(name + "order of h from N = 100 to 200", order_of(coarse.depth, fine.depth), 0.9);
    v.below(name + "N = 200, shore, in cells", fine.shore, 1);
    v.above(name + "least depth over that of the bowl", fine.least / h0,
            v.single() ? -1e-6 : -1e-14);
    v.below(name + "drift of the volume", fine.drift, v.single() ? 3e-6 : 1e-13);
  }
  // From the highest shore, r = 1.12 in rest and r = 1.5 at 0.7 m/s: sqrt(u^2 + 2 g (b(r) - b(0))).
  around_rows(v, {true, (1 - 0.64) / (1 + 0.64)}, "curved", 1.57, 400, 0.15);
  around_rows(v, {false, 0.5}, "planar", 2.22, 600, 0.03);
}

}  // namespace watersmeet::verify
