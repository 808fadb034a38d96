// What a row of the time series says about a run: numbers, and ranges of density and depth.
#include "run/sound_series.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace watersmeet::run {
namespace {

std::string wrong(const std::vector<std::string>& names, const std::vector<double>& values) {
  std::vector<systems::SeriesColumn> columns;
  for (const std::string& name : names) columns.push_back({name, "1", "", ""});
  return wrong_in_series(columns, values);
}

TEST(SoundSeries, ValuesAreNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(wrong({"mass", "u_max"}, {1, 1e300}), "");
  EXPECT_EQ(wrong({"mass", "u_max"}, {nan, -infinity}), "mass is nan, u_max is -inf");
}

TEST(SoundSeries, DensitiesAreAboveZeroAndOfOneRange) {
  const std::vector<std::string> names = {"rho_max", "mass", "rho_min"};
  EXPECT_EQ(wrong(names, {1000, 1, 1.2e-9}), "");
  EXPECT_EQ(wrong(names, {1e-200, 1, 1e-200}), "");
  EXPECT_EQ(wrong(names, {1000, 1, 0.9e-9}),
            "the density is 9e-10 to 1000; it must be above 0, and its ratio at most 1e+12");
  EXPECT_NE(wrong(names, {1e300, 1, 1e-300}), "");
  EXPECT_NE(wrong(names, {1, 1, 0}), "");
  EXPECT_NE(wrong(names, {-1, 1, -1}), "");
  EXPECT_EQ(wrong({"rho_max"}, {-1}), "");
}

TEST(SoundSeries, DepthsAreNotBelowZeroBeyondRoundOff) {
  const std::vector<std::string> names = {"depth_max", "depth_min"};
  EXPECT_EQ(wrong(names, {4000, 0}), "");
  EXPECT_EQ(wrong(names, {4000, -1e-3}), "");
  EXPECT_EQ(wrong(names, {4000, -1}), "the depth is -1 to 4000; it must not be below 0");
  EXPECT_EQ(wrong(names, {0, 0}), "");
}

}  // namespace
}  // namespace watersmeet::run
