// Symbols of the differences on Fourier modes, t = k h:
//   k1 h   = (45 sin t - 9 sin 2t + sin 3t)/30
//   K2 h^2 = (490 - 540 cos t + 54 cos 2t - 4 cos 3t)/180
//   mixed  = -(1/180)[270 sin a sin b - 27 sin 2a sin 2b + 2 sin 3a sin 3b]/(hx hy)
// and the ratios to the exact wave numbers that a separate program tabulated.
#include <gtest/gtest.h>

#include <cmath>

#include "schemes/central.hpp"

using namespace watersmeet;
using namespace watersmeet::schemes;

namespace symbols_test {

namespace {
constexpr int n = 64;
constexpr double pi = 3.14159265358979323846;
const double h[3] = {2 * pi / n, 0.2, 1.7};
const double inverse[3] = {1 / h[0], 1 / h[1], 1 / h[2]};

double k1_h(double t) { return (45 * std::sin(t) - 9 * std::sin(2 * t) + std::sin(3 * t)) / 30; }
double K2_h2(double t) {
  return (490 - 540 * std::cos(t) + 54 * std::cos(2 * t) - 4 * std::cos(3 * t)) / 180;
}
double mixed_h2(double a, double b) {
  return -(270 * std::sin(a) * std::sin(b) - 27 * std::sin(2 * a) * std::sin(2 * b) +
           2 * std::sin(3 * a) * std::sin(3 * b)) /
         180;
}

// cos(k . x + phase) at offsets from a point, wave numbers in units of 2 pi / n per cell.
template <class R>
struct Mode {
  using value_type = R;
  int k[3];
  double phase;
  R operator()(int, int di, int dj, int dk) const {
    return R(std::cos(2 * pi / n * ((k[0] * di + k[1] * dj + k[2] * dk) % n) + phase));
  }
};
template <class R>
double tolerance() {
  return sizeof(R) == 8 ? 1e-12 : 2e-5;
}
}  // namespace

template <class R>
class Symbols : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Symbols, Precisions);

TYPED_TEST(Symbols, FirstAndSecondDerivativeOfEveryModeOfALine) {
  using R = TypeParam;
  const auto w = make_weights6<R>(inverse);
  for (int k = 0; k < n; ++k) {
    const double t = 2 * pi * k / n;
    for (const double phase : {0.0, 0.4, 1.9, -2.2}) {
      const Mode<R> x{{k, 0, 0}, phase}, z{{0, 0, k}, phase};
      EXPECT_NEAR(first6<0>(x, 0, w) * h[0], -k1_h(t) * std::sin(phase), tolerance<R>() * 1.6) << k;
      EXPECT_NEAR(second6<0>(x, 0, w) * h[0] * h[0], -K2_h2(t) * std::cos(phase),
                  tolerance<R>() * 6.1)
          << k;
      EXPECT_NEAR(first6<2>(z, 0, w) * h[2], -k1_h(t) * std::sin(phase), tolerance<R>() * 1.6) << k;
      EXPECT_NEAR(second6<2>(z, 0, w) * h[2] * h[2], -K2_h2(t) * std::cos(phase),
                  tolerance<R>() * 6.1)
          << k;
      // Sixth difference of exp(i t m): -(2 sin(t/2))^6.
      EXPECT_NEAR(sixth_difference<0>(x, 0), -std::pow(2 * std::sin(t / 2), 6) * std::cos(phase),
                  tolerance<R>() * 64)
          << k;
    }
  }
}

TYPED_TEST(Symbols, BidiagonalOfEveryPairOfModes) {
  using R = TypeParam;
  const auto w = make_weights6<R>(inverse);
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      const double symbol = mixed_h2(2 * pi * a / n, 2 * pi * b / n);
      for (const double phase : {0.3, 2.0}) {
        const double expected = symbol * std::cos(phase);
        EXPECT_NEAR((mixed6<0, 1>(Mode<R>{{a, b, 0}, phase}, 0, w)) * h[0] * h[1], expected,
                    tolerance<R>() * 1.7);
        EXPECT_NEAR((mixed6<0, 2>(Mode<R>{{a, 0, b}, phase}, 0, w)) * h[0] * h[2], expected,
                    tolerance<R>() * 1.7);
        EXPECT_NEAR((mixed6<1, 2>(Mode<R>{{0, a, b}, phase}, 0, w)) * h[1] * h[2], expected,
                    tolerance<R>() * 1.7);
      }
    }
  }
}

TEST(Symbols, RatiosToTheExactWaveNumbersAreThoseOfTheTable) {
  struct Row {
    double part, first, second;  // t / pi, k1 / k, K2 / k^2
  };
  const Row table[] = {{1.0 / 16, 1.000000, 1.000000},
                       {1.0 / 8, 0.999975, 0.999994},
                       {0.25, 0.998513, 0.999619},
                       {1.0 / 3, 0.992392, 0.998014},
                       {0.5, 0.933709, 0.981690},
                       {2.0 / 3, 0.744294, 0.923289},
                       {1.0, 0.0, 0.612430}};
  const double unit[3] = {1, 1, 1};
  const auto w = make_weights6<double>(unit);
  for (const Row& row : table) {
    const double t = pi * row.part;
    const auto sine = [t](int, int di, int, int) { return std::sin(t * di); };
    const auto cosine = [t](int, int di, int, int) { return std::cos(t * di); };
    EXPECT_NEAR(first6<0>(sine, 0, w) / t, row.first, 6e-7) << row.part;
    EXPECT_NEAR(-second6<0>(cosine, 0, w) / (t * t), row.second, 6e-7) << row.part;
  }
}

}  // namespace symbols_test
