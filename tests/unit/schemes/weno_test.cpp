// WENO reconstruction: what it must reproduce (constants to the last bit, averages of polynomials),
// its orders on smooth averages, its symmetry, and its weights beside a jump.
#include "schemes/weno.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace watersmeet;
using namespace watersmeet::schemes;

namespace weno_test {

namespace {

enum class Kind { js, z, third };
constexpr Kind kinds[] = {Kind::js, Kind::z, Kind::third};

template <class T>
EdgeValues<T> reconstruct(Kind kind, const T (&w)[5], const WenoScale<T>& s) {
  if (kind == Kind::js) return weno5_js(w[0], w[1], w[2], w[3], w[4], s);
  if (kind == Kind::z) return weno5_z(w[0], w[1], w[2], w[3], w[4], s);
  return weno3(w[1], w[2], w[3], s);
}

// Average over [x - h/2, x + h/2] of x^p.
double average_of_power(int p, double x, double h) {
  return (std::pow(x + h / 2, p + 1) - std::pow(x - h / 2, p + 1)) / ((p + 1) * h);
}

// With an epsilon that drowns the indicators the weights are the optimal ones.
template <class T>
WenoScale<T> drowned() {
  return {T(1), T(1e-30)};
}

}  // namespace

template <class T>
class Weno : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Weno, Precisions);

TYPED_TEST(Weno, AUniformFieldIsReproducedToTheLastBit) {
  using T = TypeParam;
  std::mt19937 generator(5);
  std::uniform_real_distribution<T> uniform(T(-30), T(30));
  for (const Kind kind : kinds) {
    const WenoScale<T> s = {kind == Kind::z ? T(1e-20) : T(1e-6), T(0.25)};
    for (int n = 0; n < 200; ++n) {
      const T x = std::exp(uniform(generator)) * (n % 2 ? T(-1) : T(1));
      const auto e = reconstruct<T>(kind, {x, x, x, x, x}, s);
      EXPECT_EQ(e.lower, x);
      EXPECT_EQ(e.upper, x);
    }
  }
}

// Each of the three polynomials is exact for parabolas, whatever the weights.
TYPED_TEST(Weno, ParabolasAreReproduced) {
  using T = TypeParam;
  const double h = 0.3, x = 0.7;
  for (const Kind kind : {Kind::js, Kind::z}) {
    for (const WenoScale<T>& s : {drowned<T>(), WenoScale<T>{T(1e-6), T(0.25)}}) {
      T w[5];
      for (int m = 0; m < 5; ++m) {
        w[m] = T(2 - 3 * average_of_power(1, x + (m - 2) * h, h) +
                 4 * average_of_power(2, x + (m - 2) * h, h));
      }
      const auto e = reconstruct<T>(kind, w, s);
      const auto exact = [](double y) { return 2 - 3 * y + 4 * y * y; };
      const double bound = 60 * std::numeric_limits<T>::epsilon();
      EXPECT_NEAR(double(e.lower), exact(x - h / 2), bound);
      EXPECT_NEAR(double(e.upper), exact(x + h / 2), bound);
    }
  }
}

// Jiang and Shu (1996), eq. 3.1: the indicator of a candidate is the integral over the cell of h p'^2 + h^3 p''^2 of its polynomial p, here
// 4 times that. Candidates of a parabola are all this parabola, p' = b + 2 c y and p'' = 2 c about the middle of the cell.
TYPED_TEST(Weno, IndicatorsAreTheIntegralsOfJiangAndShu) {
  using T = TypeParam;
  const double b = 0.8, c = -1.7;
  double w[5];
  for (int m = 0; m < 5; ++m) w[m] = b * (m - 2) + c * average_of_power(2, m - 2, 1);
  const auto k = watersmeet::schemes::detail::candidates5(T(w[1] - w[0]), T(w[2] - w[1]),
                                                          T(w[3] - w[2]), T(w[4] - w[3]));
  const double integral = b * b + c * c / 3 + 4 * c * c;
  for (const T indicator : k.indicator) {
    EXPECT_NEAR(double(indicator), 4 * integral, 200 * std::numeric_limits<T>::epsilon());
  }
}

// At the optimal weights averages of polynomials up to fourth degree (second, for third order) give
// their exact edge values, and those of the next degree do not.
TYPED_TEST(Weno, OptimalWeightsAreExactUpToTheirDegree) {
  using T = TypeParam;
  const double h = 0.5, x = 0.4;
  for (const Kind kind : kinds) {
    const int degree = kind == Kind::third ? 2 : 4;
    for (int p = 0; p <= degree + 1; ++p) {
      T w[5];
      for (int m = 0; m < 5; ++m) w[m] = T(average_of_power(p, x + (m - 2) * h, h));
      const auto e = reconstruct<T>(kind, w, drowned<T>());
      const double lower = std::fabs(double(e.lower) - std::pow(x - h / 2, p));
      const double upper = std::fabs(double(e.upper) - std::pow(x + h / 2, p));
      if (p <= degree) {
        EXPECT_LT(lower, 40 * std::numeric_limits<T>::epsilon()) << p;
        EXPECT_LT(upper, 40 * std::numeric_limits<T>::epsilon()) << p;
      } else {
        EXPECT_GT(lower, 1e-4);
        EXPECT_GT(upper, 1e-4);
      }
    }
  }
}

TYPED_TEST(Weno, AMirroredFieldGivesMirroredEdges) {
  using T = TypeParam;
  std::mt19937 generator(6);
  std::uniform_real_distribution<T> uniform(T(-1), T(1));
  for (const Kind kind : kinds) {
    const WenoScale<T> s = {T(1e-6), T(0.25)};
    for (int n = 0; n < 500; ++n) {
      T w[5], mirrored[5];
      for (int m = 0; m < 5; ++m) w[m] = mirrored[4 - m] = uniform(generator);
      const auto e = reconstruct<T>(kind, w, s), f = reconstruct<T>(kind, mirrored, s);
      const double bound = 100 * std::numeric_limits<T>::epsilon();
      EXPECT_NEAR(double(e.lower), double(f.upper), bound);
      EXPECT_NEAR(double(e.upper), double(f.lower), bound);
    }
  }
}

// Units: a field and its magnitude s scaled together give scaled edges (by powers of two, exactly).
TYPED_TEST(Weno, ScaleGoesWithTheField) {
  using T = TypeParam;
  const T w[5] = {T(0.3), T(0.9), T(-0.2), T(1.5), T(1.25)};
  for (const Kind kind : kinds) {
    const auto e = reconstruct<T>(kind, w, {T(1e-6), T(0.25)});
    for (const T factor : {T(1.0 / 1024), T(4096)}) {
      T scaled[5];
      for (int m = 0; m < 5; ++m) scaled[m] = factor * w[m];
      const auto f = reconstruct<T>(kind, scaled, {T(1e-6), T(0.25) / (factor * factor)});
      EXPECT_EQ(f.lower, factor * e.lower);
      EXPECT_EQ(f.upper, factor * e.upper);
    }
  }
}

// A jump inside the stencil: only the polynomial that does not cross it is left, up to weights of
// the order of epsilon.
TYPED_TEST(Weno, AJumpIsNotCrossed) {
  using T = TypeParam;
  for (const Kind kind : {Kind::js, Kind::z}) {
    const T epsilon = kind == Kind::js ? T(1e-6) : T(1e-20);
    const auto below = reconstruct<T>(kind, {T(1), T(1), T(1), T(5), T(5)}, {epsilon, T(0.25)});
    EXPECT_NEAR(double(below.lower), 1, 1e-5);
    EXPECT_NEAR(double(below.upper), 1, 1e-5);
    const auto above = reconstruct<T>(kind, {T(1), T(1), T(5), T(5), T(5)}, {epsilon, T(0.25)});
    EXPECT_NEAR(double(above.lower), 5, 1e-5);
    EXPECT_NEAR(double(above.upper), 5, 1e-5);
  }
  const auto e = weno3(T(1), T(1), T(5), {T(1e-6), T(0.25)});
  EXPECT_NEAR(double(e.upper), 1, 1e-5);
}

// Errors of edges made from exact averages of a wave, halving h: order 5 (3 for weno3) with the
// standard epsilon, which at these widths still weighs the stencils by their smoothness.
TEST(WenoOrder, SmoothAveragesAreReconstructedAtTheFullOrder) {
  for (const Kind kind : kinds) {
    double error[2] = {0, 0};
    for (int level = 0; level < 2; ++level) {
      const int n = 64 << level;
      const double h = 2 * std::acos(-1.0) / n;
      for (int i = 0; i < n; ++i) {
        double w[5];
        for (int m = 0; m < 5; ++m) {  // averages of sin(x + 0.3)
          const double x = (i + m - 2) * h + 0.3;
          w[m] = (std::cos(x - h / 2) - std::cos(x + h / 2)) / h;
        }
        // Third order needs epsilon to win against beta: plain weno3 drops an order at extrema.
        const double epsilon = kind == Kind::z ? 1e-40 : kind == Kind::js ? 1e-6 : 1;
        const auto e = reconstruct<double>(kind, w, {epsilon, 0.25});
        const double x = i * h + 0.3;
        error[level] +=
            (std::fabs(e.lower - std::sin(x - h / 2)) + std::fabs(e.upper - std::sin(x + h / 2))) /
            n;
      }
    }
    const double order = std::log2(error[0] / error[1]);
    EXPECT_NEAR(order, kind == Kind::third ? 3 : 5, 0.25) << int(kind);
  }
}

// Single precision: indicators and weights stay finite at the ends of the range the header names.
TEST(WenoRange, SinglePrecisionNeitherOverflowsNorVanishes) {
  for (const float jump : {1e-4f, 1.0f, 3e3f}) {  // indicators up to 6e7
    const WenoScale<float> s = {1e-8f, 0.25f};
    for (const Kind kind : kinds) {
      const auto e = reconstruct<float>(kind, {0, 0, 0, jump, 0}, s);
      EXPECT_TRUE(std::isfinite(e.lower) && std::isfinite(e.upper)) << jump;
      const auto f = reconstruct<float>(kind, {jump, 0, jump, 0, jump}, s);
      EXPECT_TRUE(std::isfinite(f.lower) && std::isfinite(f.upper)) << jump;
    }
  }
}

}  // namespace weno_test
