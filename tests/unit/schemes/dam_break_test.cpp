// The exact dam break: star states known to six figures, and the jump conditions of its bore.
#include "schemes/dam_break.hpp"

#include <gtest/gtest.h>

#include <cmath>

using watersmeet::schemes::DamBreak;

namespace {
constexpr double g = 9.81;
}

TEST(DamBreak, HasTheKnownStarStates) {
  const struct {
    double left, right, h, u, front;
  } known[] = {{10, 5, 7.26920, 2.91993, 9.35376},
               {2, 1, 1.45384, 1.30583, 4.18313},
               {1, 0.1, 0.396175, 2.321355, 3.105134},
               {10, 1, 3.961748, 7.340769, 9.819295}};
  for (const auto& k : known) {
    const DamBreak d(k.left, k.right, g);
    EXPECT_NEAR(d.star().h, k.h, 6e-6) << k.left;
    EXPECT_NEAR(d.star().u, k.u, 6e-6) << k.left;
    EXPECT_NEAR(d.front(), k.front, 6e-6) << k.left;
  }
}

// Volume and momentum through the bore, in its frame.
TEST(DamBreak, TheBoreFulfilsTheJumpConditions) {
  const DamBreak d(3, 0.4, g);
  const auto [h, u] = d.star();
  const double s = d.front();
  EXPECT_NEAR(h * (u - s), -0.4 * s, 1e-12);
  EXPECT_NEAR(h * (u - s) * (u - s) + g * h * h / 2, 0.4 * s * s + g * 0.4 * 0.4 / 2, 1e-11);
}

TEST(DamBreak, TheFanIsContinuous) {
  for (const double right : {0.0, 0.3}) {
    const DamBreak d(1, right, g);
    const double head = -std::sqrt(g);
    EXPECT_NEAR(d.at(head + 1e-9).h, 1, 1e-8);
    const double tail = right > 0 ? d.star().u - std::sqrt(g * d.star().h) : d.front();
    EXPECT_NEAR(d.at(tail - 1e-9).h, right > 0 ? d.star().h : 0, 1e-8);
    EXPECT_NEAR(d.at(tail - 1e-9).u, d.star().u, 1e-8);
    // The depth at the dam: 4/9 of the water behind it, where the fan spans it.
    if (right == 0) {
      EXPECT_NEAR(d.at(0).h, 4.0 / 9, 1e-14);
    }
  }
}
