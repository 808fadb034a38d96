// Faults of aerodynamics cases: what is wrong, at which line, and what to do instead; and what a
// case means when it says little.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "support/faults.hpp"
#include "systems/aerodynamics/case/method.hpp"
#include "systems/aerodynamics/system.hpp"

using namespace watersmeet;
using test::expect_fault;
using Expected = test::ExpectedFault;

namespace {
// Lines 1 to 5; what is added begins at line 6.
const std::string foil = R"toml([case]
system = "aerodynamics"
[grid]
mesh = { kind = "naca4", cells = [32, 16], far = 20.0 }
[physics]
)toml";
const std::string subsonic = "freestream = { mach = 0.63, alpha_deg = 2 }\n";  // line 6
const std::string wedge = R"toml([case]
system = "aerodynamics"
[grid]
mesh = { kind = "wedge", cells = [20, 16] }
[physics]
)toml";
}  // namespace

TEST(AerodynamicsFaults, GoodCasesHaveNone) {
  for (const std::string& text :
       {foil + subsonic, foil + subsonic + "[boundary]\nfarfield = { vortex = true }\n",
        foil + subsonic + "[boundary]\nairfoil = \"slip_wall\"\nfarfield = \"farfield\"\n",
        wedge + "freestream.mach = 2.0\n",
        std::string(
            "[case]\nsystem = \"aerodynamics\"\n[grid]\nmesh = \"ringleb\"\n[[initial]]\nflow "
            "= \"ringleb\"\n"),
        std::string(
            "[case]\nsystem = \"aerodynamics\"\n[grid]\nmesh = \"wavybox\"\n[time]\nmode = "
            "\"unsteady\"\nend = 1\n[boundary.outer]\nkind = \"exact\"\nstate = { density = "
            "\"1 + 0.1*sin(x - t)\" }\n")}) {
    std::unique_ptr<systems::System> system;
    const config::Input input = test::read_case(text, system);
    EXPECT_FALSE(input.has_faults()) << text << input.faults_text();
  }
}

// Order 1 on one grid has nothing that reads a sensor.
TEST(AerodynamicsFaults, SensorWhereSomethingReadsIt) {
  const std::string fast = wedge + "freestream.mach = 6.0\n[numerics]\norder = ";
  const std::string one = "multigrid = { levels = 1 }\n";
  for (const auto& [rest, sensor] : {std::pair<std::string, bool>{"1\n" + one, false},
                                     {"1\n", true},
                                     {"3\n" + one, true},
                                     {"1\nshocks = { kind = \"pressure\" }\n" + one, true}}) {
    std::unique_ptr<systems::System> system;
    config::Input input = test::read_case(fast + rest, system);
    aerodynamics::FreeStream stream;
    stream.mach = 6;
    const aerodynamics::Method method = aerodynamics::read_method(input, stream);
    EXPECT_EQ(method.shock_k2 > 0, sensor) << rest;
  }
}

// What a run writes as its resolved case gives the same run: no fault, and the same text again.
TEST(AerodynamicsFaults, ResolvedCasesAreCases) {
  for (const std::string& text :
       {foil + subsonic,
        std::string("[case]\nsystem = \"aerodynamics\"\n[grid]\nmesh = \"wavybox\"\n[time]\nmode = "
                    "\"unsteady\"\nend = 1\n[[initial]]\nflow = \"vortex\"\n")}) {
    std::unique_ptr<systems::System> system;
    const config::Input first = test::read_case(text, system);
    ASSERT_FALSE(first.has_faults()) << first.faults_text();
    const config::Input again = test::read_case(first.resolved_toml(), system);
    EXPECT_FALSE(again.has_faults()) << again.faults_text();
    EXPECT_EQ(again.real("time.cfl"), first.real("time.cfl"));
    EXPECT_EQ(system->summary(), [&] {
      std::unique_ptr<systems::System> other;
      test::read_case(text, other);
      return other->summary();
    }());
  }
}

TEST(AerodynamicsFaults, OfTheMesh) {
  const std::string head = "[case]\nsystem = \"aerodynamics\"\n[grid]\n";
  expect_fault(head, {3, "grid.mesh", "no mesh", "naca4"});
  expect_fault(head + "mesh = \"naca4\"\nfile = \"x.toml\"\n[physics.freestream]\nmach = 0.5\n",
               {5, "grid.file", "not both", "remove"});
  expect_fault(head + "mesh = \"naca5\"\n", {4, "grid.mesh", "", "naca4"});
  expect_fault(head + "mesh = { kind = \"naca4\", amplitude = 0.1 }\n",
               {4, "grid.mesh.amplitude", "has no key `amplitude`", "digits"});
  expect_fault(head + "mesh = { kind = \"naca4\", cells = [32, 16, 4] }\n",
               {4, "grid.mesh.cells", "2 whole numbers", ""});
  expect_fault(head + "file = \"nowhere.toml\"\n", {4, "grid.file", "no file", ""});
  expect_fault(head + "cells = [8, 8, 8]\nmesh = \"wavybox\"\n",
               {4, "grid.cells", "not of aerodynamics", ""});
}

TEST(AerodynamicsFaults, OfStatesBeyondBoundaries) {
  const std::string boundary = foil + subsonic + "[boundary]\n";  // the next line is 8
  expect_fault(
      boundary + "farfield = { kind = \"farfield\", vortex = true, state = { density = 1 } }\n",
      {8, "boundary.farfield.vortex", "this boundary has a `state`", "remove"});
  expect_fault(boundary + "farfield = { kind = \"farfield\", state = { density = \"1 + t\" } }\n",
               {8, "boundary.farfield.state", "t has no meaning", "unsteady"});
  expect_fault(boundary + "farfield = { kind = \"farfield\", state = { pressure = \"1 - 2\" } }\n",
               {8, "boundary.farfield.state", "the density 1 and pressure -1 must be above 0", ""});
  expect_fault(boundary + "farfield = { kind = \"outflow_pressure\", state = { density = 1 } }\n",
               {8, "boundary.farfield.state", "has no `state`", "farfield"});
  expect_fault(
      wedge + "freestream.mach = 2.0\n[boundary]\ninflow.state = { velocity = [0.8, 0, 0] }\n",
      {8, "boundary.inflow.state", "the Mach number 0.8 of a supersonic_inflow must be above 1",
       ""});
}

TEST(AerodynamicsFaults, OfBoundaries) {
  const std::string boundary = foil + subsonic + "[boundary]\n";  // the next line is 8
  expect_fault(boundary + "aerofoil = \"slip_wall\"\n",
               {8, "boundary.aerofoil", "it has farfield, airfoil", "airfoil"});
  expect_fault(boundary + "farfield = \"supersonic_inflow\"\n",
               {8, "boundary.farfield.kind", "the free stream is subsonic: M = 0.63", "farfield"});
  expect_fault(boundary + "farfield = { kind = \"inflow_total\", pressure = 1.0 }\n",
               {8, "boundary.farfield.pressure", "has no `pressure`", "outflow_pressure"});
  expect_fault(boundary + "farfield = \"exact\"\n",
               {8, "boundary.farfield.kind", "does not give the exact flow beyond it", "flow ="});
  expect_fault(boundary + "farfield = \"no_slip\"\n", {8, "boundary.farfield", "", ""});
  expect_fault(foil + "gamma = 1.4\n",
               {5, "physics.freestream.mach", "needs the Mach number", "mach"});
  expect_fault(wedge + "freestream.mach = 2.0\n[boundary]\ninflow = \"inflow_total\"\n",
               {8, "boundary.inflow.kind", "has M = 2", "supersonic_inflow"});
  expect_fault(wedge + "freestream.mach = 2.0\n[boundary]\ntop = { vortex = true }\n",
               {8, "boundary.top.vortex", "subsonic", "remove"});
  expect_fault(foil + "freestream.mach = 0\n[boundary]\nfarfield = { vortex = true }\n",
               {8, "boundary.farfield.vortex", "this one has M = 0", "remove"});
  expect_fault(boundary + "farfield = { kind = \"inflow_total\", direction = [1, 0, 0.1] }\n",
               {8, "boundary.farfield.direction", "no flow along z", ""});
}

TEST(AerodynamicsFaults, OfTimeAndMethod) {
  const std::string time = foil + subsonic + "[time]\n";  // the next line is 8
  expect_fault(time + "mode = \"unsteady\"\n", {7, "time.end", "no end", "end ="});
  expect_fault(time + "end = 2.0\n", {8, "time.end", "unsteady runs", "remove"});
  expect_fault(time + "mode = \"unsteady\"\nend = 1\nresidual_drop = 1e-3\n",
               {10, "time.residual_drop", "steady runs", "remove"});
  expect_fault(time + "scheme = \"rk4\"\n",
               {8, "time.scheme", "by the same time step", "unsteady"});
  expect_fault(time + "mode = \"unsteady\"\nend = 1\nscheme = \"rk5\"\n",
               {10, "time.scheme", "second order in time", "rk4"});
  expect_fault(foil + subsonic + "[numerics]\norder = 7\n", {8, "numerics.order", "", ""});
  expect_fault(foil + subsonic + "[numerics]\nmultigrid = { pre = 0, post = 0 }\n",
               {8, "numerics.multigrid.post", "at least one step before or after", ""});
  expect_fault(foil + subsonic + "[numerics]\nshocks = { kind = \"none\", k2 = 1 }\n",
               {8, "numerics.shocks.k2", "no sensor", ""});
  expect_fault(foil + "freestream = { mach = 0.5, beta_deg = 3 }\n",
               {6, "physics.freestream.beta_deg", "a 2-D mesh has no sideslip", "remove"});
  expect_fault(foil + subsonic + "[output]\nforces = { patches = [\"wing\"] }\n",
               {8, "output.forces.patches", "it has farfield, airfoil", ""});
  expect_fault(
      foil + subsonic + "[output]\nforces = { patches = [\"airfoil\", \"farfield\"] }\n",
      {8, "output.forces.patches[1]", "of kind farfield, which is not a wall", "walls: airfoil"});
  expect_fault(foil + subsonic + "[output]\nforces = { patches = [\"airfoil\", \"airfoil\"] }\n",
               {8, "output.forces.patches[1]", "named twice", "remove one"});
}

// A wall whose flow would leave it and the coefficients of a known force.
TEST(AerodynamicsCase, CoefficientsTurnWithTheStream) {
  using namespace aerodynamics;
  FreeStream stream;
  stream.flow = {1.0, {{0.5, 0, 0}}, 1 / 1.4};
  stream.mach = 0.5;
  stream.alpha = 0.1;
  Reference reference;
  reference.area = 2;
  reference.length = 3;
  // q = 1/8: a force of 1 along x is 4/2 in coefficients before turning.
  const double scale = 1 / (0.125 * 2);
  const Coefficients c = coefficients_of({1, 2, 0}, {0, 0, -0.6}, stream, reference, 2);
  EXPECT_NEAR(c.drag, scale * (std::cos(0.1) + 2 * std::sin(0.1)), 1e-14);
  EXPECT_NEAR(c.lift, scale * (2 * std::cos(0.1) - std::sin(0.1)), 1e-14);
  EXPECT_NEAR(c.moment, scale * 0.6 / 3, 1e-14);
  stream.beta = 0.2;
  const Coefficients d = coefficients_of({0, 0, 1}, {0, 0.6, 0}, stream, reference, 3);
  EXPECT_NEAR(d.lift, scale * std::cos(0.1), 1e-14);
  EXPECT_NEAR(d.drag, scale * std::sin(0.1) * std::cos(0.2), 1e-14);
  EXPECT_NEAR(d.moment, scale * 0.6 / 3, 1e-14);
}
