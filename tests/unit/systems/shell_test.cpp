// Sets of forcing wave vectors: numbers and means of the shells that the literature names, symmetry
// and completeness by brute force, bounds given in decimals, thin boxes.
#include "systems/forcing_shell.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

using namespace watersmeet::systems;

namespace {
constexpr double unit[3] = {1, 1, 1};
constexpr std::array<bool, 3> all = {true, true, true};
}  // namespace

TEST(Shell, CountsAndMeansOfTheUsualShells) {
  struct Known {
    double k_min, k_max;
    std::size_t count;
    double mean, digits;
  };
  for (const Known& known :
       {Known{1.0, 2.0, 32, 1.526, 5e-4}, Known{1.5, 2.5, 62, 2.231, 5e-4},
        Known{2.5, 3.5, 98, 3.134, 5e-4}, Known{3.5, 4.5, 210, 4.061, 5e-4},
        Known{3.0, 5.0, 422, 4.090, 5e-4}, Known{9.5, 10.5, 1250, 10.093, 5e-4},
        Known{9.0, 11.0, 2606, 10.03, 5e-3}}) {
    const WaveVectors w = shell(known.k_min, known.k_max, all, unit);
    EXPECT_EQ(w.vectors.size(), known.count) << known.k_min;
    EXPECT_NEAR(w.mean_wavenumber, known.mean, known.digits) << known.k_min;
  }
}

TEST(Shell, HoldsEveryVectorOnceWithItsOpposite) {
  const WaveVectors w = shell(1.5, 3.2, all, unit);
  const std::set<std::array<std::int32_t, 3>> set(w.vectors.begin(), w.vectors.end());
  EXPECT_EQ(set.size(), w.vectors.size());
  for (int a = -6; a <= 6; ++a)
    for (int b = -6; b <= 6; ++b)
      for (int c = -6; c <= 6; ++c) {
        const double length = std::sqrt(double(a * a + b * b + c * c));
        EXPECT_EQ(set.count({a, b, c}), length >= 1.5 && length <= 3.2 ? 1u : 0u)
            << a << " " << b << " " << c;
      }
}

TEST(Shell, BoundsInDecimalsAreInclusive) {
  EXPECT_EQ(shell(1.41421356237310, 1.41421356237310, all, unit).vectors.size(), 12u);  // (1, 1, 0)
  EXPECT_EQ(shell(1.73205080756888, 1.73205080756888, all, unit).vectors.size(), 8u);   // (1, 1, 1)
  EXPECT_EQ(shell(0.0, 1.0, all, unit).vectors.size(), 6u);  // never (0, 0, 0)
  EXPECT_TRUE(shell(1.1, 1.3, all, unit).vectors.empty());
  EXPECT_EQ(shell(1.1, 1.3, all, unit).mean_wavenumber, 0.0);
}

TEST(Shell, ThinBoxesForceOnlyAlongTheirAxes) {
  EXPECT_EQ(shell(1, 1, {true, true, false}, unit).vectors.size(), 4u);
  EXPECT_EQ(shell(1, 1, {false, true, false}, unit).vectors.size(), 2u);
  EXPECT_TRUE(shell(1, 5, {false, false, false}, unit).vectors.empty());
  for (const auto& n : shell(1, 4, {true, false, true}, unit).vectors) EXPECT_EQ(n[1], 0);
}

TEST(Shell, MeanIsOfThePhysicalWaveNumber) {
  const double stretched[3] = {1.0, 0.5, 3.0};
  // The six unit vectors: |k| = 1, 1, 1/2, 1/2, 3, 3.
  EXPECT_NEAR(shell(1, 1, all, stretched).mean_wavenumber, 1.5, 1e-15);
  const WaveVectors given = listed({{2, 0, 0}, {0, -4, 0}, {0, 0, 1}, {3, 8, 0}}, stretched);
  ASSERT_EQ(given.vectors.size(), 4u);
  EXPECT_EQ(given.vectors[1][1], -4);
  EXPECT_NEAR(given.mean_wavenumber, (2 + 2 + 3 + 5) / 4.0, 1e-15);
}
