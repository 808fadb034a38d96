// Stretched levels: what the reconstruction keeps exactly, orders, and that they compute the flow
// of levels that are equally thick.
//
// Air without gravity whose density is a straight line of z, in a uniform wind upwards, between
// walls that the middle of the column does not hear of: rho' falls by W rho_z t there. Weights of
// equal levels miss it by (r - 1)^2/12 of it if levels grow by the factor r.
//
// A column between ground and lid sounds as in waves.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/math.hpp"
#include "verify/atmosphere/groups.hpp"

namespace watersmeet::verify {

namespace {
// Largest error of what the density of a straight line changes by in a step, over that change.
double line_error(const Verification& v, const char* grid, double kappa, const char* limiter) {
  const double wind = 0.01, slope = 0.02;
  AirCase c;
  c.cells = {1, 1, 40};
  c.grid = grid;
  c.physics = unit_air;
  c.kappa = kappa;
  c.limiter = limiter;
  c.dt = 0.005;
  c.initial = fmt::format("density = \"{}*z\"\nvelocity = [0, 0, {}]\n", slope, wind);
  Simulation s = start(v, c);
  const std::vector<double> before = s.field("density_perturbation");
  s.step(1);
  const std::vector<double> after = s.field("density_perturbation");
  double error = 0;
  for (std::size_t k = 12; k < 28; ++k) {
    error = max_or_nan(error, std::abs(after[k] - before[k] + wind * slope * c.dt));
  }
  return error / (wind * slope * c.dt);
}

// w of the lowest mode of an isothermal column of 10 km after a period; `crossed`: levels of mean
// thickness that sound crosses in a step.
double column_error(const Verification& v, std::int64_t n, bool split, double crossed) {
  SoundingColumn c = sounding_column(n, crossed);
  if (split) use_split(c.air);
  c.air.grid = growing_levels;
  return relative_change(start(v, c.air), "w", c.steps);
}

// zeta/H of face k.
double grown(double k, double levels) { return std::expm1(1.5 * k / levels) / std::expm1(1.5); }

// Values on growing levels [level][column] in the middles of equal ones: cubics through four
// levels, which are of higher order than the flow.
std::vector<double> on_equal_levels(const std::vector<double>& values, std::size_t n) {
  const double levels = static_cast<double>(n);
  std::vector<double> middles, out(values.size(), 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    const double at = static_cast<double>(k);
    middles.push_back(0.5 * (grown(at, levels) + grown(at + 1, levels)));
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double z = (static_cast<double>(k) + 0.5) / levels;
    const auto above = std::upper_bound(middles.begin(), middles.end(), z) - middles.begin();
    const std::size_t first =
        static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(above - 2, 0, std::ssize(middles) - 4));
    for (std::size_t m = first; m < first + 4; ++m) {
      double weight = 1;
      for (std::size_t other = first; other < first + 4; ++other) {
        if (other != m) weight *= (z - middles[other]) / (middles[m] - middles[other]);
      }
      for (std::size_t i = 0; i < n; ++i) out[k * n + i] += weight * values[m * n + i];
    }
  }
  return out;
}

// theta' of a warm bubble over a hill after five minutes.
std::vector<double> bubble(const Verification& v, std::int64_t n, const char* grid, bool split) {
  AirCase c;
  if (split) use_split(c);
  c.cells = {32 * n, 1, 32 * n};
  c.upper = {16e3, 1, 8e3};
  c.grid = grid;
  c.physics = "terrain = \"500*cos(pi*x/16e3)^2\"\n";
  c.initial = "theta = \"2*exp(-((x - 7e3)^2 + (z - 2500)^2)/1500^2)\"\n";
  c.boundary = "x = \"periodic\"\n";
  Simulation s = start(v, c);
  s.advance_to(300);
  return s.field("theta_perturbation");
}

double distance(const Verification& v, std::int64_t n, bool split) {
  return rms_difference(
      on_equal_levels(bubble(v, n, growing_levels, split), static_cast<std::size_t>(32 * n)),
      bubble(v, n, "", split));
}
}  // namespace

void verify_air_levels(Verification& v) {
  // Rounding of rho = 1.4, relative to its change of 1e-6.
  const double rounding = v.single() ? 1 : 1e-8;
  if (v.single()) {
    v.leave_out("straight lines and orders", "these errors lie below round-off");
    v.below("warm bubble of 2 K over a hill, apart from equal levels, K", distance(v, 1, false),
            0.005);
    return;
  }
  for (const double kappa : {0.0, 1.0 / 3, 0.5}) {
    v.below(fmt::format("straight line, kappa = {:.3g}, error of its change", kappa),
            line_error(v, growing_levels, kappa, "none"), rounding);
  }
  for (const char* limiter : {"minmod", "vanleer", "tvd"}) {
    v.below(fmt::format("straight line, {}, error of its change", limiter),
            line_error(v, growing_levels, 1.0 / 3, limiter), rounding);
  }
  for (const bool split : {false, true}) {
    const std::string name = split ? "hevi, " : "";
    const double crossed = split ? 2 : 0.15;
    sounding_rows(
        v, name + "isothermal column", split,
        {32, 128, column_error(v, 32, split, crossed), column_error(v, 128, split, crossed)},
        growing_cubed * sounding_column(128, crossed).damping, 0.25, 0.1);
    const double far = distance(v, 1, split), near = distance(v, 2, split);
    v.below(name + "warm bubble of 2 K over a hill, apart from equal levels, K", far, 0.005);
    v.above(name + "order of what they are apart", order_of(far, near), 1.7);
  }
}

}  // namespace watersmeet::verify
