#include "schemes/exact_riemann.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace watersmeet::schemes {
namespace {

std::string text_of(const GasState& s) {
  return fmt::format("rho = {:g}, u = {:g}, p = {:g} with gamma = {:g}, p_c = {:g}", s.rho, s.u,
                     s.p, s.gamma, s.p_c);
}

void check(const GasState& s, const char* which) {
  const bool finite = std::isfinite(s.rho) && std::isfinite(s.u) && std::isfinite(s.p) &&
                      std::isfinite(s.gamma) && std::isfinite(s.p_c);
  if (finite && s.rho > 0 && s.gamma > 1 && s.p + s.p_c > 0) return;
  throw Error(ErrorKind::user_input,
              fmt::format("the {} state is outside the equation of state: {}; it needs rho > 0, "
                          "gamma > 1 and p + p_c > 0",
                          which, text_of(s)));
}

// Velocity change across the wave from the outer state s to the star pressure p, and its
// derivative in p. expm1 and log1p keep weak waves of stiff liquids exact: with p_c = 3e8 the
// ratio of P would lose six digits.
struct Change {
  double f, derivative;
};
Change across(const GasState& s, double p) {
  const double g = s.gamma, P = p + s.p_c, P_outer = s.p + s.p_c, c = sound_speed(s);
  if (p > s.p) {
    const double A = 2 / ((g + 1) * s.rho), B = (g - 1) / (g + 1) * P_outer;
    const double root = std::sqrt(A / (P + B));
    return {(p - s.p) * root, root * (1 - (p - s.p) / (2 * (P + B)))};
  }
  const double log_ratio = std::log1p((p - s.p) / P_outer);
  return {2 * c / (g - 1) * std::expm1((g - 1) / (2 * g) * log_ratio),
          std::exp(-(g + 1) / (2 * g) * log_ratio) / (s.rho * c)};
}

// Root of an increasing, concave function: Newton's steps, halving of the bracket where they leave
// it.
double solve_star_pressure(const GasState& left, const GasState& right) {
  const auto total = [&](double p) {
    const Change l = across(left, p), r = across(right, p);
    return Change{l.f + r.f + right.u - left.u, l.derivative + r.derivative};
  };
  double low = -std::min(left.p_c, right.p_c);
  if (!(total(low).f < 0)) {
    throw Error(ErrorKind::user_input,
                fmt::format("the two states part too fast: no pressure above {:g} joins left ({}) "
                            "and right ({}), so that a vacuum or cavity opens between them",
                            low, text_of(left), text_of(right)));
  }
  double high = std::max(left.p, right.p);
  const double unit = std::max(left.p + left.p_c, right.p + right.p_c);
  for (double step = unit; total(high).f < 0; step *= 2) high += step;
  double p = std::clamp(0.5 * (left.p + right.p), low + 0.5 * (high - low) * 1e-3, high);
  for (int i = 0; i < 400; ++i) {
    const Change at = total(p);
    if (at.f == 0) break;
    (at.f < 0 ? low : high) = p;
    double next = p - at.f / at.derivative;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double tolerance = std::numeric_limits<double>::epsilon() * std::abs(next);
    const bool done = std::abs(next - p) <= tolerance || high - low <= tolerance;
    p = next;
    if (done) break;
  }
  return p;
}

// Everything below is written for a wave that runs to the left; the right one is its mirror image.
GasState mirrored(GasState s) {
  s.u = -s.u;
  return s;
}

GasState star_behind(const GasState& s, double p_star, double u_star) {
  const double g = s.gamma, q = (p_star + s.p_c) / (s.p + s.p_c), m = (g - 1) / (g + 1);
  GasState star = s;
  star.p = p_star;
  star.u = u_star;
  star.rho = p_star > s.p ? s.rho * (q + m) / (m * q + 1) : s.rho * std::pow(q, 1 / g);
  return star;
}

ExactRiemann::Wave left_wave_of(const GasState& s, const GasState& star) {
  const double g = s.gamma, q = (star.p + s.p_c) / (s.p + s.p_c), c = sound_speed(s);
  if (star.p > s.p) {
    const double speed = s.u - c * std::sqrt((g + 1) / (2 * g) * q + (g - 1) / (2 * g));
    return {true, speed, speed};
  }
  return {false, s.u - c, star.u - sound_speed(star)};
}

// Inside the left fan: u - c = xi and u + 2 c / (gamma - 1) as in the outer state.
GasState inside_left_fan(const GasState& s, double xi) {
  const double g = s.gamma, c = sound_speed(s);
  GasState inside = s;
  inside.u = 2 / (g + 1) * (c + (g - 1) / 2 * s.u + xi);
  const double ratio = (inside.u - xi) / c;
  inside.rho = s.rho * std::pow(ratio, 2 / (g - 1));
  inside.p = (s.p + s.p_c) * std::pow(ratio, 2 * g / (g - 1)) - s.p_c;
  return inside;
}

GasState left_of_contact(const GasState& outer, const GasState& star,
                         const ExactRiemann::Wave& wave, double xi) {
  if (xi < wave.head) return outer;
  if (xi > wave.tail) return star;
  return wave.shock ? star : inside_left_fan(outer, xi);
}

}  // namespace

double sound_speed(const GasState& s) { return std::sqrt(s.gamma * (s.p + s.p_c) / s.rho); }

ExactRiemann::ExactRiemann(const GasState& left, const GasState& right)
    : left_(left), right_(right) {
  check(left, "left");
  check(right, "right");
  p_star_ = solve_star_pressure(left, right);
  u_star_ = 0.5 * (left.u + right.u) + 0.5 * (across(right, p_star_).f - across(left, p_star_).f);
  left_star_ = star_behind(left, p_star_, u_star_);
  right_star_ = star_behind(right, p_star_, u_star_);
  left_wave_ = left_wave_of(left_, left_star_);
  const Wave mirror = left_wave_of(mirrored(right_), mirrored(right_star_));
  right_wave_ = {mirror.shock, -mirror.head, -mirror.tail};
}

GasState ExactRiemann::sample(double x_over_t) const {
  if (x_over_t < u_star_) return left_of_contact(left_, left_star_, left_wave_, x_over_t);
  const Wave mirror{right_wave_.shock, -right_wave_.head, -right_wave_.tail};
  return mirrored(left_of_contact(mirrored(right_), mirrored(right_star_), mirror, -x_over_t));
}

Shock shock_with_jump(const GasState& ahead, double pressure_jump, int direction) {
  check(ahead, "undisturbed");
  if (!(pressure_jump > 0) || !std::isfinite(pressure_jump)) {
    throw Error(ErrorKind::user_input,
                fmt::format("a shock with the pressure jump {:g} cannot be: a shock compresses, "
                            "its jump is above 0 and finite",
                            pressure_jump));
  }
  const double g = ahead.gamma, P = ahead.p + ahead.p_c, q = (P + pressure_jump) / P;
  Shock shock;
  shock.mach = std::sqrt(1 + (g + 1) / (2 * g) * (pressure_jump / P));
  const double relative = shock.mach * sound_speed(ahead);
  shock.behind = ahead;
  shock.behind.p = ahead.p + pressure_jump;
  shock.behind.rho = ahead.rho * ((g + 1) * q + g - 1) / ((g - 1) * q + g + 1);
  shock.behind.u = ahead.u + direction * pressure_jump / (ahead.rho * relative);
  shock.speed = ahead.u + direction * relative;
  check(shock.behind, "shocked");
  return shock;
}

Shock shock_with_mach(const GasState& ahead, double mach, int direction) {
  check(ahead, "undisturbed");
  if (!(mach > 1) || !std::isfinite(mach)) {
    throw Error(ErrorKind::user_input,
                fmt::format("a shock with the Mach number {:g} cannot be: a shock is faster than "
                            "sound ahead of it, its Mach number is above 1 and finite",
                            mach));
  }
  const double g = ahead.gamma;
  return shock_with_jump(ahead, 2 * g / (g + 1) * (mach * mach - 1) * (ahead.p + ahead.p_c),
                         direction);
}

}  // namespace watersmeet::schemes
