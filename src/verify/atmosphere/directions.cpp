// No direction along the ground differs from another, over flat ground and over a hill: a flow along
// y has the bits of that along x, and a problem that is its own mirror image stays so to the last bit.
#include <fmt/format.h>

#include "verify/atmosphere/groups.hpp"

namespace watersmeet::verify {

namespace {
AirCase bubble(int axis, const std::string& riemann, bool split, bool hill) {
  AirCase c;
  const std::size_t a = static_cast<std::size_t>(axis);
  c.cells = {1, 1, 23};
  c.cells[a] = 40;
  c.lower[a] = -2000;
  c.upper = {1, 1, 2300};
  c.upper[a] = 2000;
  c.riemann = riemann;
  if (split) use_split(c);
  c.initial = fmt::format("theta = \"2*exp(-({}^2 + (z - 900)^2)/500^2)\"\n", "xy"[axis]);
  if (hill) c.physics += fmt::format("terrain = \"400*exp(-({}/600)^2)\"\n", "xy"[axis]);
  return c;
}
}  // namespace

void verify_air_directions(Verification& v) {
  const struct {
    const char *name, *riemann;
    bool split, hill;
  } choices[] = {{"lmars", "lmars", false, false},      {"ausm", "ausm", false, false},
                 {"hllc", "hllc", false, false},        {"hevi", "lmars", true, false},
                 {"hill, lmars", "lmars", false, true}, {"hill, ausm", "ausm", false, true},
                 {"hill, hllc", "hllc", false, true},   {"hill, hevi", "lmars", true, true}};
  for (const auto& choice : choices) {
    Simulation along_x = start(v, bubble(0, choice.riemann, choice.split, choice.hill)),
               along_y = start(v, bubble(1, choice.riemann, choice.split, choice.hill));
    along_x.step(150);
    along_y.step(150);
    const std::vector<double> x = along_x.field("theta_perturbation");
    v.zero(fmt::format("{}: values that differ between x and y", choice.name),
           count_different(x, along_y.field("theta_perturbation")) +
               count_different(along_x.field("w"), along_y.field("w")));
    // At the axis of symmetry hllc takes its pressure from one of two equal sides.
    std::vector<double> mirrored = x;
    for (std::size_t i = 0; i < x.size(); ++i) mirrored[i] = x[i / 40 * 40 + 39 - i % 40];
    if (std::string(choice.riemann) == "hllc") {
      v.below(fmt::format("{}: largest difference from the mirror image", choice.name),
              largest_difference(x, mirrored), v.single() ? 1e-3 : 1e-11);
    } else {
      v.zero(fmt::format("{}: values that differ from the mirror image", choice.name),
             count_different(x, mirrored));
    }
  }
}

}  // namespace watersmeet::verify
