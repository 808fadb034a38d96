// What must be kept between walls: mass and total energy to round-off, over terrain, with rotation
// and with viscosity, whatever moves.
#include <fmt/format.h>

#include "verify/atmosphere/groups.hpp"

namespace watersmeet::verify {

void verify_air_conservation(Verification& v) {
  const std::int64_t steps = v.by_extent(100, 1000, 10000);
  const struct {
    const char *name, *physics, *riemann;
    bool hill = false, split = false;
    const char* grid = "";
  } choices[] = {{"flat, lmars", "", "lmars"},
                 {"flat, hllc, rotation", "coriolis = { f = 0.01 }\n", "hllc"},
                 {"terrain, ausm", "", "ausm", true},
                 {"terrain, lmars, rotation", "coriolis = { f = 0.01 }\n", "lmars", true},
                 {"viscous", "viscosity = 20\n", "lmars"},
                 {"flat, hevi", "", "lmars", false, true},
                 {"terrain, hevi, rotation", "coriolis = { f = 0.01 }\n", "ausm", true, true},
                 {"stretched levels", "", "lmars", false, false, growing_levels},
                 {"terrain, stretched levels, hevi", "", "lmars", true, true, growing_levels},
                 {"terrain, stretched levels, viscous", "viscosity = 20\n", "lmars", true, false,
                  growing_levels}};
  for (const auto& choice : choices) {
    AirCase c;
    c.cells = {21, 13, 19};
    c.upper = {2100, 1300, 3000};
    c.grid = choice.grid;
    c.physics = choice.physics;
    if (choice.hill) c.physics += "terrain = \"600*exp(-((x - 1000)^2 + (y - 500)^2)/500^2)\"\n";
    c.riemann = choice.riemann;
    if (choice.split) use_split(c);
    c.initial =
        "theta = \"3*exp(-((x - 900)^2 + (y - 500)^2 + (z - 1200)^2)/400^2)\"\n"
        "velocity = [\"5*sin(pi*x/2100)\", 0, 0]\n";
    Simulation s = start(v, c);
    s.step(steps);
    conserved_rows(v, fmt::format("{}, {} steps, ", choice.name, steps), s, 0.5);
  }
}

}  // namespace watersmeet::verify
