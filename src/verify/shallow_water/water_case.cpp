#include "verify/shallow_water/water_case.hpp"

#include <fmt/format.h>

namespace watersmeet::verify {

std::string number(double value) { return fmt::format("{:.17e}", value); }

std::string text_of(const WaterCase& c) {
  std::string text =
      box_text("shallow_water", c.cells, c.lower, c.upper) +
      fmt::format("[physics]\ngravity = {:.17e}\nbed = \"{}\"\n{}", c.gravity, c.bed, c.physics);
  text += fmt::format(
      "[numerics]\nreconstruction = {{ kappa = {:.17e}, transverse = {:.17e}, limiter = \"{}\" }}\n"
      "riemann = \"{}\"\nwet_dry = {}\n",
      c.kappa, c.transverse, c.limiter, c.riemann, c.wet_dry);
  if (c.dry_depth > 0) text += fmt::format("dry_depth = {:.17e}\n", c.dry_depth);
  text += fmt::format("[time]\nend = 1e9\nscheme = \"{}\"\ncfl = {:.17e}\n", c.scheme, c.cfl);
  if (c.dt > 0) text += fmt::format("dt = {:.17e}\n", c.dt);
  text += fmt::format("[[initial]]\nsurface = \"{}\"\nvelocity = [\"{}\", \"{}\", 0]\n", c.surface,
                      c.velocity[0], c.velocity[1]);
  if (!c.boundary.empty()) text += "[boundary]\n" + c.boundary;
  return text;
}

}  // namespace watersmeet::verify
