// Gravity waves from a warm spot in isothermal air between ground and lid, in wind along a periodic
// channel (M. Baldauf and S. Brdar, Q. J. R. Meteorol. Soc. 139 (2013) 1977), against the solution of
// the linear equations of compressible air in closed form. With d = g/(R T), m = pi/H,
// n = (d/2 - g/c^2)/m, a wave number k of theta'/theta_0 = e^(d z/2) sin(mz) S(t) cos(kx) obeys
//   P_tt = -c^2 (k^2 + m^2 (1 + n^2)) P - m g S,   S_tt = -N^2 (c^2 m (1 + n^2)/g P + S),
//   w = -g/N^2 e^(d z/2) sin(mz) S_t cos(kx)
// and begins with P = P_t = S_t = 0, so that S is a sum of two cosines.
// validation/reference/linear_waves.py derives the same from differences between levels.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "verify/atmosphere/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr double g = 9.81, gas = 287, heat = 1004.5, temperature = 250, wind = 20;
constexpr double length = 300e3, top = 10e3, centre = 100e3, half_width = 5e3, size = 0.01;
constexpr double end = 1800;
using std::numbers::pi;

struct Fields {
  std::vector<double> theta, w;  // [k][i]
};

Fields exact(std::int64_t nx, std::int64_t nz, double t) {
  constexpr double d = g / (gas * temperature), m = pi / top;
  constexpr double c2 = heat / (heat - gas) * gas * temperature, n = (d / 2 - g / c2) / m;
  constexpr double n2 = g * (d - g / c2);
  std::vector<double> s(static_cast<std::size_t>(nx)), s_t(s.size());
  // The spectrum of the spot falls below 1e-16 of its largest value at wave 115.
  for (int wave = 0; wave < 200; ++wave) {
    const double k = 2 * pi * wave / length;
    const double of_p = c2 * (k * k + m * m * (1 + n * n));
    const double apart = std::hypot((of_p - n2) / 2, std::sqrt(n2 * c2 * (1 + n * n)) * m);
    const double fast = (of_p + n2) / 2 + apart, slow = std::max(0.0, (of_p + n2) / 2 - apart);
    const double slow_share = (fast - n2) / (2 * apart), fast_share = (n2 - slow) / (2 * apart);
    const double slowly = std::sqrt(slow), fast_root = std::sqrt(fast);
    const double share = (wave > 0 ? 2 : 1) * half_width * std::sqrt(pi) / length *
                         std::exp(-std::pow(k * half_width, 2) / 4) * size / temperature;
    const double here =
        share * (slow_share * std::cos(slowly * t) + fast_share * std::cos(fast_root * t));
    const double rate = -share * (slow_share * slowly * std::sin(slowly * t) +
                                  fast_share * fast_root * std::sin(fast_root * t));
    for (std::size_t i = 0; i < s.size(); ++i) {
      const double x = (static_cast<double>(i) + 0.5) * length / static_cast<double>(nx);
      s[i] += here * std::cos(k * (x - centre - wind * t));
      s_t[i] += rate * std::cos(k * (x - centre - wind * t));
    }
  }
  Fields f;
  for (std::int64_t level = 0; level < nz; ++level) {
    const double z = (static_cast<double>(level) + 0.5) * top / static_cast<double>(nz);
    const double shape = std::exp(d * z / 2) * std::sin(m * z);
    const double theta_0 = temperature * std::exp(g * z / (heat * temperature));
    for (std::size_t i = 0; i < s.size(); ++i) {
      f.theta.push_back(theta_0 * shape * s[i]);
      f.w.push_back(-g / n2 * shape * s_t[i]);
    }
  }
  return f;
}

// Distances from the exact solution over its size, in cells of 2 km by 500 m if `n` is 1.
struct Distances {
  double theta, w;
};

Distances distances(const Verification& v, std::int64_t n, bool split) {
  AirCase c;
  c.cells = {150 * n, 1, 20 * n};
  c.upper = {length, 1, top};
  c.physics =
      fmt::format("reference = {{ kind = \"isothermal\", temperature = {} }}\nwind = [{}, 0, 0]\n",
                  temperature, wind);
  c.initial =
      fmt::format("temperature = \"{}*exp({:.17e}*z)*sin(pi*z/{})*exp(-((x - {})/{})^2)\"\n", size,
                  g / (2 * gas * temperature), top, centre, half_width);
  c.boundary = "x = \"periodic\"\n";
  if (split) use_split(c);
  Simulation s = start(v, c);
  s.advance_to(end);
  const Fields known = exact(c.cells[0], c.cells[2], end);
  return {rms_difference(s.field("theta_perturbation"), known.theta) / rms(known.theta),
          rms_difference(component(s.field("velocity"), 2), known.w) / rms(known.w)};
}
}  // namespace

void verify_air_gravity_waves(Verification& v) {
  if (v.single())
    return v.leave_out("gravity waves in isothermal air",
                       "round-off of single precision hides a spot of 0.01 K");
  if (!v.at_least(Extent::quick))
    return v.leave_out("gravity waves in isothermal air", "in the quick and full extents");
  for (const bool split : {false, true}) {
    const std::string scheme = split ? "hevi, " : "";
    Distances coarser{};
    for (const std::int64_t n : {1, 2, 4}) {
      if (n == 4 && !v.at_least(Extent::full)) break;
      const Distances here = distances(v, n, split);
      const std::string name = fmt::format("{}cells of {} m by {} m, ", scheme, 2000 / n, 500 / n);
      v.report(name + "theta' from the linear solution", here.theta, "relative l2");
      v.report(name + "w from the linear solution", here.w, "relative l2");
      // The coarsest cells are 2/5 of the half width of the spot; the finest have the order that
      // kappa = 1/3 has along an axis, nearly 3.
      if (n == 2) {
        v.above(name + "order of theta'", order_of(coarser.theta, here.theta), 1.4);
        v.above(name + "order of w", order_of(coarser.w, here.w), 1.2);
      } else if (n == 4) {
        v.above(name + "order of theta'", order_of(coarser.theta, here.theta), 2.2);
        v.above(name + "order of w", order_of(coarser.w, here.w), 2.2);
      }
      coarser = here;
    }
  }
}

}  // namespace watersmeet::verify
