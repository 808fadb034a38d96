// Vectors and the elementary functions of core: known values, and NaN handling of the maximum that
// carries the health test.
#include "core/math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/vec.hpp"

using namespace watersmeet;

template <class R>
class Math : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Math, Precisions);

TYPED_TEST(Math, VectorProductsOfKnownVectors) {
  using R = TypeParam;
  const Vec<R, 3> a = {{R(1), R(2), R(3)}}, b = {{R(-2), R(5), R(7)}};
  EXPECT_EQ(dot(a, b), R(29));
  const Vec<R, 3> c = cross(a, b);  // (2*7 - 3*5, 3*(-2) - 1*7, 1*5 - 2*(-2))
  EXPECT_EQ(c[0], R(-1));
  EXPECT_EQ(c[1], R(-13));
  EXPECT_EQ(c[2], R(9));
  const Vec<R, 3> x = {{R(1), R(0), R(0)}}, y = {{R(0), R(1), R(0)}};
  EXPECT_EQ(cross(x, y)[2], R(1));  // right-handed
  EXPECT_EQ((Vec<R, 5>::size), 5);
  Vec<R, 2> d = {{R(0), R(0)}};
  d[1] = R(4);
  EXPECT_EQ(d.v[1], R(4));
}

TYPED_TEST(Math, MaximumKeepsNanOnceItHasAppeared) {
  using R = TypeParam;
  const R nan = std::numeric_limits<R>::quiet_NaN(), inf = std::numeric_limits<R>::infinity();
  EXPECT_EQ(max_or_nan(R(1), R(2)), R(2));
  EXPECT_EQ(max_or_nan(R(2), R(1)), R(2));
  EXPECT_EQ(max_or_nan(R(-2), R(-1)), R(-1));
  EXPECT_EQ(max_or_nan(R(2), inf), inf);
  EXPECT_TRUE(std::isnan(max_or_nan(R(1), nan)));
  EXPECT_TRUE(std::isnan(max_or_nan(nan, R(1))));
  EXPECT_TRUE(std::isnan(max_or_nan(nan, inf)));
  EXPECT_TRUE(std::isnan(max_or_nan(inf, nan)));
  // In any order of a sequence.
  for (int place = 0; place < 5; ++place) {
    R largest = R(0);
    for (int i = 0; i < 5; ++i) largest = max_or_nan(largest, i == place ? nan : R(i));
    EXPECT_TRUE(std::isnan(largest)) << place;
  }
}

TYPED_TEST(Math, ScalarFunctionsAreThoseOfTheLibrary) {
  using R = TypeParam;
  for (const R x : {R(0), R(0.3), R(1), R(1e-30), R(17.25)}) {
    EXPECT_EQ(sqrt_(x), std::sqrt(x));
    EXPECT_EQ(exp_(x), std::exp(x));
    EXPECT_EQ(log_(x), std::log(x));
    EXPECT_EQ(pow_(x, R(1.4)), std::pow(x, R(1.4)));
    EXPECT_EQ(abs_(-x), x);
    EXPECT_EQ(sq(x), x * x);
    EXPECT_EQ(min_(x, R(1)), std::fmin(x, R(1)));
    EXPECT_EQ(max_(x, R(1)), std::fmax(x, R(1)));
  }
  EXPECT_FALSE(std::signbit(abs_(R(-0.0))));
  EXPECT_EQ(select(true, R(1), R(2)), R(1));
  EXPECT_EQ(select(false, R(1), R(2)), R(2));
  const R value = R(5);
  EXPECT_EQ(load_as<R>(&value), R(5));
  static_assert(std::is_same_v<RealOf<R>, R>);
}
