#include "run/verify/atmosphere/air_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace watersmeet::run {

const char* const unit_air =
    "gravity = 0\ngas_constant = 1\nheat_capacity = 3.5\nexner_pressure = 1\n"
    "reference = { kind = \"isothermal\", temperature = \"1/1.4\", pressure = 1 }\n";

std::string text_of(const AirCase& c) {
  std::string text = fmt::format(
      "[case]\nsystem = \"atmosphere\"\n"
      "[grid]\ncells = [{}]\nlower = [{:.17e}]\nupper = [{:.17e}]\n{}[physics]\n{}",
      fmt::join(c.cells, ", "), fmt::join(c.lower, ", "), fmt::join(c.upper, ", "), c.grid,
      c.physics);
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

Simulation start(const Verification& v, const AirCase& c, const std::string& precision,
                 int threads) {
  return v.start(text_of(c), precision, threads);
}

}  // namespace watersmeet::run
