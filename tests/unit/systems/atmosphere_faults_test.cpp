// Faults of cases of the atmosphere: what is wrong, at which line, and what to do instead.
#include <gtest/gtest.h>

#include "support/faults.hpp"

using namespace watersmeet;
using test::expect_fault;
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
               {9, "physics.terrain", "slope", "carries slopes up to 2"});
  expect_fault(head + "[physics]\nterrain = 6000\n",
               {9, "physics.terrain", "the ground is 6000", "half of the box"});
  expect_fault(head + "[physics]\nterrain = \"100*exp(-(x/4000)^2)\"\nviscosity = 10\n",
               {10, "physics.viscosity", "flat ground only", "no physics.terrain"});
}

TEST(AtmosphereFaults, References) {
  expect_fault(head + "[physics]\nreference = { kind = \"stratified\" }\n",
               {9, "physics.reference.kind", "needs brunt_vaisala", "brunt_vaisala"});
  expect_fault(head + "[physics]\nreference = { kind = \"neutral\", temperature = 250 }\n",
               {9, "physics.reference.temperature", "has no temperature", "remove it"});
  expect_fault(head +
                   "[physics]\ngravity = 0\n"
                   "reference = { kind = \"stratified\", brunt_vaisala = 0.01 }\n",
               {10, "physics.reference.kind", "nothing is stratified", "isothermal"});
  expect_fault(head + "[physics]\nreference = { kind = \"neutral\", theta = 100 }\n",
               {9, "physics.reference.kind", "no pressure left", "lower lid"});
  expect_fault(
      head + "[physics]\nreference = { kind = \"table\", heights = [0, 0], thetas = [1, 2] }\n",
      {9, "physics.reference.heights", "2 heights", "rising"});
}

TEST(AtmosphereFaults, SchedulesAndTheTransverseTerm) {
  expect_fault(head + "[physics]\nviscosity = 10\n[device]\nschedule = \"tile\"\n",
               {11, "device.schedule", "without viscosity", "auto"});
  expect_fault(head +
                   "[numerics]\nreconstruction = { transverse = \"-1/24\" }\n"
                   "[device]\nschedule = \"sweeps\"\n",
               {11, "device.schedule", "look along lines", "auto"});
  expect_fault(head + "[numerics]\nreconstruction = { transverse = 0.1, limiter = \"minmod\" }\n",
               {9, "numerics.reconstruction.transverse", "minmod would not bound", "none"});
}

TEST(AtmosphereFaults, TheRest) {
  expect_fault("[case]\nsystem = \"atmosphere\"\n[time]\nend = 1\n[grid]\ncells = [16, 1, 2]\n",
               {6, "grid.cells", "2 cells along z", "4 levels"});
  expect_fault(head + "[physics]\nwind = [1, 2, 3]\n",
               {9, "physics.wind[2]", "along the ground", "0"});
  expect_fault(head + "[numerics]\nleast_mach = 0.2\n",
               {9, "numerics.least_mach", "lmars has no such number", "ausm"});
  expect_fault(head + "[numerics]\nriemann = \"ausm\"\nleast_mach = 0.1\n",
               {3, "time.cfl", "not known to be stable", "0.9"});
  expect_fault(head + "[boundary]\nx_lower = \"periodic\"\n",
               {9, "boundary.x_lower.kind", "only the lower x side", "periodic"});
  expect_fault(head + "[[initial]]\ntheta = 1\ndensity = 0\n",
               {10, "initial[0].density", "beside `theta`", "remove"});
}
