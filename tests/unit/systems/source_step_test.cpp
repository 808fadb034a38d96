// Sponges and rotation that are fast against the waves of a coarse grid bound the step: the flow
// dies away or turns in place of growing.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/math.hpp"
#include "support/faults.hpp"
#include "watersmeet/simulation.hpp"

using namespace watersmeet;
using test::expect_fault;

namespace source_step_test {

namespace {
// Waves cross a cell in about a second.
std::string box_of_air(const std::string& time, const std::string& physics) {
  return "[case]\nsystem = \"atmosphere\"\n[time]\nend = 1000\n" + time +
         "[grid]\ncells = [12, 1, 12]\nlower = [0, 0, 0]\nupper = [12e3, 1e3, 12e3]\n[physics]\n"
         "reference = { kind = \"isothermal\", temperature = 280 }\n" +
         physics +
         "[boundary]\nx = \"periodic\"\n"
         "[[initial]]\nvelocity = [\"1 + sin(pi*z/12e3)\", 0, \"cos(2*pi*x/12e3)\"]\n";
}

std::string plane_of_water(const std::string& time, const std::string& physics) {
  return "[case]\nsystem = \"shallow_water\"\n[time]\nend = 1000\n" + time +
         "[grid]\ncells = [16, 16, 1]\nupper = [160, 160, 1]\n[physics]\nbed = -1\n" + physics +
         "[boundary]\nx = \"periodic\"\ny = \"periodic\"\n"
         "[[initial]]\nsurface = \"0.01*sin(2*pi*x/160)\"\nvelocity = [0.1, 0, 0]\n";
}

double largest_speed(const std::string& text, std::int64_t steps) {
  Simulation s = Simulation::from_text(text, {"cpu", "", 1, {}});
  s.step(steps);
  double largest = 0;
  for (const double v : s.field("velocity")) largest = max_or_nan(largest, std::abs(v));
  return largest;
}

constexpr const char* schemes[] = {"ssp-rk3", "ssp-rk2", "ssp-rk43", "rk4-carpenter-kennedy"};
std::string scheme_line(const std::string& name) {
  return "scheme = \"" + name + "\"\ncfl = " + (name == "ssp-rk2" ? "0.8" : "0.9") + "\n";
}
}  // namespace

TEST(SourceStep, AirInStiffSpongesComesToRest) {
  for (const char* const scheme : schemes) {
    const std::string text = box_of_air(
        scheme_line(scheme),
        "sponge.top = { width = 8e3, rate = 20 }\nsponge.x = { width = 4e3, rate = 5 }\n");
    EXPECT_LT(largest_speed(text, 200), 2.5) << scheme;
  }
  EXPECT_LT(
      largest_speed(box_of_air("scheme = \"hevi\"\n", "sponge.top = { width = 8e3, rate = 20 }\n"),
                    200),
      2.5);
}

TEST(SourceStep, AirAndWaterTurnWithoutGrowing) {
  for (const char* const scheme : schemes) {
    EXPECT_LT(largest_speed(box_of_air(scheme_line(scheme), "coriolis = { f = 5 }\n"), 200), 2.5)
        << scheme;
    EXPECT_LT(largest_speed(plane_of_water(scheme_line(scheme), "coriolis = { f = 5 }\n"), 400),
              0.15)
        << scheme;
    EXPECT_LT(largest_speed(plane_of_water(scheme_line(scheme),
                                           "coriolis = { f = 1, beta = -0.04, y0 = 0 }\n"),
                            400),
              0.3)
        << scheme;
  }
}

// On a small planet that turns within seconds.
TEST(SourceStep, SpheresTurnWithoutGrowing) {
  const std::string round = "[grid]\nkind = \"cubed_sphere\"\nradius = 1e5\n";
  const std::string water = "[case]\nsystem = \"shallow_water\"\n[time]\nend = 1e4\n" + round +
                            "cells = 8\n[physics]\nbed = -1\nrotation = { rate = 0.01 }\n"
                            "[[initial]]\nvelocity = [\"0.1*cos(lat)\", 0, 0]\n";
  EXPECT_LT(largest_speed(water, 200), 0.2);
  const std::string air =
      "[case]\nsystem = \"atmosphere\"\n[time]\nend = 1e4\nscheme = \"hevi\"\n" + round +
      "cells = [8, 8, 8]\ntop = 12e3\n[physics]\n"
      "reference = { kind = \"isothermal\", temperature = 280 }\n"
      "rotation = { rate = 1 }\n[[initial]]\n"
      "velocity = [\"0.1*cos(lat)\", 0, 0]\n";
  EXPECT_LT(largest_speed(air, 200), 0.2);
}

// Nothing moves on dry ground, so that nothing there says how fast what flows in will be: one step
// to the end of the run filled the plane with water of 86 m/s.
TEST(SourceStep, WaterThatFlowsInOverDryGroundBoundsTheStep) {
  const auto dry = [](const std::string& time, const std::string& side) {
    return "[case]\nsystem = \"shallow_water\"\n[time]\n" + time +
           "[grid]\ncells = [16, 1, 1]\nupper = [160, 10, 1]\n[physics]\nbed = -1\n"
           "[numerics]\nwet_dry = true\n[boundary]\nx_lower = " +
           side + "\n[[initial]]\nsurface = -2\n";
  };
  for (const std::string surface : {"0", "-cos(t/10)"}) {
    const std::string side =
        "{ kind = \"inflow\", surface = \"" + surface + "\", velocity = [1, 0, 0] }";
    double volume[2] = {0, 0};
    for (const bool fine : {false, true}) {
      const std::string time = fine ? "end = 40\ncfl = 0.1\n" : "end = 40\n";
      Simulation s = Simulation::from_text(dry(time, side), {"cpu", "", 1, {}});
      s.advance_to(40);
      double fastest = 0;
      for (const double v : s.field("velocity")) fastest = max_or_nan(fastest, std::abs(v));
      for (const double h : s.field("depth")) volume[fine] += h;
      EXPECT_LT(fastest, 2 * std::sqrt(9.81) + 1) << surface;  // the front of a depth of 1
    }
    EXPECT_NEAR(volume[0], volume[1], 0.02 * volume[1]) << surface;
  }
  // A level fills the plane to itself: what overshoots while it fills runs out again.
  Simulation level = Simulation::from_text(dry("end = 400\n", "{ kind = \"level\", surface = 0 }"),
                                           {"cpu", "", 1, {}});
  level.advance_to(400);
  for (const double h : level.field("depth")) EXPECT_NEAR(h, 1, 0.3);
  // Where nothing ever flows the step may be anything that is a number.
  Simulation still = Simulation::from_text(dry("steps = 3\n", "\"wall\""), {"cpu", "", 1, {}});
  still.step(3);
  EXPECT_EQ(still.field("depth"), std::vector<double>(16, 0.0));
}

// What is weak leaves the step alone, to the last bit.
TEST(SourceStep, WeakSourcesDoNotBoundIt) {
  const auto first_step = [](const std::string& text) {
    Simulation s = Simulation::from_text(text, {"cpu", "", 1, {}});
    s.step(1);
    return s.dt();
  };
  EXPECT_EQ(first_step(box_of_air("", "sponge.top = { width = 4e3 }\ncoriolis = { f = 1e-4 }\n")),
            first_step(box_of_air("", "")));
  EXPECT_EQ(first_step(plane_of_water("", "coriolis = { f = 0.1 }\n")),
            first_step(plane_of_water("", "")));
}

TEST(SourceStep, FaultsOfStepsThatSourcesForbid) {
  const std::string sponge = "sponge.top = { width = 8e3, rate = 5 }\n";
  expect_fault(box_of_air("dt = 1\n", sponge),
               {5, "time.dt", "unstable at dt = 1 with sponges of rate 5: the limit is 0.503",
                "a shorter step"});
  expect_fault(box_of_air("dt = 0.5\n", sponge + "coriolis = { f = -6 }\n"),
               {5, "time.dt", "sponges of rate 5 and a Coriolis parameter of 6", "a shorter step"});
  expect_fault(box_of_air("cfl = 1.6\n", sponge),
               {5, "time.cfl", "is too large for ssp-rk3 with", "use time.cfl = 1.4"});
  expect_fault(plane_of_water("dt = 1\n", "coriolis = { f = 1, beta = 0.1 }\n"),
               {5, "time.dt", "a Coriolis parameter of 16.5", "a shorter step"});
  std::string shown;
  EXPECT_TRUE(test::faults_of(box_of_air("dt = 0.5\n", sponge), shown).empty()) << shown;
  EXPECT_TRUE(test::faults_of(box_of_air("cfl = 1.4\n", sponge), shown).empty()) << shown;
  EXPECT_TRUE(test::faults_of(box_of_air("cfl = 1.6\n", ""), shown).empty()) << shown;
}

// Diffusion reaches farther along the real axis than waves of the same Courant number.
TEST(SourceStep, ViscosityHasItsOwnCourantNumber) {
  expect_fault(box_of_air("cfl = 1.5\n", "viscosity = 1e5\n"),
               {5, "time.cfl", "and viscosity is not known to be stable", "use time.cfl = 1.1"});
  std::string shown;
  EXPECT_TRUE(test::faults_of(box_of_air("cfl = 1.1\n", "viscosity = 1e5\n"), shown).empty());
  EXPECT_LT(largest_speed(box_of_air("cfl = 1.25\n", "viscosity = 1e7\n"), 200), 2.5);
}

}  // namespace source_step_test
