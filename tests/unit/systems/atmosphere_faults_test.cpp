// Faults of cases of the atmosphere: what is wrong, at which line, and what to do instead.
#include <gtest/gtest.h>

#include "support/faults.hpp"

using namespace watersmeet;
using test::expect_fault;
using test::expect_refused;
using test::faults_of;

namespace {
// Lines 1 to 7; more comes from line 8 on.
const std::string head = R"toml([case]
system = "atmosphere"
[time]
end = 1
[grid]
cells = [16, 12, 10]
upper = [16e3, 12e3, 10e3]
)toml";
}  // namespace

TEST(AtmosphereFaults, GoodCasesHaveNone) {
  std::string shown;
  EXPECT_TRUE(faults_of(head, shown).empty()) << shown;
  EXPECT_TRUE(faults_of(head + "[physics]\nterrain = \"500*exp(-(x/4000)^2)\"\n"
                               "reference = { kind = \"stratified\", brunt_vaisala = 0.01 }\n"
                               "[boundary]\nx = \"periodic\"\ny_lower = \"open\"\n",
                        shown)
                  .empty())
      << shown;
}

TEST(AtmosphereFaults, Terrain) {
  expect_fault(head + "[physics]\nterrain = \"3000*sin(x/300)\"\n",
               {9, "physics.terrain", "slope", "allows slopes up to 2"});
  expect_fault(head + "[physics]\nterrain = 6000\n",
               {9, "physics.terrain", "the ground is 6000", "half the height of the grid"});
}

TEST(AtmosphereFaults, TerrainOfASphere) {
  const std::string sphere = R"toml([case]
system = "atmosphere"
[time]
end = 1
[grid]
kind = "cubed_sphere"
cells = [16, 16, 10]
top = 10e3
radius = 6e3
[physics]
)toml";
  std::string shown;
  EXPECT_TRUE(faults_of(sphere + "terrain = \"300*cos(lat)\"\n", shown).empty()) << shown;
  expect_fault(sphere + "terrain = \"3000*sin(8*lon)\"\n",
               {11, "physics.terrain", "slope", "allows slopes up to 2"});
}

TEST(AtmosphereFaults, References) {
  expect_fault(head + "[physics]\nreference = { kind = \"stratified\" }\n",
               {9, "physics.reference.kind", "needs brunt_vaisala", "brunt_vaisala"});
  expect_fault(head + "[physics]\nreference = { kind = \"neutral\", temperature = 250 }\n",
               {9, "physics.reference.temperature", "has no temperature", "remove it"});
  expect_fault(head +
                   "[physics]\ngravity = 0\n"
                   "reference = { kind = \"stratified\", brunt_vaisala = 0.01 }\n",
               {10, "physics.reference.kind", "needs gravity, and gravity is 0", "isothermal"});
  expect_fault(head + "[physics]\nreference = { kind = \"neutral\", theta = 100 }\n",
               {9, "physics.reference.kind", "falls to 0 at z", "lower the lid"});
  expect_fault(
      head + "[physics]\nreference = { kind = \"table\", heights = [0, 0], thetas = [1, 2] }\n",
      {9, "physics.reference.heights", "2 heights", "ascending"});
}

TEST(AtmosphereFaults, SchedulesAndTheTransverseTerm) {
  expect_fault(head + "[physics]\nviscosity = 10\n[device]\nschedule = \"tile\"\n",
               {11, "device.schedule", "no viscosity over flat ground", "auto"});
  expect_fault(head +
                   "[numerics]\nreconstruction = { transverse = \"-1/24\" }\n"
                   "[device]\nschedule = \"sweeps\"\n",
               {11, "device.schedule", "does not compute the transverse term", "auto"});
  expect_fault(head + "[numerics]\nreconstruction = { transverse = 0.1, limiter = \"minmod\" }\n",
               {9, "numerics.reconstruction.transverse", "minmod does not bound", "none"});
}

TEST(AtmosphereFaults, FluxesOfWalls) {
  expect_fault(head + "[boundary]\nx_upper = { kind = \"open\", heat_flux = 1 }\n",
               {9, "boundary.x_upper.heat_flux", "a side of kind open has no `heat_flux`",
                "remove it, or use kind = \"wall\""});
  expect_fault(head + "[boundary]\ny = { kind = \"wall\", stress = [1, \"rho\", 0] }\n",
               {9, "boundary.y.stress[1]", "the second component must be 0", "set it to 0"});
  expect_fault(head + "[boundary]\nlid = { stress = [1, 0, 1] }\n",
               {9, "boundary.lid.stress[2]", "the lid drags the air along x and y", "set it to 0"});
  expect_fault(head + "[boundary]\nx = { stress = [0, 1, 0] }\n",
               {9, "boundary.x", "has no kind", "wall"});
}

TEST(AtmosphereFaults, AirBeyondSides) {
  expect_fault(head + "[boundary]\nx_lower = { kind = \"open\", theta = 1 }\n",
               {9, "boundary.x_lower.theta", "a side of kind open has no `theta`",
                "remove it, or use kind = \"inflow\""});
  expect_fault(head + "[boundary]\nx_lower = { kind = \"wall\", pressure = 1 }\n",
               {9, "boundary.x_lower.pressure", "a side of kind wall has no `pressure`",
                "remove it, or use kind = \"open\""});
  expect_fault(head +
                   "[boundary]\nx_lower = \"inflow\"\n[numerics]\n"
                   "reconstruction.transverse = 0.04\n",
               {11, "numerics.reconstruction.transverse", "where `boundary.x_lower` gives none",
                "set transverse = 0"});
}

TEST(AtmosphereFaults, TheRest) {
  expect_fault("[case]\nsystem = \"atmosphere\"\n[time]\nend = 1\n[grid]\ncells = [16, 1, 2]\n",
               {6, "grid.cells", "2 cells along z", "4 levels"});
  expect_fault(head + "[physics]\nwind = [1, 2, 3]\n",
               {9, "physics.wind[2]", "the mean wind is horizontal", "0"});
  expect_fault(head + "[numerics]\nleast_mach = 0.2\n",
               {9, "numerics.least_mach", "lmars does not use least_mach", "ausm"});
  expect_fault(head + "[numerics]\nriemann = \"ausm\"\nleast_mach = 0.1\n",
               {3, "time.cfl", "not known to be stable", "use time.cfl = 0.56"});
  expect_fault(head + "[boundary]\nx_lower = \"periodic\"\n",
               {9, "boundary.x_lower.kind", "only the lower x side", "periodic"});
  expect_fault(head + "[[initial]]\ntheta = 1\ndensity = 0\n",
               {10, "initial[0].density", "together with `theta`", "remove"});
}

namespace {
// Lines 1 to 8; more comes from line 9 on.
const std::string globe = R"toml([case]
system = "atmosphere"
[time]
end = 1
[grid]
kind = "cubed_sphere"
cells = [16, 16, 10]
top = 30e3
)toml";
std::string with(const std::string& text, const std::string& from, const std::string& to) {
  std::string changed = text;
  changed.replace(changed.find(from), from.size(), to);
  return changed;
}
}  // namespace

TEST(AtmosphereFaults, GoodSpheresHaveNone) {
  std::string shown;
  EXPECT_TRUE(faults_of(globe + "[physics]\nterrain = \"2000*cos(lat)^4*cos(2*lon)\"\n"
                                "rotation = { rate = 0 }\nreference = { kind = \"isothermal\", "
                                "temperature = 250 }\n[[initial]]\ntheta = \"sin(lat)*z/30e3\"\n",
                        shown)
                  .empty())
      << shown;
}

TEST(AtmosphereFaults, Spheres) {
  expect_fault(with(globe, "[16, 16, 10]", "[16, 12, 10]"),
               {7, "grid.cells", "16 x 12", "cells = [16, 16, 10]"});
  expect_fault(with(globe, "[16, 16, 10]", "[6, 6, 10]"),
               {7, "grid.cells", "too few", "at least 8 cells"});
  expect_fault(with(globe, "top = 30e3\n", ""), {6, "grid.kind", "its lid", "grid.top = 30e3"});
  const std::string cold =
      globe + "[physics]\nreference = { kind = \"isothermal\", temperature = 250 }\n";
  expect_fault(cold + "terrain = 20e3\n",
               {11, "physics.terrain", "the grid is 3e+04 high", "half"});
  expect_fault(cold + "terrain = \"10*x\"\n",
               {11, "physics.terrain", "`x` is no coordinate of a sphere", "lon and lat"});
  expect_fault(cold + "coriolis = { f = 1e-4 }\n",
               {11, "physics.coriolis.f", "of a box", "physics.rotation.rate"});
  expect_fault(cold + "[boundary]\nx = \"periodic\"\n",
               {12, "boundary.x.kind", "a sphere has no sides", "remove it"});
  expect_fault(
      cold + "[[initial]]\nstate = \"dcmip31\"\ntheta = 1\n",
      {13, "initial[0].theta", "the state dcmip31 sets this key too", "remove one of them"});
  // Neutral air of 300 K ends at c_p theta/g = 30.7 km; four levels above the lid are asked for.
  expect_fault(globe + "[physics]\nreference = { kind = \"neutral\" }\n",
               {10, "physics.reference.kind", "falls to 0 at z", "lower the lid"});
  expect_fault(cold + "sponge.x = { width = 1e3 }\n",
               {11, "physics.sponge.x.width", "of a box", "a lid and no sides"});
  expect_fault(cold + "atmosphere = \"deep\"\n[[initial]]\nstate = \"dcmip31\"\n",
               {11, "physics.atmosphere", "the state dcmip31 is balanced in a shallow atmosphere",
                "shallow"});
  expect_fault(with(cold, "end = 1\n", "end = 1\nscheme = \"hevi\"\ncfl = 0.9\n"),
               {6, "time.cfl", "its bound is 0.85", "use time.cfl = 0.77"});
  expect_fault(cold +
                   "[numerics]\nreconstruction = { transverse = \"-1/24\" }\n"
                   "[device]\nschedule = \"sweeps\"\n",
               {14, "device.schedule", "does not compute the transverse term", "auto"});
}

TEST(AtmosphereFaults, Sponges) {
  const std::string physics = head + "[physics]\n";  // line 9 comes next
  expect_fault(physics + "sponge.top = { rate = 0.2 }\n",
               {9, "physics.sponge.top.rate", "its width is 0", "add physics.sponge.top.width"});
  expect_fault(physics + "sponge.y = { width = 13e3 }\n",
               {9, "physics.sponge.y.width", "13000 wide, and the grid is only 12000 long",
                "at most 12000"});
  expect_fault(
      globe +
          "[physics]\nreference = { kind = \"isothermal\", temperature = 250 }\n"
          "sponge.top = { width = 4e4 }\n",
      {11, "physics.sponge.top.width", "40000 wide, and the grid is only 30000", "at most"});
  expect_fault(globe +
                   "[physics]\nreference = { kind = \"isothermal\", temperature = 250 }\n"
                   "sponge.x = { rate = 1 }\n",
               {11, "physics.sponge.x.rate", "of a box", "a lid and no sides"});
  std::string shown;
  EXPECT_TRUE(faults_of(physics + "sponge.top = { width = 10e3, rate = 0 }\n", shown).empty())
      << shown;
}

TEST(AtmosphereFaults, BoxesAreNoSpheres) {
  expect_fault(
      head + "top = 10e3\n",
      {8, "grid.top", "grid.top is a key of a sphere, and this grid is a box", "cubed_sphere"});
  expect_fault(head + "[physics]\natmosphere = \"deep\"\n",
               {9, "physics.atmosphere", "is a key of a sphere", "cubed_sphere"});
  expect_fault(head + "[[initial]]\nperturbed = false\n",
               {9, "initial[0].perturbed", "this entry names no state", "state = "});
  expect_fault(head + "[[initial]]\nstate = \"baroclinic-wave\"\n",
               {9, "initial[0].state", "this state is defined on a sphere", "cubed_sphere"});
  expect_fault(head + "[[initial]]\ntheta = \"cos(lat)\"\n",
               {9, "initial[0].theta", "`lat` is no coordinate of a box", "cubed_sphere"});
  const std::string split = with(head, "end = 1\n", "end = 1\nscheme = \"hevi\"\n");
  expect_fault(split + "[physics]\nviscosity = 10\n",
               {10, "physics.viscosity", "viscosity is not possible", "ssp-rk3"});
  expect_fault(split + "[numerics]\nreconstruction = { transverse = \"-1/24\" }\n",
               {10, "numerics.reconstruction.transverse", "means of two cells", "transverse = 0"});
}

// Values that only the grid shows to be wrong: the key and its line, the place, what was found and
// what is allowed. Cells are 1 km long.
TEST(AtmosphereFaults, ImpossibleInitialStates) {
  const std::string initial = head + "[[initial]]\n";  // line 9 comes next
  expect_refused(initial + "theta = \"x > 3000 ? -400 : 0\"\n",
                 {"initial[0].theta is -400 in cell (3, 0, 0), x = 3500, y = 500, z = 500",
                  "--> case:9:9", "above -300: the reference has theta = 300 there"});
  expect_refused(initial + "theta = \"sqrt(2000 - z)\"\n",
                 {"initial[0].theta is nan in cell (0, 0, 2), x = 500, y = 500, z = 2500",
                  "--> case:9:9", "a finite number"});
  expect_refused(initial + "temperature = -300\n",
                 {"initial[0].temperature is -300 in cell (0, 0, 0)", "--> case:9:15",
                  "above -295.117: the reference has T = 295.117 there"});
  expect_refused(initial + "density = \"-z/2000\"\n",
                 {"initial[0].density is -1.25 in cell (0, 0, 2)", "--> case:9:11",
                  "the reference has rho = "});
  expect_refused(initial + "pressure = \"-2e5*(z > 5000)\"\n",
                 {"initial[0].pressure is -200000 in cell (0, 0, 5)", "--> case:9:12",
                  "the reference has p = "});
  expect_refused(
      initial + "velocity = [0, 0, \"1/(x - 2500)\"]\n",
      {"initial[0].velocity is (0, 0, inf) in cell (2, 0, 0)", "--> case:9:12", "finite numbers"});
  const std::string round =
      globe + "[physics]\nreference = { kind = \"isothermal\", temperature = 250 }\n[[initial]]\n";
  expect_refused(round + "temperature = \"lat > 1.2 ? -250 : 0\"\n",
                 {"initial[0].temperature is -250 in cell (",
                  "of panel 4, level 0, lon = ", "z = 1500", "--> case:12:15", "T = 250 there"});
}
