// Extrema and sums of expressions over cells: those of a loop in long double.
#include <gtest/gtest.h>

#include "support/reduced_program.hpp"

namespace watersmeet::test {
namespace {

class ReducedProgram : public ::testing::TestWithParam<Precision> {};

TEST_P(ReducedProgram, IsThatOfALoop) {
  for (const std::int64_t cells : {1, 31, 33, 5003}) {
    const std::vector<double> values = rough_vector(cells, GetParam());
    double upper = -1e300, lower = 1e300;
    long double sum = 0;
    for (std::size_t c = 0; c < values.size(); c += 3) {
      const double product = values[c] * values[c + 1], x = product - values[c + 2];
      upper = std::max(upper, x);
      lower = std::min(lower, x);
      sum += x;
    }
    const Reduced found = reduce("velocity.x*velocity.y - velocity.z", values, GetParam(), Queue{});
    EXPECT_EQ(found.extrema.upper, upper);
    EXPECT_EQ(found.extrema.minus_lower, -lower);
    EXPECT_EQ(found.extrema.magnitude, std::max(upper, -lower));
    // Each value loses at most 2^-81 of the largest; the sum is rounded once.
    EXPECT_NEAR(found.sum, double(sum), 1.2e-16 * std::abs(double(sum)));
  }
}

TEST_P(ReducedProgram, DoesNotDependOnThreads) {
  const std::vector<double> values = rough_vector(20011, GetParam());
  Queue several;
  several.threads = 3;
  const Reduced one = reduce("velocity.x - velocity.y", values, GetParam(), Queue{}),
                three = reduce("velocity.x - velocity.y", values, GetParam(), several);
  EXPECT_EQ(one.sum, three.sum);
  EXPECT_EQ(one.extrema.upper, three.extrema.upper);
  EXPECT_EQ(one.extrema.minus_lower, three.extrema.minus_lower);
}

TEST_P(ReducedProgram, OfWhatIsNoNumberIsNone) {
  std::vector<double> values = rough_vector(5003, GetParam());
  values[3 * 4999] = std::numeric_limits<double>::quiet_NaN();
  const Reduced found = reduce("velocity.x", values, GetParam(), Queue{}),
                other = reduce("velocity.y", values, GetParam(), Queue{});
  EXPECT_TRUE(std::isnan(found.extrema.upper) && std::isnan(found.extrema.minus_lower));
  EXPECT_TRUE(std::isnan(found.sum));
  EXPECT_TRUE(std::isfinite(other.extrema.upper) && std::isfinite(other.sum));
}

TEST_P(ReducedProgram, OfNoCellsChangesNothing) {
  const Reduced found = reduce("velocity.x", {}, GetParam(), Queue{});
  EXPECT_EQ(found.extrema.magnitude, 0);
  EXPECT_EQ(found.extrema.upper, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(found.sum, 0);
}

INSTANTIATE_TEST_SUITE_P(Precisions, ReducedProgram,
                         ::testing::Values(Precision::single_, Precision::double_));

}  // namespace
}  // namespace watersmeet::test
