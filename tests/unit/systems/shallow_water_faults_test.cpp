// Faults of shallow water cases: what is wrong, at which line, and what to do instead.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/faults.hpp"
#include "systems/shallow_water/system.hpp"
#include "watersmeet/simulation.hpp"

using namespace watersmeet;
using test::expect_fault;
using test::expect_refused;
using test::faults_of;

namespace shallow_water_faults_test {
using Expected = test::ExpectedFault;

namespace {
// Lines 1 to 6; more comes from line 7 on.
const std::string head = R"toml([case]
system = "shallow_water"
[time]
end = 1
[grid]
cells = [16, 12, 1]
)toml";
const std::string water = "[physics]\nbed = -1\n";
}  // namespace

TEST(ShallowWaterFaults, GoodCasesHaveNone) {
  std::string shown;
  EXPECT_TRUE(faults_of(head + water, shown).empty()) << shown;
  EXPECT_TRUE(faults_of(head + water +
                            "[boundary]\nx_lower = { kind = \"level\", surface = \"sin(t)\" }\n"
                            "x_upper = \"open\"\ny = \"periodic\"\n",
                        shown)
                  .empty())
      << shown;
}

TEST(ShallowWaterFaults, CellsAboveEachOther) {
  expect_fault("[case]\nsystem = \"shallow_water\"\n[time]\nend = 1\n[grid]\ncells = [16, 12, 4]\n",
               {6, "grid.cells", "needs three numbers of cells", ", 1]; or choose grid.kind"});
  expect_fault("[case]\nsystem = \"shallow_water\"\n[time]\nend = 1\n[grid]\ncells = [1, 1, 1]\n",
               {6, "grid.cells", "no faces", "more cells"});
}

TEST(ShallowWaterFaults, Numerics) {
  const std::string numerics = head + water + "[numerics]\n";  // line 10 comes next
  expect_fault(numerics + "reconstruction = { limiter = \"vanleer\", transverse = 0.1 }\n",
               {10, "numerics.reconstruction.transverse", "does not bound", "limiter = \"none\""});
  expect_fault(numerics + "wet_dry = true\nriemann = \"linearised\"\n",
               {11, "numerics.riemann", "beside a dry cell", "hllc"});
  expect_fault(numerics + "dry_depth = 1e-3\n",
               {10, "numerics.dry_depth", "numerics.wet_dry is false", "wet_dry = true"});
  expect_fault(
      "[case]\nsystem = \"shallow_water\"\n[grid]\ncells = [16, 12, 1]\n[numerics]\n"
      "wet_dry = true\n[time]\nend = 1\nscheme = \"rk4-carpenter-kennedy\"\n",
      {9, "time.scheme", "does not keep depths positive", "ssp-rk3"});
}

// The limits of linear stability: 1.63 of ssp-rk3 at kappa = 1/3, 0.87 of ssp-rk2.
TEST(ShallowWaterFaults, UnstableSteps) {
  const std::string begin =
      "[case]\nsystem = \"shallow_water\"\n[grid]\ncells = [16, 12, 1]\n[time]\nend = 1\n";
  expect_fault(begin + "cfl = 1.7\n[physics]\nbed = -1\n",
               {7, "time.cfl", "its limit is 1.63", "1.2 a choice"});
  expect_fault(begin + "cfl = 0.9\nscheme = \"ssp-rk2\"\n[physics]\nbed = -1\n",
               {7, "time.cfl", "its limit is 0.87", ""});
  std::string shown;
  EXPECT_TRUE(faults_of(begin + "cfl = 1.6\n[physics]\nbed = -1\n", shown).empty()) << shown;
}

TEST(ShallowWaterFaults, InitialStates) {
  expect_fault(head + water + "[[initial]]\nsurface = 0\ndepth = 1\n",
               {11, "initial[0].depth", "given together with `surface`", "remove one"});
  expect_fault(head + water + "[[initial]]\nvelocity = [1, 0, 2]\n",
               {10, "initial[0].velocity[2]", "no velocity along z", "0"});
}

TEST(ShallowWaterFaults, Boundaries) {
  const std::string boundary = head + water + "[boundary]\n";  // line 10 comes next
  expect_fault(boundary + "x_lower = \"periodic\"\n",
               {10, "boundary.x_lower.kind", "only the lower x side", "boundary.x"});
  expect_fault(boundary + "x = \"open\"\nx_lower = \"wall\"\n",
               {11, "boundary.x_lower", "given together with `boundary.x`", "remove one"});
  expect_fault(boundary + "x_lower = { kind = \"level\" }\n",
               {10, "boundary.x_lower", "is of kind level and needs a surface", "add surface"});
  expect_fault(boundary + "y = { kind = \"flow\" }\n",
               {10, "boundary.y", "is of kind flow and needs a velocity", "add velocity"});
  expect_fault(boundary + "y = { kind = \"wall\", surface = 1 }\n",
               {10, "boundary.y.surface", "a side of kind wall takes no surface", "remove it"});
  expect_fault(boundary + "y = { surface = 1 }\n", {10, "boundary.y", "has no kind", "kind"});
}

// Values that only the grid shows to be wrong: the key and its line, the place, what was found and
// what is allowed.
TEST(ShallowWaterFaults, ImpossibleInitialStates) {
  const std::string initial = head + water + "[[initial]]\n";  // line 10 comes next
  expect_refused(initial + "surface = \"sqrt(0.25 - x)\"\n",
                 {"initial[0].surface is nan at cell (4, 0), x = 0.28125, y = 0.0416667",
                  "--> case:10:11", "finite numbers"});
  expect_refused(initial + "velocity = [0, \"1/(y - 0.125)\", 0]\n",
                 {"initial[0].velocity is inf at cell (0, 1)", "--> case:10:12", "finite numbers"});
  expect_refused(initial + "depth = \"0.5 - x\"\n", {"the initial depth is -0.03125 at cell (8, 0)",
                                                     "--> case:10:9", "above the bed"});
  expect_refused(initial + "depth = \"0.5 - x\"\n[numerics]\nwet_dry = true\n",
                 {"initial[0].depth is -0.03125 at cell (8, 0)", "--> case:10:9", "0 or more"});
  expect_refused(head + "[physics]\nbed = \"log(x - 0.5)\"\n",
                 {"physics.bed is nan at cell (0, 0)", "--> case:8:7", "finite numbers"});
  const std::string globe =
      "[case]\nsystem = \"shallow_water\"\n[time]\nend = 1\n[grid]\nkind = \"cubed_sphere\"\n"
      "cells = 8\n[physics]\nbed = -1\n[[initial]]\n";
  expect_refused(globe + "depth = \"cos(lon)\"\n",
                 {"the initial depth is -", "of panel 1, lon = ", "--> case:11:9"});
  expect_refused(globe + "velocity = [\"sqrt(lat)\", 0, 0]\n",
                 {"initial[0].velocity is nan at cell", "of panel 0", "--> case:11:12"});
}

// What a side prescribes is looked at whenever it is tabulated: at the beginning and while it runs.
TEST(ShallowWaterFaults, ImpossibleBoundaries) {
  const std::string sides = head + water + "[boundary]\n";  // line 10 comes next
  expect_refused(sides + "x_lower = { kind = \"level\", surface = \"y > 0.5 ? -2 : 0\" }\n",
                 {"boundary.x_lower.surface is -2 at x = 0, y = 0.541667, t = 0; the bed there "
                  "is at -1",
                  "--> case:10:", "above the bed"});
  expect_refused(sides + "y = { kind = \"flow\", velocity = [0, \"1/(x - 0.03125)\", 0] }\n",
                 {"boundary.y.velocity is inf at x = 0.03125, y = 0, t = 0", "--> case:10:"});
  EXPECT_NO_THROW(Simulation::from_text(
      sides + "x_lower = { kind = \"level\", surface = -2 }\n[numerics]\nwet_dry = true\n",
      {"cpu", "", 1, {}}));
  for (const std::string surface : {"-2*(t > 0.05)", "sqrt(0.05 - t)"}) {
    Simulation s = Simulation::from_text(
        sides + "x_upper = { kind = \"far\", surface = \"" + surface + "\" }\n",
        {"cpu", "", 1, {}});
    try {
      s.advance_to(1);
      FAIL() << surface;
    } catch (const Error& error) {
      const std::string words = error.what();
      EXPECT_EQ(error.kind(), ErrorKind::user_input) << words;
      EXPECT_NE(words.find("boundary.x_upper.surface is "), std::string::npos) << words;
      EXPECT_NE(words.find("--> case:10:"), std::string::npos) << words;
      EXPECT_EQ(words.find("-nan"), std::string::npos) << words;
    }
  }
}

TEST(ShallowWaterFaults, PerturbationsAreOfStates) {
  expect_fault(head + water + "[[initial]]\nperturbed = false\n",
               {10, "initial[0].perturbed", "this entry names no state", "state = "});
}

// What only the values tell: a dry cell where none may be, named with what stands where.
TEST(ShallowWaterFaults, ADryColumnIsRefusedOrAllowedFor) {
  const std::string dry = head + "[physics]\nbed = \"x > 0.5 ? 1 : -1\"\n";
  expect_refused(dry, {"the initial depth is -1 at cell (8, 0)", "--> case:8:", "wet_dry = true"});
  Simulation s = Simulation::from_text(dry + "[numerics]\nwet_dry = true\n", {"cpu", "", 1, {}});
  EXPECT_EQ(s.field("depth")[8], 0);
  EXPECT_EQ(s.field("surface")[8], 1);
}

// Water that runs off falls dry in the middle: the run ends and names the cell.
TEST(ShallowWaterFaults, ADepthThatVanishesEndsTheRun) {
  const std::string apart = head +
                            "[physics]\nbed = 0\n[boundary]\nx = \"open\"\n[[initial]]\n"
                            "depth = 0.01\nvelocity = [\"x < 0.5 ? -20 : 20\", 0, 0]\n";
  Simulation s = Simulation::from_text(apart, {"cpu", "", 1, {}});
  try {
    s.step(100);
    FAIL() << "it went on";
  } catch (const Error& e) {
    const std::string words = e.what();
    EXPECT_NE(words.find("eta"), std::string::npos) << words;
    EXPECT_NE(words.find("first at cell ("), std::string::npos) << words;
  }
}

}  // namespace shallow_water_faults_test
