// Faults of Boussinesq cases: what is wrong, at which line, and what to do instead.
#include <gtest/gtest.h>

#include "support/faults.hpp"
#include "systems/boussinesq/system.hpp"

using namespace watersmeet;
using test::expect_fault;
using test::faults_of;

namespace boussinesq_faults_test {
using Expected = test::ExpectedFault;

namespace {
// Lines 1 to 6; [physics] comes next.
const std::string head = R"toml([case]
system = "boussinesq"
[time]
end = 1
[grid]
cells = [16, 12, 8]
)toml";
const std::string viscous = "[physics]\nviscosity = 0.1\n";  // lines 7 and 8

// A fault of [boundary], whose first line is 10.
void expect_boundary_fault(const std::string& boundary, const Expected& expected) {
  expect_fault(head + viscous + "[boundary]\n" + boundary, expected);
}
}  // namespace

TEST(BoussinesqFaults, GoodCasesHaveNone) {
  std::string shown;
  EXPECT_TRUE(faults_of(head + viscous, shown).empty()) << shown;
  EXPECT_TRUE(faults_of(head + "[physics]\nrayleigh = 1e5\nprandtl = 0.71\n", shown).empty())
      << shown;
  EXPECT_TRUE(
      faults_of(head + viscous + "[boundary]\nx = { velocity = [\"y*z\", 0, 0] }\n", shown).empty())
      << shown;
}

TEST(BoussinesqFaults, TheTextIsWhatAUserSees) {
  std::string shown;
  faults_of(head + viscous + "[boundary]\nz_upper = { velocity = [0, 0, -0.5] }\n", shown);
  EXPECT_EQ(
      shown,
      R"(error[range]: the inflow exceeds the outflow by 19.7392 in volume per time, of 19.7392 through all sides; the fluid is incompressible
  --> case.toml:10:24
   |
10 | z_upper = { velocity = [0, 0, -0.5] }
   |                        ^^^^^^^^^^^^ prescribe velocities across the sides whose sum over all faces is 0

1 error in case.toml; nothing was run)");
}

TEST(BoussinesqFaults, Parameters) {
  expect_fault(head, {0, "physics.viscosity", "neither physics.rayleigh nor physics.viscosity",
                      "rayleigh and prandtl"});
  expect_fault(head + "[physics]\nrayleigh = -5\n", {8, "physics.rayleigh", "", ""});
  expect_fault(head + "[physics]\nrayleigh = 1e5\nprandtl = 0\n", {9, "physics.prandtl", "", ""});
  expect_fault(head + viscous + "prandtl = 1\n",
               {9, "physics.prandtl", "without physics.rayleigh", "add physics.rayleigh"});
  expect_fault(head + viscous + "rayleigh = 1e5\n",
               {8, "physics.viscosity", "together with physics.rayleigh (line 9)", "remove"});
  expect_fault(head + viscous + "[physics.scalars]\np = {}\n",
               {10, "physics.scalars.p", "cannot be called `p`", "another name"});
  expect_fault(
      head + viscous +
          "[physics.scalars]\na = {}\nb = {}\nc = {}\nd = {}\ne = {}\nf = {}\ng = {}\nh = {}\nk = "
          "{}\n",
      {9, "physics.scalars", "9 scalars besides the temperature; at most 8 are possible", ""});
}

TEST(BoussinesqFaults, Grid) {
  expect_fault(
      head + "z_stretching = 1.5\n" + viscous + "[boundary]\nz = \"periodic\"\n",
      {7, "grid.z_stretching", "along z, which is periodic, must have equal widths", "walls"});
  expect_fault(head + "z_faces = [0, 1, 2]\n" + viscous,
               {7, "grid.z_faces", "3 faces are given for 8 cells", "give 9 faces"});
  expect_fault(
      head + "upper = [1, 1, 1]\nz_faces = [0, 0.1, 0.2, 0.3, 0.25, 0.5, 0.6, 0.7, 1]\n" + viscous,
      {8, "grid.z_faces", "do not ascend: 0.25 follows 0.3", ""});
}

TEST(BoussinesqFaults, Step) {
  expect_fault(
      "[case]\nsystem = \"boussinesq\"\n[time]\nend = 1\ncfl = 0.9\n[grid]\n"
      "cells = [16, 12, 8]\n" +
          viscous,
      {5, "time.cfl", "ab2 is unstable at cfl = 0.9: its limit is 0.8", "rk3"});
  expect_fault(
      "[case]\nsystem = \"boussinesq\"\n[time]\nend = 1\ndt = 1.0\n[grid]\n"
      "cells = [16, 12, 8]\n" +
          viscous,
      {5, "time.dt", "diffusion is unstable with dt = 1", "or remove dt"});
  expect_fault(
      head + viscous + "[numerics]\npressure = { solver = \"mg\", tol_rel = 1e-16 }\n",
      {10, "numerics.pressure.tol_rel", "below the divergence that rounding leaves", "1e-10"});
}

TEST(BoussinesqFaults, Boundaries) {
  expect_boundary_fault("x_lower = \"periodic\"\n",
                        {10, "boundary.x_lower.kind", "only the lower x side is periodic",
                         "boundary.x = \"periodic\""});
  expect_boundary_fault("x = \"no_slip\"\nx_upper = \"free_slip\"\n",
                        {11, "boundary.x_upper", "together with `boundary.x` (line 10)", "remove"});
  expect_boundary_fault(
      "x = { kind = \"periodic\", temperature = 1 }\n",
      {10, "boundary.x.temperature", "a periodic side takes no prescribed values", ""});
  expect_boundary_fault("x = { kind = \"partial_slip\" }\n",
                        {10, "boundary.x.slip", "is partial_slip and needs `slip`", ""});
  expect_boundary_fault("x = { kind = \"no_slip\", slip = 0.5 }\n",
                        {10, "boundary.x.slip", "kind no_slip has no `slip`", "partial_slip"});
  expect_boundary_fault("x = { kind = \"free_slip\", velocity = [0, 1, 0] }\n",
                        {10, "boundary.x.velocity", "does not drag the fluid along y", "no_slip"});
  expect_boundary_fault("z_lower = { temperature = 1, temperature_flux = 2 }\n",
                        {10, "boundary.z_lower.temperature_flux",
                         "together with `boundary.z_lower.temperature` (line 10)", "remove"});
  expect_boundary_fault("z_lower = { temperature_robin = [\"x\", 1, 0] }\n",
                        {10, "boundary.z_lower.temperature_robin", "a of a T + b dT/dn = c", ""});
  expect_boundary_fault(
      "z_lower = { scalars = { salt = { value = 1 } } }\n",
      {10, "boundary.z_lower.scalars.salt", "the case has no scalar `salt`", "[physics.scalars]"});
  // What flows in leaves through an open side.
  std::string shown;
  EXPECT_TRUE(faults_of(head + viscous +
                            "[boundary]\nx_lower = { velocity = [1, 0, 0] }\n"
                            "x_upper = \"open\"\n",
                        shown)
                  .empty())
      << shown;
  expect_boundary_fault(
      "x_upper = { kind = \"open\", velocity = [1, 0, 0] }\n",
      {10, "boundary.x_upper.velocity", "follows from the pressure", "kind = \"no_slip\""});
  expect_boundary_fault("x_upper = { kind = \"open\", temperature_flux = 1 }\n",
                        {10, "boundary.x_upper.temperature_flux", "a value for the temperature",
                         "boundary.x_upper.temperature"});
  expect_boundary_fault("x_upper = { kind = \"open\", slip = 0.5 }\n",
                        {10, "boundary.x_upper.slip", "kind open has no `slip`", "partial_slip"});
  expect_fault("[case]\nsystem = \"boussinesq\"\n[time]\nend = 1\n[grid]\ncells = [16, 12, 3]\n" +
                   viscous + "[boundary]\nz_upper = \"open\"\n",
               {10, "boundary.z_upper.kind", "at least 4 cells across it", "at least 4 cells"});
  expect_fault(head +
                   "[physics]\nviscosity = 0\n[boundary]\nx = { kind = \"stress\", stress = [0, "
                   "1, 0] }\n",
               {10, "boundary.x.kind", "needs a viscosity above 0", ""});
}

}  // namespace boussinesq_faults_test
