#include "verify/atmosphere/air_case.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "verify/norms.hpp"

namespace watersmeet::verify {

const char* const unit_air =
    "gravity = 0\ngas_constant = 1\nheat_capacity = 3.5\nexner_pressure = 1\n"
    "reference = { kind = \"isothermal\", temperature = \"1/1.4\", pressure = 1 }\n";

const char* const growing_levels = "z_mapping = \"exp(1.5*s)\"\n";

std::string text_of(const AirCase& c) {
  std::string text =
      box_text("atmosphere", c.cells, c.lower, c.upper) + c.grid + "[physics]\n" + c.physics;
  text += fmt::format(
      "[numerics]\nreconstruction = {{ kappa = {:.17e}, transverse = {:.17e}, limiter = \"{}\" "
      "}}\nriemann = \"{}\"\n",
      c.kappa, c.transverse, c.limiter, c.riemann);
  text += fmt::format("[time]\nend = 1e9\nscheme = \"{}\"\ncfl = {:.17e}\n", c.scheme, c.cfl);
  if (c.dt > 0) text += fmt::format("dt = {:.17e}\n", c.dt);
  if (!c.initial.empty()) text += "[[initial]]\n" + c.initial;
  if (!c.boundary.empty()) text += "[boundary]\n" + c.boundary;
  return text;
}

void use_split(AirCase& c) {
  c.scheme = "hevi";
  c.cfl = 0.8;
}

void sounding_rows(Verification& v, const std::string& name, bool split,
                   const SoundingErrors& errors, double predicted, double order_tolerance,
                   double error_tolerance) {
  const std::string order = fmt::format("{}, order from {} to {} levels", name, errors.few,
                                        errors.many),
                    finest = fmt::format("{}, {} levels, error over ", name, errors.many);
  const double measured = 0.5 * order_of(errors.coarse, errors.fine);
  if (split) {
    v.above(order, measured, 1.8);
    v.below(finest + "that of explicit steps", errors.fine / predicted, 10);
  } else {
    v.near(order, measured, 3, order_tolerance);
    v.near_relative(finest + "the predicted one", errors.fine / predicted, 1, error_tolerance);
  }
}

double count_nonzero(const Simulation& s) {
  double count = 0;
  for (const std::string& name : s.variables()) {
    for (const double value : s.variable(name)) count += value != 0 ? 1 : 0;
  }
  return count;
}

void conserved_rows(Verification& v, const std::string& name, const Simulation& s, double fastest) {
  const auto numbers = s.diagnostics();
  v.below(name + "drift of the mass", std::abs(numbers.at("mass_drift")),
          v.single() ? 1e-7 : 1e-14);
  v.below(name + "drift of the energy", std::abs(numbers.at("energy_drift")),
          v.single() ? 1e-6 : 1e-14);
  v.above(name + "fastest air", numbers.at("speed_max"), fastest);
}

SoundingColumn sounding_column(std::int64_t levels, double crossed, double depth) {
  const double g = 9.81, r = 287, temperature = 250, height = r * temperature / g;
  const double a2 = 1004.5 / (1004.5 - r) * r * temperature, m = std::numbers::pi / depth;
  SoundingColumn c;
  c.omega = std::sqrt(a2 * (m * m + 0.25 / (height * height)));
  c.air.cells = {1, 1, levels};
  c.air.upper = {1, 1, depth};
  c.air.physics =
      fmt::format("reference = {{ kind = \"isothermal\", temperature = {} }}\n", temperature);
  c.air.initial =
      fmt::format("velocity = [0, 0, \"1e-6*exp(z/{:.17e})*sin(pi*z/{})\"]\n", 2 * height, depth);
  const double period = 2 * std::numbers::pi / c.omega;
  const double steps =
      std::ceil(period * std::sqrt(a2) / (depth / static_cast<double>(levels)) / crossed);
  c.steps = static_cast<std::int64_t>(steps);
  c.air.dt = period / steps;
  const double n = static_cast<double>(levels);
  c.damping = std::sqrt(a2) / (12 * depth / n) * std::pow(std::numbers::pi / n, 4) * period;
  return c;
}

}  // namespace watersmeet::verify
