// What a row of the time series says about a run: numbers, ranges of density and depth, the step.
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

TEST(SoundSeries, AColumnMayHaveALargestMagnitude) {
  const std::vector<systems::SeriesColumn> columns = {{"mass", "1", "", ""},
                                                      {"mass_drift", "1", "", "", "", "", "", 0.1}};
  EXPECT_EQ(wrong_in_series(columns, {7, 0.1}), "");
  EXPECT_EQ(wrong_in_series(columns, {7, -0.11}),
            "mass_drift is -0.11; its magnitude must be at most 0.1");
}

TEST(SoundSeries, NoSchemeIsStableAtTwiceItsCourantNumber) {
  EXPECT_EQ(wrong_in_step(2.9, 1, 1.5, 3, true), "");
  EXPECT_EQ(wrong_in_step(3.1, 1, 1.5, 3, true),
            "its Courant number is 3.1, and the scheme is stable up to 1.5");
  EXPECT_EQ(wrong_in_step(1.9, 1, 0.1, 3, true), "");  // a scheme of little or unknown stability
  EXPECT_NE(wrong_in_step(2.1, 1, 0.1, 3, true), "");
  EXPECT_EQ(wrong_in_step(1e300, 1, 0, 3, true), "");
  EXPECT_EQ(wrong_in_step(5, 4.9, 1.5, 3, false), "");  // no waves have grown
  EXPECT_NE(wrong_in_step(5, 4.9, 1.5, 3, true), "");
  EXPECT_NE(wrong_in_step(5, 0, 1.5, 3, false), "");  // from rest
}

TEST(SoundSeries, WavesAlongFewerAxesHaveALowerLimit) {
  EXPECT_EQ(wrong_in_step(1.7, 1, 1.5, 1, true), "");
  EXPECT_NE(wrong_in_step(1.8, 1, 1.5, 1, true), "");
  EXPECT_EQ(wrong_in_step(2.4, 1, 1.5, 2, true), "");
  EXPECT_NE(wrong_in_step(2.5, 1, 1.5, 2, true), "");
}

TEST(SoundSeries, AFlowVariesWhereItsExtremaDiffer) {
  const std::vector<systems::SeriesColumn> columns = {
      {"rho_min", "1", "", ""}, {"u_max", "1", "", ""}, {"rho_max", "1", "", ""}};
  EXPECT_FALSE(varies_in_space(columns, {2, 7, 2}));
  EXPECT_FALSE(varies_in_space(columns, {2, 7, 2.0001}));  // sums of single precision
  EXPECT_TRUE(varies_in_space(columns, {2, 7, 2.01}));
  EXPECT_FALSE(varies_in_space(columns, {0, 7, 0}));
  EXPECT_TRUE(varies_in_space(columns, {-1, 7, 0}));
}

TEST(SoundSeries, AResidualFarAboveTheFirstConfirmsNoState) {
  const std::vector<systems::SeriesColumn> steady = {{"log_residual", "1", "", ""}};
  EXPECT_TRUE(confirms_states(steady, {2}));
  EXPECT_FALSE(confirms_states(steady, {2.1}));
  EXPECT_TRUE(confirms_states({{"mass", "1", "", ""}}, {1e3}));
}

}  // namespace
}  // namespace watersmeet::run
