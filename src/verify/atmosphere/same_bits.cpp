// The same bits: for any number of CPU threads, and after a run was saved and restored half way.
#include "verify/atmosphere/groups.hpp"
#include "verify/bit_rows.hpp"

namespace watersmeet::verify {

void verify_air_bits(Verification& v) {
  const struct {
    const char *name, *physics, *riemann, *scheme, *grid = "";
  } choices[] = {
      {"flat, ", "", "lmars", "ssp-rk3"},
      {"terrain, ", "terrain = \"300*sin(x/700)*cos(2*pi*y/1900)\"\n", "ausm", "ssp-rk43"},
      {"viscous, ", "viscosity = 20\n", "hllc", "rk4-carpenter-kennedy"},
      {"flat, hevi, ", "", "lmars", "hevi"},
      {"terrain, hevi, ", "terrain = \"300*sin(x/700)*cos(2*pi*y/1900)\"\n", "lmars", "hevi"},
      {"terrain, stretched, viscous, ",
       "viscosity = 20\nterrain = \"300*sin(x/700)*cos(2*pi*y/1900)\"\n", "lmars",
       "rk4-carpenter-kennedy", "z_mapping = \"s + s^2\"\n"}};
  for (const auto& choice : choices) {
    AirCase c;
    c.cells = {37, 19, 23};
    c.upper = {3700, 1900, 2300};
    c.grid = choice.grid;
    c.physics = std::string(choice.physics) +
                "wind = [8, 3, 0]\ncoriolis = { f = 1e-3 }\n"
                "sponge = { top = { width = 800 }, x = { width = 500 } }\n";
    c.riemann = choice.riemann;
    c.scheme = choice.scheme;
    if (c.scheme == "hevi") use_split(c);
    c.initial = "theta = \"2*exp(-((x - 1500)^2 + (y - 700)^2 + (z - 900)^2)/500^2)\"\n";
    c.boundary = "x_lower = \"open\"\ny = \"periodic\"\n";
    bit_rows(v, choice.name, {.on_threads = 8, .before = 4, .after = 5}, text_of(c));
  }
}

}  // namespace watersmeet::verify
