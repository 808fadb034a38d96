// Sound of an amplitude that leaves the scheme linear. Without gravity a wave goes once around a
// periodic channel, and its error is that of the reconstruction alone: t^2/12 (k = 0), 0 (k = 1/3)
// and -t^2/24 (k = 1/2) of the phase speed and (1 - k)/8 t^4 a/dx of damping, t = 2 pi dx.
//
// A wave of density oblique to the wind along x sees the transverse term in its speed.
//
// In an isothermal column between ground and lid w = e^(z/2H) sin(pi z/D) cos(omega t) with
// omega^2 = a^2 ((pi/D)^2 + 1/(4 H^2)), H = R_d T/g: it follows from
//   rho_r w_t = -p'_z - g rho',   p'_t = rho_r g w - rho_r a^2 w_z,   rho'_t = -(rho_r w)_z.
// With kappa = 1/3 its error after a period is the damping of a wave of length 2 D in the channel.
#include <fmt/format.h>

#include <cmath>
#include <complex>

#include "verify/atmosphere/groups.hpp"

namespace watersmeet::verify {

namespace {

double channel_error(const Verification& v, std::int64_t n, double kappa, int axis,
                     const std::string& riemann) {
  AirCase c;
  c.cells[static_cast<std::size_t>(axis)] = n;
  c.physics = unit_air;
  c.kappa = kappa;
  c.riemann = riemann;
  c.dt = 0.2 / static_cast<double>(n);  // its own error of third order stays far below
  const std::string wave = fmt::format("1e-8*sin(2*pi*{})", "xy"[axis]);
  const std::string speed = fmt::format("\"{}/1.4\"", wave);
  c.initial = fmt::format("pressure = \"{}\"\ndensity = \"{}\"\nvelocity = [{}, {}, 0]\n", wave,
                          wave, axis == 0 ? speed : "0", axis == 1 ? speed : "0");
  c.boundary = fmt::format("{} = \"periodic\"\n", "xy"[axis]);
  return relative_change(start(v, c), "pressure_perturbation", 5 * n);
}

// A wave of density sin(2 pi (x + y)) in wind along x, after the time in which the wind crosses the
// channel.
double oblique_error(const Verification& v, std::int64_t n, double transverse) {
  AirCase c;
  c.cells = {n, n, 4};
  c.physics = std::string(unit_air) + "wind = [0.5, 0, 0]\n";
  c.transverse = transverse;
  c.dt = 0.2 / static_cast<double>(n);
  c.initial = "density = \"1e-8*sin(2*pi*(x + y))\"\n";
  c.boundary = "x = \"periodic\"\ny = \"periodic\"\n";
  return relative_change(start(v, c), "density_perturbation", 10 * n);
}

// An upper edge is s times the cell's value, with the second difference across 2 cos t - 2 times
// it; what the cell loses is u/dx s (1 - e^(-it)), exact i t.
double predicted_oblique_error(std::int64_t n, double kappa, double transverse) {
  const double t = two_pi / static_cast<double>(n);
  const std::complex<double> shift = std::polar(1.0, t);
  const std::complex<double> s = 1.0 + (1 + kappa) / 4 * (shift - 1.0) +
                                 (1 - kappa) / 4 * (1.0 - 1.0 / shift) +
                                 transverse * (2 * std::cos(t) - 2);
  const std::complex<double> wrong = s * (1.0 - 1.0 / shift) - std::complex<double>(0, t);
  return std::abs(std::exp(-static_cast<double>(n) * wrong) - 1.0);
}

// After one period of the lowest mode of a column, over the predicted error.
double column_error(const Verification& v, std::int64_t n) {
  const SoundingColumn c = sounding_column(n, 0.3);
  return relative_change(start(v, c.air), "w", c.steps) / c.damping;
}
}  // namespace

void verify_air_waves(Verification& v) {
  if (v.single()) return v.leave_out("sound", "the errors lie below round-off in single precision");
  const struct {
    const char *name, *riemann;
    double kappa, order;
  } members[] = {{"kappa = 0", "lmars", 0, 2},
                 {"kappa = 1/3", "lmars", 1.0 / 3, 3},
                 {"kappa = 1/2", "hllc", 0.5, 2}};
  for (const auto& m : members) {
    double coarser = 0;
    for (const std::int64_t n : {64, 128}) {
      const double error = channel_error(v, n, m.kappa, n == 64 ? 1 : 0, m.riemann);
      v.near_relative(fmt::format("{}, N = {}, error over the predicted one", m.name, n),
                      error / kappa_wave_error(n, m.kappa), 1, n == 64 ? 0.1 : 0.05);
      if (n == 128) {
        v.near(fmt::format("{}, order from N = 64 to 128", m.name), order_of(coarser, error),
               m.order, 0.15);
      }
      coarser = error;
    }
  }
  for (const double transverse : {0.0, -1.0 / 24, 0.1}) {
    v.near_relative(
        fmt::format(
            "density oblique to the wind, c3 = {:.3g}, N = 32, error over the predicted one",
            transverse),
        oblique_error(v, 32, transverse) / predicted_oblique_error(32, 1.0 / 3, transverse), 1,
        0.02);
  }
  for (const std::int64_t n : {32, 64, 128}) {
    v.near_relative(fmt::format("isothermal column, {} levels, error over the predicted one", n),
                    column_error(v, n), 1, n == 128 ? 0.05 : 0.2);
  }
}

}  // namespace watersmeet::verify
