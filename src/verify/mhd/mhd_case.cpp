#include "verify/mhd/mhd_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace watersmeet::verify {

namespace {
std::string vector_of(const std::array<std::string, 3>& texts) {
  return fmt::format("[\"{}\", \"{}\", \"{}\"]", texts[0], texts[1], texts[2]);
}
}  // namespace

std::string text_of(const MhdCase& c) {
  std::string text = fmt::format(
      "[case]\nsystem = \"mhd\"\n[grid]\ncells = [{}]\nupper = [{:.17e}]\n"
      "[physics]\nviscosity = {:.17e}\nresistivity = {:.17e}\n{}[numerics]\n{}[time]\nend = "
      "1000.0\n",
      fmt::join(c.cells, ", "), fmt::join(c.upper, ", "), c.viscosity, c.resistivity, c.physics,
      c.numerics);
  if (c.dt > 0) text += fmt::format("dt = {:.17e}\n", c.dt);
  if (!c.forcing.empty()) text += "[forcing]\n" + c.forcing;
  text += fmt::format("[[initial]]\ndensity = \"{}\"\nvelocity = {}\npotential = {}\n", c.density,
                      vector_of(c.velocity), vector_of(c.potential));
  if (!c.entropy.empty()) text += fmt::format("entropy = \"{}\"\n", c.entropy);
  return text;
}

Simulation start(const Verification& v, const MhdCase& c, const std::string& precision,
                 int threads) {
  return v.start(text_of(c), precision, threads);
}

void make_thin(MhdCase& c, int axis, std::int64_t n, std::int64_t thin) {
  const double length = c.upper[static_cast<std::size_t>(axis)];
  for (std::size_t a = 0; a < 3; ++a) {
    c.cells[a] = static_cast<int>(a) == axis ? n : thin;
    c.upper[a] = length * static_cast<double>(c.cells[a]) / static_cast<double>(n);
  }
}

}  // namespace watersmeet::verify
