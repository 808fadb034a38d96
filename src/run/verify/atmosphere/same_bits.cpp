// The same bits: for any number of CPU threads, and after a run was saved and restored half way.
#include <fmt/format.h>

#include "run/verify/atmosphere/groups.hpp"
#include "run/verify/temporary_folder.hpp"

namespace watersmeet::run {

void verify_air_bits(Verification& v) {
  v.begin_group("same bits");
  const TemporaryFolder folder;
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
    const std::string name = choice.name;
    if (!v.on_gpu()) {
      Simulation one = start(v, c, "", 1);
      one.step(8);
      for (const int threads : {2, 3}) {
        Simulation several = start(v, c, "", threads);
        several.step(8);
        v.zero(fmt::format("{}1 or {} threads: values that differ", name, threads),
               count_different(one, several));
      }
    }
    Simulation straight = start(v, c);
    straight.step(9);
    Simulation first = start(v, c);
    first.step(4);
    const std::string path = folder.path() + "/half.h5";
    first.save(path);
    Simulation second = start(v, c);
    second.restore(path);
    second.step(5);
    v.zero(name + "saved and restored: values that differ", count_different(straight, second));
  }
}

}  // namespace watersmeet::run
