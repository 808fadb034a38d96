// Sound across levels that is implicit: its order in time, what a step may be, and that it computes
// the flow of explicit steps.
//
// A column between ground and lid sounds as in waves.cpp, with the period 2 pi/omega,
// omega^2 = a^2 ((pi/D)^2 + 1/(4 H^2)), however many levels sound crosses in a step. The step takes
// a mode exp(i omega t) times the stability function of ARS(2,3,2) for equal parts (column.hpp),
//   y2 = q/(1 - gamma z)
//   y3 = q + (gamma z q + (1 - delta) z y2 + (delta/gamma - 1) (y2 - q))/(1 - gamma z)
//   q' = q + z ((1 - gamma) y2 + gamma y3),   z = i omega dt
#include <fmt/format.h>

#include <cmath>
#include <complex>

#include "verify/atmosphere/groups.hpp"

namespace watersmeet::verify {

namespace {

struct ColumnError {
  double measured, predicted;
};

// w of the lowest mode of an isothermal column of 10 km after one period, in steps in which sound
// crosses `crossed` levels; predicted for levels without number.
ColumnError column_error(const Verification& v, std::int64_t n, double crossed) {
  SoundingColumn c = sounding_column(n, crossed);
  use_split(c.air);
  const double gamma = 1 - std::sqrt(0.5), delta = -2 * std::sqrt(2.0) / 3;
  const std::complex<double> z(0, c.omega * c.air.dt), under = 1.0 - gamma * z, y2 = 1.0 / under;
  const std::complex<double> y3 =
      1.0 + (gamma * z + (1 - delta) * z * y2 + (delta / gamma - 1) * (y2 - 1.0)) / under;
  const std::complex<double> factor = 1.0 + z * ((1 - gamma) * y2 + gamma * y3);
  // The mode is a standing wave: half of exp(i omega t) and half of exp(-i omega t).
  return {relative_change(start(v, c.air), "w", c.steps),
          std::abs(std::pow(factor, static_cast<double>(c.steps)).real() - 1)};
}

// A warm layer in wind over two hills, in cells of 2 km by 500 m if `n` is 1.
AirCase hills(std::int64_t n, const char* terrain) {
  AirCase c;
  c.cells = {24 * n, 1, 20 * n};
  c.upper = {48e3, 1, 10e3};
  c.physics = fmt::format(
      "{}reference = {{ kind = \"stratified\", brunt_vaisala = 0.01 }}\nwind = [0, 0, 0]\n",
      terrain);
  c.initial = "theta = \"5*exp(-((x - 20e3)/6e3)^2)*sin(pi*z/1e4)^2\"\n";
  c.boundary = "x = \"periodic\"\n";
  return c;
}

std::vector<double> theta_at(const Verification& v, AirCase c, double dt, double end, bool split) {
  if (split) use_split(c);
  c.dt = dt;
  Simulation s = start(v, c);
  s.advance_to(end);
  return s.field("theta_perturbation");
}

// How far explicit and implicit steps are apart, over what theta' changes by meanwhile: the error of
// the mesh, which both have in other ways between levels.
double distance_from_explicit(const Verification& v, std::int64_t n, const char* terrain) {
  const double dt = 1.0 / static_cast<double>(n);
  const AirCase c = hills(n, terrain);
  const std::vector<double> a = theta_at(v, c, dt, 120, false), b = theta_at(v, c, dt, 120, true);
  return rms_difference(a, b) / rms_difference(a, start(v, c).field("theta_perturbation"));
}

}  // namespace

void verify_air_split(Verification& v) {
  // Thin cells, as of a long wave: sound crosses a level of 100 m in 0.3 s.
  AirCase thin = hills(1, "");
  thin.cells = {24, 1, 100};
  use_split(thin);
  Simulation s = start(v, thin);
  s.advance_to(600);
  v.above("cells of 2 km by 100 m, mean step over what sound takes through a level",
          600.0 / static_cast<double>(s.steps()) / (100.0 / 347), 8);
  v.below("the same after 10 minutes, fastest rise, m/s", s.diagnostics().at("w_max"), 2);
  if (v.single())
    return v.leave_out("orders", "the errors lie below round-off in single precision");
  // Walls leave ripples of two levels, small but of less than second order from one doubling to the
  // next.
  v.above("isothermal column, two levels a step, order from 32 to 128 levels",
          0.5 * order_of(column_error(v, 32, 2).measured, column_error(v, 128, 2).measured), 1.8);
  const ColumnError wide = column_error(v, 128, 16);
  v.near_relative("isothermal column, 128 levels, 16 levels a step, error over the predicted one",
                  wide.measured / wide.predicted, 1, 0.05);
  for (const char* const terrain : {"", "terrain = \"400*(1 + cos(2*pi*x/24e3))\"\n"}) {
    const std::string name = *terrain ? "hills, " : "flat, ";
    const AirCase c = hills(1, terrain);
    const std::vector<double> a = theta_at(v, c, 3, 120, true), b = theta_at(v, c, 1.5, 120, true),
                              d = theta_at(v, c, 0.75, 120, true);
    v.above(name + "order in time of theta'",
            std::log2(rms_difference(a, b) / rms_difference(b, d)), 1.7);
    const double coarse = distance_from_explicit(v, 1, terrain),
                 fine = distance_from_explicit(v, 2, terrain);
    v.below(name + "implicit against explicit steps, theta', over its change", coarse, 0.01);
    v.above(name + "order of what they are apart", order_of(coarse, fine), 1.7);
  }
}

}  // namespace watersmeet::verify
