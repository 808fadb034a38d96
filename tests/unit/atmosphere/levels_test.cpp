// Levels of a box: where they are, beyond the ground and the lid too, and what a case may ask for.
#include "systems/atmosphere/settings/levels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "systems/atmosphere/medium.hpp"

using namespace watersmeet::atmosphere;

TEST(AtmosphereLevels, GoOnAsMirrorImages) {
  const Levels levels(std::vector<double>{0, 10, 22, 36, 54, 74});
  EXPECT_TRUE(levels.stretched());
  EXPECT_EQ(levels.count(), 5);
  EXPECT_EQ(levels.depth(), 74);
  EXPECT_EQ(levels.middle(1), 16);
  EXPECT_EQ(levels.thickness(3), 18);
  for (int n = 1; n <= 4; ++n) {
    EXPECT_EQ(levels.face(-n), -levels.face(n));
    EXPECT_EQ(levels.thickness(-n), levels.thickness(n - 1));
    EXPECT_EQ(levels.thickness(4 + n), levels.thickness(5 - n));
  }
  EXPECT_EQ(levels.middle(5), 84);
  EXPECT_EQ(levels.reach(2), 38);
}

TEST(AtmosphereLevels, EqualOnesAreTheNumbersOfAUniformGrid) {
  const Levels levels(7, 0.1);
  EXPECT_FALSE(levels.stretched());
  for (int k = -3; k < 10; ++k) {
    EXPECT_EQ(levels.face(k), k * 0.1);
    EXPECT_EQ(levels.middle(k), (k + 0.5) * 0.1);
    EXPECT_EQ(levels.thickness(k), 0.1);
  }
}

// Every number of the table from the faces alone.
TEST(AtmosphereLevels, TableHasDistancesAndVolumes) {
  std::vector<double> faces;
  for (int k = 0; k <= 12; ++k) faces.push_back(std::expm1(0.1 * k));
  const Levels levels(faces);
  const std::vector<double> table = levels.stretch_table(0, 12, 1.0 / 3);
  double volume = 0;
  for (int k = 0; k < 12; ++k) {
    const auto value = [&](StretchValue v) {
      return table[static_cast<std::size_t>(k * stretch_values + v)];
    };
    const auto f = [&](int n) { return std::expm1(0.1 * n); };
    EXPECT_NEAR(value(t_face), f(k), 1e-15);
    EXPECT_NEAR(value(t_thickness) * value(t_inverse), 1, 1e-15);
    EXPECT_NEAR(value(t_middle), 0.5 * (f(k) + f(k + 1)), 1e-14);
    if (k > 0) {
      EXPECT_NEAR(value(t_distance), 0.5 * (f(k + 1) - f(k - 1)), 1e-14);
    }
    EXPECT_NEAR(value(t_distance) * value(t_inverse_distance), 1, 1e-15);
    volume += value(t_volume);
  }
  EXPECT_NEAR(volume, 12, 1e-13);
}
