// Reference states: hydrostatic balance by differences, known values, and the cubics that the loops
// read in their place.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "systems/atmosphere/settings/reference.hpp"

using namespace watersmeet::atmosphere;

namespace {
std::vector<ReferenceState> references() {
  ReferenceState neutral, stratified, isothermal, table, sounding;
  stratified.kind = ReferenceKind::stratified;
  isothermal.kind = ReferenceKind::isothermal;
  table.kind = ReferenceKind::table;
  table.heights = {0, 2000, 9000};
  table.thetas = {300, 301, 340};
  sounding.kind = ReferenceKind::sounding;
  sounding.heights = {0, 2000, 9000};
  sounding.thetas = {288, 270, 230};
  return {neutral, stratified, isothermal, table, sounding};
}
}  // namespace

TEST(AtmosphereReference, IsHydrostatic) {
  for (const ReferenceState& r : references()) {
    for (const double z : {-500.0, 40.0, 750.0, 1900.0, 5000.0, 11000.0}) {
      const double dz = 0.5;
      const double slope = (r.p(z + dz) - r.p(z - dz)) / (2 * dz);
      EXPECT_NEAR(slope, -r.rho(z) * r.gravity, 2e-7 * r.rho(0));
      EXPECT_NEAR(r.p(z), r.rho(z) * 287.0 * r.theta(z) * r.exner(z), 1e-9 * r.p(z));
    }
    EXPECT_NEAR(r.p(0), 1e5, 1e-9);
  }
}

// Under gravity that falls off with height.
TEST(AtmosphereReference, IsHydrostaticAboveASmallPlanet) {
  for (ReferenceState r : references()) {
    const double a = 60e3;
    r.inverse_radius = 1 / a;
    for (const double z : {-500.0, 40.0, 750.0, 1900.0, 5000.0, 11000.0}) {
      const double dz = 0.5, gravity = r.gravity * a * a / ((a + z) * (a + z));
      const double slope = (r.p(z + dz) - r.p(z - dz)) / (2 * dz);
      EXPECT_NEAR(slope, -r.rho(z) * gravity, 2e-7 * r.rho(0));
      EXPECT_NEAR((r.geopotential(z + dz) - r.geopotential(z - dz)) / (2 * dz), gravity, 1e-8);
    }
  }
}

TEST(AtmosphereReference, HasTheProfilesOfItsKind) {
  const auto r = references();
  EXPECT_EQ(r[0].theta(4000), 300);
  // N^2 = g d(ln theta)/dz.
  EXPECT_NEAR(9.81 * std::log(r[1].theta(3000) / r[1].theta(1000)) / 2000, 1e-4, 1e-15);
  EXPECT_NEAR(r[2].theta(6000) * r[2].exner(6000), 250, 1e-10);
  EXPECT_NEAR(r[2].p(6000), 1e5 * std::exp(-9.81 * 6000 / (287 * 250)), 1e-6);
  EXPECT_NEAR(r[3].theta(5500), 320.5, 1e-10);
  EXPECT_EQ(r[3].theta(20000), 340);
  // A constant lapse rate a: p = p_0 (T/T_0)^(g/(R_d a)).
  EXPECT_NEAR(r[4].theta(1000) * r[4].exner(1000), 279, 1e-10);
  EXPECT_NEAR(r[4].p(1000), 1e5 * std::pow(279.0 / 288.0, 9.81 / (287 * 0.009)), 1e-6);
}

TEST(AtmosphereReference, CubicsFollowIt) {
  for (const ReferenceState& r : references()) {
    const CubicProfile c = tabulate(r, -1000, 13000, 512);
    for (double z = -1000; z < 13000; z += 37.3) {
      const int n = static_cast<int>((z - c.lower) / c.step);
      const double part = (z - c.lower) / c.step - n;
      const auto value = [&](int function) {
        const double* const k = c.coefficients.data() + 12 * n + 4 * function;
        return k[0] + part * (k[1] + part * (k[2] + part * k[3]));
      };
      // Where the slope of ln theta jumps by up to 1.8e-5/m within an interval of 27.4 m, or that of
      // ln T by up to 3.13e-5/m, an interpolation is off by up to an eighth of their product.
      const double tolerance = r.kind == ReferenceKind::table      ? 6.2e-5
                               : r.kind == ReferenceKind::sounding ? 1.08e-4
                                                                   : 1e-10;
      EXPECT_NEAR(value(0), r.rho(z), tolerance * r.rho(z));
      EXPECT_NEAR(value(1), r.p(z), tolerance * r.p(z));
      EXPECT_NEAR(value(2), r.theta(z), tolerance * r.theta(z));
    }
  }
}
