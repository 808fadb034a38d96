// What walls give the air: in a closed box the energy grows by the fluxes times the areas of ground, lid and lateral walls, and the momentum
// along y by the stress of the lid.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "watersmeet/simulation.hpp"

namespace watersmeet::walls_test {

namespace {

// 1200 x 1000 x 800, over ground that rises from 10 to 70 along x or y: areas of the sides are 790, 730 and 760 times their lengths.
std::string box(const std::string& boundary, const std::string& terrain) {
  return R"toml([case]
system = "atmosphere"
[grid]
cells = [12, 10, 8]
upper = [1200, 1000, 800]
[physics]
reference = { kind = "stratified", theta = 290, brunt_vaisala = 0.01 }
)toml" + terrain +
         R"toml([time]
steps = 100
dt = 0.1
[boundary]
)toml" + boundary;
}

double gained(const std::string& text, const std::string& what) {
  Simulation air = Simulation::from_text(text, {"cpu", "double", 1, {}});
  const double before = air.diagnostics().at(what);
  air.step(4);
  return air.diagnostics().at(what) - before;
}

constexpr const char *slope = "terrain = \"10 + 0.05*x\"\n",
                     *across = "terrain = \"10 + 0.06*y\"\n";
constexpr double duration = 0.4;

}  // namespace

TEST(AirBetweenWalls, GainsWhatEachSideGives) {
  const struct {
    const char *condition, *terrain;
    double energy;  // over the time
  } rows[] = {
      {"lid = { heat_flux = -1000 }\n", "", -1000.0 * 1200 * 1000},
      {"lid = { heat_flux = \"-1000 + 0*theta\" }\n", slope, -1000.0 * 1200 * 1000},
      {"x_lower = { kind = \"wall\", heat_flux = 1000 }\n", "", 1000.0 * 1000 * 800},
      {"x_lower = { kind = \"wall\", heat_flux = 1000 }\n", slope, 1000.0 * 1000 * 790},
      {"x_upper = { kind = \"wall\", heat_flux = \"x\" }\n", slope, 1200.0 * 1000 * 730},
      {"y = { kind = \"wall\", heat_flux = \"1000 + y\" }\n", slope, 3000.0 * 1200 * 760},
      {"y_lower = { kind = \"wall\", heat_flux = 1000 }\n", across, 1000.0 * 1200 * 790},
      {"y_upper = { kind = \"wall\", heat_flux = \"y\" }\n", across, 1000.0 * 1200 * 730},
      {"ground = { heat_flux = \"z\" }\nlid = { heat_flux = \"z\" }\n", slope,
       (40.0 + 800) * 1200 * 1000},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.condition + std::string(row.terrain));
    EXPECT_NEAR(gained(box(row.condition, row.terrain), "energy") / (row.energy * duration), 1,
                2e-7);
  }
}

TEST(AirBetweenWalls, IsDraggedByTheLid) {
  const std::string lid = "x = \"periodic\"\ny = \"periodic\"\nlid = { stress = [0, 0.5, 0] }\n";
  EXPECT_NEAR(gained(box(lid, ""), "momentum_y") / (0.5 * 1200 * 1000 * duration), 1, 1e-9);
}

// Also where the bottom of the grid is not at z = 0.
TEST(AirBetweenWalls, BeginsWithWhatTheCaseSaysOfItsHeight) {
  const Simulation air = Simulation::from_text(R"toml([case]
system = "atmosphere"
[grid]
cells = [6, 1, 8]
lower = [0, 0, 200]
upper = [600, 100, 1000]
[physics]
reference = { kind = "stratified", theta = 290, brunt_vaisala = 0.01 }
wind = [20, 0, 0]
[time]
steps = 1
[[initial]]
theta = "0.01*z"
)toml",
                                               {"cpu", "double", 1, {}});
  const std::vector<double> theta = air.field("theta_perturbation"),
                            velocity = air.field("velocity");
  for (std::size_t n = 0; n < theta.size(); ++n) {
    const double z = 250 + 100 * static_cast<double>(n / 6);
    EXPECT_NEAR(theta[n], 0.01 * z, 1e-9);
    EXPECT_NEAR(velocity[3 * n], 20, 1e-11);
  }
}

}  // namespace watersmeet::walls_test
