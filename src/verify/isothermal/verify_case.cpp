#include "verify/isothermal/verify_case.hpp"

#include <fmt/format.h>

namespace watersmeet::verify {

std::string text_of(const VerifyCase& c) {
  std::string text =
      box_text("isothermal", c.cells, c.lower, c.upper) +
      fmt::format(
          "[physics]\nsound_speed = {:.17e}\nviscosity = {:.17e}\nbulk_viscosity = {:.17e}\n"
          "hyperviscosity = {:.17e}\nshock_viscosity = {:.17e}\n",
          c.sound_speed, c.viscosity, c.bulk_viscosity, c.hyperviscosity, c.shock_viscosity);
  if (!c.acceleration[0].empty()) {
    text += fmt::format("acceleration = {}\n", vector_of(c.acceleration));
  }
  text += fmt::format("[numerics]\nmethod = \"{}\"\nstorage = \"{}\"\nupwind = [{}]\n", c.method,
                      c.storage, c.upwind);
  text += fmt::format("[time]\nend = 1000.0\nscheme = \"{}\"\ncfl = {:.17e}\n", c.scheme, c.cfl);
  if (c.dt > 0) text += fmt::format("dt = {:.17e}\n", c.dt);
  if (!c.forcing.empty()) text += "[forcing]\n" + c.forcing;
  if (!c.constants.empty()) text += "[constants]\n" + c.constants;
  text += fmt::format("[[initial]]\ndensity = \"{}\"\nvelocity = {}\n", c.density,
                      vector_of(c.velocity));
  return text;
}

}  // namespace watersmeet::verify
