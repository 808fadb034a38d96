// The Keller-Miksis integrator: radii of collapses by validation/reference/keller_miksis.py, and the
// energy of the incompressible limit.
#include "schemes/keller_miksis.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"

using namespace watersmeet;
using namespace watersmeet::schemes;

namespace {
Bubble millimetre(double ratio) {
  return {.radius = 1e-3,
          .gas_pressure = 1e5,
          .gamma = 1.4,
          .far_pressure = ratio * 1e5,
          .liquid_density = 1000,
          .sound_speed = 1450};
}
}  // namespace

TEST(KellerMiksis, CollapsesAtTenAndHundredTimesThePressure) {
  struct Row {
    double ratio, rayleigh, radii[5], t_min, r_min;
  };
  for (const Row& row :
       {Row{10, 30.4893e-6, {.97355, .88913, .72467, .55957, .48515}, 1.0788, 0.28883},
        Row{100, 9.1929e-6, {.97368, .88981, .72436, .54948, .46271}, 1.0555, 0.10526}}) {
    SCOPED_TRACE(row.ratio);
    const Bubble bubble = millimetre(row.ratio);
    // The table counts in Rayleigh's time with this many digits of its factor.
    const double t_r = 0.91468 * 1e-3 * std::sqrt(1000 / (bubble.far_pressure - 1e5));
    EXPECT_NEAR(t_r, row.rayleigh, 0.6e-10);
    EXPECT_NEAR(rayleigh_time(bubble) / t_r, 1, 0.5e-5);
    const auto motion =
        keller_miksis(bubble, {0.25 * t_r, 0.5 * t_r, 0.75 * t_r, 0.9 * t_r, 0.95 * t_r});
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_NEAR(motion[i].radius / bubble.radius, row.radii[i], 0.6e-5) << i;
    const BubbleMotion least = first_minimum(bubble);
    EXPECT_NEAR(least.time / t_r, row.t_min, 0.6e-4);
    EXPECT_NEAR(least.radius / bubble.radius, row.r_min, 0.6e-5);
    EXPECT_NEAR(least.speed, 0, 1e-6);
  }
}

// The bubble of 125 um that 40 MPa collapse: 622 to 623 ns, and Rayleigh's 571.7 ns.
TEST(KellerMiksis, ShockedBubble) {
  for (const double far : {4e7, 4.01e7}) {
    const Bubble bubble{.radius = 125e-6,
                        .gas_pressure = 1e5,
                        .gamma = 1.4,
                        .far_pressure = far,
                        .liquid_density = 1000,
                        .sound_speed = 1450};
    const double time = first_minimum(bubble).time;
    EXPECT_GT(time, 621.5e-9);
    EXPECT_LT(time, 623.5e-9);
  }
  const Bubble empty{
      .radius = 125e-6, .gas_pressure = 1e-3, .far_pressure = 4e7, .liquid_density = 1000};
  EXPECT_NEAR(rayleigh_time(empty), 571.7e-9, 0.06e-9);
}

// With an infinite sound speed the equation is that of Rayleigh and Plesset, whose energy
// 2 pi rho R^3 U^2 + p_far V + p V / (gamma - 1) is constant.
TEST(KellerMiksis, KeepsTheEnergyOfAnIncompressibleLiquid) {
  Bubble bubble = millimetre(10);
  bubble.sound_speed = 1e30;
  const auto energy = [&](const BubbleMotion& m) {
    const double pi = std::acos(-1.0), volume = 4 * pi / 3 * std::pow(m.radius, 3);
    const double p = bubble.gas_pressure * std::pow(bubble.radius / m.radius, 3 * bubble.gamma);
    return 2 * pi * 1000 * std::pow(m.radius, 3) * m.speed * m.speed +
           bubble.far_pressure * volume + p * volume / (bubble.gamma - 1);
  };
  const double t_r = rayleigh_time(bubble);
  const auto motion = keller_miksis(bubble, {0, 0.5 * t_r, t_r, 1.2 * t_r, 2 * t_r});
  for (const BubbleMotion& m : motion)
    EXPECT_NEAR(energy(m) / energy(motion[0]), 1, 1e-9) << m.time;
  EXPECT_GT(motion[3].speed, 0);  // beyond the minimum
}

TEST(KellerMiksis, RestsInEquilibriumAndRefusesNonsense) {
  const auto still = keller_miksis(millimetre(1), {1e-4});
  EXPECT_EQ(still[0].radius, 1e-3);
  EXPECT_THROW(first_minimum(millimetre(1)), Error);
  Bubble bubble = millimetre(10);
  bubble.liquid_density = 0;
  EXPECT_THROW(keller_miksis(bubble, {1e-6}), Error);
  EXPECT_THROW(keller_miksis(millimetre(10), {1e-6, 5e-7}), Error);
}
