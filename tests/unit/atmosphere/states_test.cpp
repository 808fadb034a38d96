// The named states of a sphere are in balance: hydrostatic along z, and along a meridian the
// pressure bears the centrifugal and the Coriolis force of the zonal wind,
//   -(1/(rho a)) p_lat = u^2 tan(lat)/a + 2 Omega sin(lat) u.
// Derivatives by central differences.
#include "systems/atmosphere/sphere/states.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "systems/atmosphere/split.hpp"

namespace watersmeet::atmosphere {

namespace {
struct Case {
  const char* name;
  GlobeConstants constants;
  double top;
};
std::vector<Case> cases() {
  GlobeConstants earth, small;
  small.radius = earth.radius / 125;
  small.rate = 0;
  return {{"baroclinic-wave", earth, 30e3}, {"dcmip31", small, 10e3}};
}
}  // namespace

TEST(GlobeStates, AreInBalance) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const GlobeState state(c.name, c.constants, false);
    const double r_d = c.constants.gas.r_d, a = c.constants.radius;
    for (double lat = -1.5; lat <= 1.5; lat += 0.1) {
      for (double z = 0.02 * c.top; z < c.top; z += 0.07 * c.top) {
        const GlobeValues here = state.at(1, lat, z);
        const double dz = 1, dlat = 1e-4, rho = here.rho(r_d);
        const double fall = (state.at(1, lat, z + dz).p - state.at(1, lat, z - dz).p) / (2 * dz);
        EXPECT_NEAR(fall / rho, -c.constants.gravity, 1e-5);
        const double along =
            (state.at(1, lat + dlat, z).p - state.at(1, lat - dlat, z).p) / (2 * dlat);
        const double turning = here.east * here.east * std::tan(lat) / a +
                               2 * c.constants.rate * std::sin(lat) * here.east;
        EXPECT_NEAR(-along / (rho * a), turning, 2e-8 + 1e-5 * std::abs(turning));
        EXPECT_EQ(here.north, 0);
      }
    }
  }
}

// At the distance r = a + z: along r (1/rho) p_r = -g a^2/r^2 + u^2/r + 2 Omega cos(lat) u, along a
// meridian as above with r in place of a.
TEST(GlobeStates, AreInBalanceInADeepAtmosphere) {
  GlobeConstants deep;
  deep.deep = true;
  deep.radius /= 20;
  deep.rate *= 20;
  const GlobeState state("baroclinic-wave", deep, false);
  const double r_d = deep.gas.r_d, a = deep.radius, omega = deep.rate;
  double largest = 0;
  for (double lat = -1.5; lat <= 1.5; lat += 0.1) {
    for (double z = 600; z < 30e3; z += 2100) {
      const GlobeValues here = state.at(1, lat, z);
      const double dz = 1, dlat = 1e-4, rho = here.rho(r_d), r = a + z, u = here.east;
      const double fall = (state.at(1, lat, z + dz).p - state.at(1, lat, z - dz).p) / (2 * dz);
      const double lift = u * u / r + 2 * omega * std::cos(lat) * u;
      EXPECT_NEAR(fall / rho, lift - deep.gravity * a * a / (r * r), 1e-5);
      largest = std::max(largest, lift);
      const double along =
          (state.at(1, lat + dlat, z).p - state.at(1, lat - dlat, z).p) / (2 * dlat);
      const double turning = u * u * std::tan(lat) / r + 2 * omega * std::sin(lat) * u;
      EXPECT_NEAR(-along / (rho * r), turning, 1e-6 + 1e-5 * std::abs(turning));
    }
  }
  EXPECT_GT(largest, 0.02);
}

TEST(GlobeStates, HaveTheirPublishedSizes) {
  const auto [wave, small] = std::pair(cases()[0], cases()[1]);
  const GlobeState jet(wave.name, wave.constants, false), pushed(wave.name, wave.constants, true);
  double fastest = 0;
  for (double lat = 0; lat < 1.57; lat += 0.005) {
    for (double z = 0; z < 30e3; z += 100) fastest = std::max(fastest, jet.at(0, lat, z).east);
  }
  EXPECT_NEAR(fastest, 27.907, 0.001);
  GlobeConstants deepened = wave.constants;
  deepened.deep = true;
  const GlobeState deep(wave.name, deepened, false);
  fastest = 0;
  for (double lat = 0; lat < 1.57; lat += 0.005) {
    for (double z = 0; z < 30e3; z += 100) fastest = std::max(fastest, deep.at(0, lat, z).east);
  }
  EXPECT_NEAR(fastest, 27.82, 0.005);
  EXPECT_NEAR(jet.at(0, 0.7, 0).p, 1e5, 1e-9);
  constexpr double pi = 3.14159265358979323846;
  EXPECT_NEAR(pushed.at(pi / 9, 2 * pi / 9, 0).east - jet.at(pi / 9, 2 * pi / 9, 0).east, 1, 1e-12);
  EXPECT_EQ(pushed.at(1, 2 * pi / 9, 0).east, jet.at(1, 2 * pi / 9, 0).east);

  const GlobeState still(small.name, small.constants, false),
      warm(small.name, small.constants, true);
  EXPECT_NEAR(still.at(0, 0, 0).p, 1e5, 1e-9);
  EXPECT_NEAR(still.at(0, 0, 0).temperature, 300, 1e-12);
  const GlobeValues a = still.at(2 * pi / 3, 0, 10e3), b = warm.at(2 * pi / 3, 0, 10e3);
  EXPECT_NEAR(a.temperature, b.temperature, 1e-12);  // sin(2 pi z/20 km) is 0 there
  const GlobeValues c = still.at(2 * pi / 3, 0, 5e3), d = warm.at(2 * pi / 3, 0, 5e3);
  EXPECT_NEAR((d.temperature - c.temperature) * std::pow(1e5 / c.p, 287.0 / 1004.5), 1, 1e-12);
}

// ARS(2,3,2) in Butcher's form, and the conditions of second order for its two parts with common
// weights b = (0, 1 - gamma, gamma): b.1 = 1 and b.c = 1/2; the explicit part has b.(A c) = 1/6.
TEST(SplitScheme, HasTheOrderOfItsTableau) {
  const double g = split_gamma, d = split_delta;
  EXPECT_NEAR(g, 1 - 1 / std::sqrt(2.0), 1e-16);
  EXPECT_NEAR(d, -2 * std::sqrt(2.0) / 3, 1e-15);
  EXPECT_NEAR((1 - g) * g + g, 0.5, 1e-15);
  EXPECT_NEAR(g * (1 - d) * g, 1.0 / 6, 1e-15);
  const exec::TimeScheme scheme = split_scheme();
  ASSERT_EQ(scheme.stages.size(), 3u);
  EXPECT_DOUBLE_EQ(scheme.stages[1].b, 1 - d);
  EXPECT_TRUE(scheme.stages[2].last);
}

}  // namespace watersmeet::atmosphere
