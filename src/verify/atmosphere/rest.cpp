// Air that is the reference stays at rest to the last bit, over any terrain: every stored number is
// 0, and every term of the scheme is a product with a departure from the reference.
#include <fmt/format.h>

#include <algorithm>

#include "verify/atmosphere/groups.hpp"

namespace watersmeet::verify {

namespace {

// A ridge of 2 km and waves of 4 km under a lid at 12 km.
AirCase ridge(const std::string& reference, const std::string& riemann) {
  AirCase c;
  c.cells = {30, 7, 24};
  c.upper = {12e3, 4e3, 12e3};
  c.physics = fmt::format(
      "terrain = \"1000*(1 + cos(2*pi*x/4000)*sin(2*pi*y/4000))\"\nreference = {{ {} }}\n",
      reference);
  c.riemann = riemann;
  return c;
}

}  // namespace

void verify_air_at_rest(Verification& v) {
  const std::int64_t steps = v.at_least(Extent::quick) ? 1000 : 50;
  const std::string stratified = "kind = \"stratified\", brunt_vaisala = 0.01";
  const struct {
    const char *name, *riemann;
    std::string reference;
  } choices[] = {
      {"stratified", "lmars", stratified},
      {"neutral, ausm", "ausm", "kind = \"neutral\""},
      {"isothermal, hllc", "hllc", "kind = \"isothermal\", temperature = 250"},
      {"table", "lmars", "kind = \"table\", heights = [0, 2000, 9000], thetas = [300, 301, 330]"}};
  for (const auto& choice : choices) {
    AirCase c = ridge(choice.reference, choice.riemann);
    Simulation s = start(v, c);
    s.step(steps);
    v.zero(fmt::format("ridge, {}: numbers that are not 0", choice.name), count_nonzero(s));
    // Whole as well: the highest cells are as high as the mesh says.
    const std::vector<double> z = s.field("height");
    v.near_relative(fmt::format("ridge, {}: height of the highest cells", choice.name),
                    *std::max_element(z.begin(), z.end()), 12e3 - 250 * (1 - 2.0 / 12), 0.01);
  }
  AirCase across = ridge(stratified, "ausm");
  across.transverse = -1.0 / 24;
  across.boundary = "x_lower = \"open\"\ny = \"periodic\"\n";
  Simulation looking = start(v, across);
  looking.step(steps);
  v.zero("ridge with the transverse term: numbers that are not 0", count_nonzero(looking));
  AirCase busy = ridge(stratified, "lmars");
  busy.boundary = "x_lower = \"open\"\nx_upper = \"open\"\ny = \"periodic\"\n";
  busy.physics +=
      "coriolis = { f = 1e-4 }\n"
      "sponge = { top = { width = 4000 }, x = { width = 2000 }, y = { width = 800 } }\n";
  for (const bool split : {false, true}) {
    if (split) use_split(busy);
    Simulation s = start(v, busy);
    s.step(steps);
    v.zero(fmt::format("ridge with sponges, rotation and open sides{}: numbers that are not 0",
                       split ? ", hevi" : ""),
           count_nonzero(s));
  }
  for (const char* riemann : {"lmars", "hllc", "hevi"}) {
    AirCase thinner = ridge(stratified, std::string(riemann) == "hevi" ? "lmars" : riemann);
    thinner.grid = "z_mapping = \"exp(1.5*s)\"\n";
    if (std::string(riemann) == "hllc") thinner.limiter = "vanleer";
    if (std::string(riemann) == "hevi") use_split(thinner);
    Simulation s = start(v, thinner);
    s.step(steps);
    v.zero(fmt::format("ridge on stretched levels, {}: numbers that are not 0", riemann),
           count_nonzero(s));
  }
  AirCase rough = ridge(stratified, "lmars");
  rough.physics += "viscosity = 50\n";
  Simulation thick = start(v, rough);
  thick.step(steps);
  v.zero("ridge, viscous: numbers that are not 0", count_nonzero(thick));
  AirCase flat;
  flat.cells = {13, 1, 17};
  flat.upper = {2600, 1, 3400};
  flat.physics = "viscosity = 50\n";
  Simulation viscous = start(v, flat);
  viscous.step(steps);
  v.zero("flat and viscous: numbers that are not 0", count_nonzero(viscous));
  // The same counts see what moves.
  flat.initial = "theta = \"0.1*exp(-((x - 1300)^2 + (z - 1000)^2)/400^2)\"\n";
  Simulation bubble = start(v, flat);
  bubble.step(20);
  v.above("with a warm bubble: numbers that are not 0", count_nonzero(bubble), 3.0 * 13 * 17);
}

}  // namespace watersmeet::verify
