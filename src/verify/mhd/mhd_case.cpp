#include "verify/mhd/mhd_case.hpp"

#include <fmt/format.h>

namespace watersmeet::verify {

std::string text_of(const MhdCase& c) {
  std::string text =
      box_text("mhd", c.cells, c.lower, c.upper) +
      fmt::format(
          "[physics]\nviscosity = {:.17e}\nresistivity = {:.17e}\n{}[numerics]\n{}[time]\nend = "
          "1000.0\n",
          c.viscosity, c.resistivity, c.physics, c.numerics);
  if (c.dt > 0) text += fmt::format("dt = {:.17e}\n", c.dt);
  if (!c.forcing.empty()) text += "[forcing]\n" + c.forcing;
  text += fmt::format("[[initial]]\ndensity = \"{}\"\nvelocity = {}\npotential = {}\n", c.density,
                      vector_of(c.velocity), vector_of(c.potential));
  if (!c.entropy.empty()) text += fmt::format("entropy = \"{}\"\n", c.entropy);
  return text;
}

}  // namespace watersmeet::verify
