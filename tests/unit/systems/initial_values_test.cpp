// Initial values that only the grid shows to be wrong, of the systems that have no test of faults
// of their own for them: the key and its line, the place, what was found and what is allowed.
#include <gtest/gtest.h>

#include "support/faults.hpp"

using namespace watersmeet;
using test::expect_refused;

TEST(InitialValues, OfIsothermal) {
  const std::string head =
      "[case]\nsystem = \"isothermal\"\n[time]\nsteps = 1\n[grid]\ncells = [8, 8, 8]\n"
      "upper = [8, 8, 8]\n";  // line 8 comes next
  expect_refused(
      head + "[[initial]]\ndensity = \"3.5 - x\"\n",
      {"initial[0].density is ", "at cell (4, 0, 0)", "--> case:9:11", "positive numbers"});
  expect_refused(
      head + "[[initial]]\ndensity = 1\nvelocity = [0, \"sqrt(3.5 - z)\", 0]\n",
      {"initial[0].velocity is nan at cell (0, 0, 4)", "--> case:10:12", "finite numbers"});
}

TEST(InitialValues, OfBoussinesq) {
  const std::string head =
      "[case]\nsystem = \"boussinesq\"\n[time]\nsteps = 1\n[grid]\ncells = [8, 8, 8]\n"
      "upper = [8, 8, 8]\n[physics]\nrayleigh = 1e4\n";  // line 10 comes next
  expect_refused(head + "[[initial]]\ntemperature = \"log(x - 3)\"\n",
                 {"initial[0].temperature is nan at x = 0.5", "--> case:11:15", "finite numbers"});
}

TEST(InitialValues, OfForcesAndSidesOfBoussinesq) {
  const std::string head =
      "[case]\nsystem = \"boussinesq\"\n[time]\nsteps = 1\n[grid]\ncells = [8, 8, 8]\n"
      "upper = [8, 8, 8]\n[physics]\nrayleigh = 1e4\n";  // line 10 comes next
  expect_refused(head + "acceleration = [0, \"log(x - 3)\", 0]\n",
                 {"physics.acceleration is nan at x = 0.5, y = 0, z = 0.5", "--> case:10:16"});
  expect_refused(head + "heating = \"1/(z - 2.5)\"\n",
                 {"physics.heating is inf at x = 0.5, y = 0.5, z = 2.5", "--> case:10:11"});
  expect_refused(head + "[boundary]\nz_lower = { temperature = \"sqrt(2 - x)\" }\n",
                 {"boundary.z_lower.temperature is nan at x = 2.5", "t = 0", "--> case:11:"});
}

TEST(InitialValues, OfAerodynamics) {
  const std::string head =
      "[case]\nsystem = \"aerodynamics\"\n[grid]\n"
      "mesh = { kind = \"wedge\", cells = [20, 16] }\n[physics]\nfreestream.mach = 2.0\n"
      "[[initial]]\n";  // line 8 comes next
  expect_refused(
      head + "pressure = \"0.1 - x\"\n",
      {"the initial pressure is -", "block 1, node (2, 0, 0)", "--> case:8:12", "above 0"});
  expect_refused(
      head + "density = \"sqrt(0.1 - x)\"\n",
      {"the initial density is nan", "block 1, node (2, 0, 0)", "--> case:8:11", "above 0"});
}
