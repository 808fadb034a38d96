// The reference solution that the project carries, against the figures that describe it.
#include <gtest/gtest.h>

#include <algorithm>

#include "verify/reference_data.hpp"

using namespace watersmeet::verify;

TEST(Reference, TaylorGreenAtReynolds1600HasTheDocumentedFigures) {
  const auto table = read_reference("taylor-green-re1600-spectral-384.csv");
  ASSERT_GE(table.size(), 4u);
  EXPECT_NEAR(interpolate(table, 1, 0.0), 0.125, 1e-12);
  EXPECT_NEAR(interpolate(table, 1, 5.0), 0.118436, 5e-7);
  EXPECT_NEAR(interpolate(table, 1, 9.0), 0.086409, 5e-7);
  EXPECT_NEAR(interpolate(table, 1, 10.0), 0.074476, 5e-7);
  const auto peak = std::max_element(table[2].begin(), table[2].end());
  EXPECT_NEAR(*peak, 0.012840, 5e-7);
  EXPECT_NEAR(table[0][static_cast<std::size_t>(peak - table[2].begin())], 8.95, 1e-12);
}
