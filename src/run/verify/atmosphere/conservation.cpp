// What must be kept between walls: mass and total energy to round-off, over terrain, with rotation
// and with viscosity, whatever moves.
#include <fmt/format.h>

#include <cmath>

#include "run/verify/atmosphere/groups.hpp"

namespace watersmeet::run {

void verify_air_conservation(Verification& v) {
  v.begin_group("conservation");
  const std::int64_t steps = v.at_least(Extent::full)    ? 10000
                             : v.at_least(Extent::quick) ? 1000
                                                         : 100;
  const struct {
    const char *name, *physics, *riemann;
    bool split = false;
    const char* grid = "";
  } choices[] = {
      {"flat, lmars", "", "lmars"},
      {"flat, hllc, rotation", "coriolis = { f = 0.01 }\n", "hllc"},
      {"terrain, ausm", "terrain = \"600*exp(-((x - 1000)^2 + (y - 500)^2)/500^2)\"\n", "ausm"},
      {"terrain, lmars, rotation",
       "coriolis = { f = 0.01 }\nterrain = \"600*exp(-((x - 1000)^2 + (y - 500)^2)/500^2)\"\n",
       "lmars"},
      {"viscous", "viscosity = 20\n", "lmars"},
      {"flat, hevi", "", "lmars", true},
      {"terrain, hevi, rotation",
       "coriolis = { f = 0.01 }\nterrain = \"600*exp(-((x - 1000)^2 + (y - 500)^2)/500^2)\"\n",
       "ausm", true},
      {"stretched levels", "", "lmars", false, "z_mapping = \"exp(1.5*s)\"\n"},
      {"terrain, stretched levels, hevi",
       "terrain = \"600*exp(-((x - 1000)^2 + (y - 500)^2)/500^2)\"\n", "lmars", true,
       "z_mapping = \"exp(1.5*s)\"\n"},
      {"terrain, stretched levels, viscous",
       "viscosity = 20\nterrain = \"600*exp(-((x - 1000)^2 + (y - 500)^2)/500^2)\"\n", "lmars",
       false, "z_mapping = \"exp(1.5*s)\"\n"}};
  for (const auto& choice : choices) {
    AirCase c;
    c.cells = {21, 13, 19};
    c.upper = {2100, 1300, 3000};
    c.grid = choice.grid;
    c.physics = choice.physics;
    c.riemann = choice.riemann;
    if (choice.split) use_split(c);
    c.initial =
        "theta = \"3*exp(-((x - 900)^2 + (y - 500)^2 + (z - 1200)^2)/400^2)\"\n"
        "velocity = [\"5*sin(pi*x/2100)\", 0, 0]\n";
    Simulation s = start(v, c);
    s.step(steps);
    const auto numbers = s.diagnostics();
    const std::string name = fmt::format("{}, {} steps, ", choice.name, steps);
    v.below(name + "drift of the mass", std::abs(numbers.at("mass_drift")),
            v.single() ? 1e-7 : 1e-14);
    v.below(name + "drift of the energy", std::abs(numbers.at("energy_drift")),
            v.single() ? 1e-6 : 1e-14);
    v.above(name + "fastest air", numbers.at("speed_max"), 0.5);
  }
}

}  // namespace watersmeet::run
