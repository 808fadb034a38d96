// Central differences: exactness on monomials up to the stated degree, and the value of the first
// failure, which the Taylor series of the weights gives: for sum_m c_m (m h)^p of the next power.
#include "schemes/central.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/pack.hpp"

using namespace watersmeet;
using namespace watersmeet::schemes;

namespace {
constexpr double spacing[3] = {0.37, 1.3, 0.81};

template <class R>
Weights6<R> weights() {
  const double inverse[3] = {1 / spacing[0], 1 / spacing[1], 1 / spacing[2]};
  return make_weights6<R>(inverse);
}

// x^p y^q z^r sampled on the grid around (x0, y0, z0).
template <class R>
struct Monomial {
  using value_type = R;
  std::array<int, 3> power;
  std::array<double, 3> centre{0, 0, 0};
  R operator()(int, int di, int dj, int dk) const {
    const int d[3] = {di, dj, dk};
    double value = 1;
    for (std::size_t a = 0; a < 3; ++a) value *= std::pow(centre[a] + d[a] * spacing[a], power[a]);
    return R(value);
  }
};

// n-th derivative of x^p.
double derivative(int p, int n, double x) {
  double factor = 1;
  for (int m = 0; m < n; ++m) factor *= p - m;
  return p < n ? 0.0 : factor * std::pow(x, p - n);
}

// Largest monomial on the stencil divided by the spacings: what round-off is relative to.
double scale_of(const std::array<int, 3>& power, const std::array<double, 3>& centre,
                const std::array<int, 3>& order) {
  double s = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    if (power[a] > 0) s *= std::pow(std::abs(centre[a]) + 3 * spacing[a], power[a]);
    s /= std::pow(spacing[a], order[a]);
  }
  return s;
}
template <class R>
double tolerance() {
  return sizeof(R) == 8 ? 1e-14 : 5e-6;
}
}  // namespace

template <class R>
class Central : public testing::Test {
 public:
  template <int axis>
  static void check_axis() {
    const auto w = weights<R>();
    for (int p = 0; p <= 7; ++p) {
      for (const double x : {0.0, 0.3, -1.1}) {
        Monomial<R> s{{0, 0, 0}};
        s.power[axis] = p;
        s.centre[axis] = x;
        std::array<int, 3> first_order{}, second_order{};
        first_order[axis] = 1;
        second_order[axis] = 2;
        if (p <= 6) {
          EXPECT_NEAR(first6<axis>(s, 0, w), derivative(p, 1, x),
                      tolerance<R>() * scale_of(s.power, s.centre, first_order))
              << axis << " " << p << " " << x;
        }
        EXPECT_NEAR(second6<axis>(s, 0, w), derivative(p, 2, x),
                    4 * tolerance<R>() * scale_of(s.power, s.centre, second_order))
            << axis << " " << p << " " << x;
        EXPECT_NEAR(sixth_difference<axis>(s, 0), derivative(p, 6, x) * std::pow(spacing[axis], 6),
                    64 * tolerance<R>() * scale_of(s.power, s.centre, {0, 0, 0}));
      }
    }
    const double h = spacing[axis], relative = sizeof(R) == 8 ? 1e-12 : 1e-5;
    Monomial<R> seventh{{0, 0, 0}}, eighth{{0, 0, 0}};
    seventh.power[axis] = 7;
    eighth.power[axis] = 8;
    EXPECT_NEAR(first6<axis>(seventh, 0, w) / (36 * std::pow(h, 6)), 1.0, relative * 10);
    EXPECT_NEAR(second6<axis>(eighth, 0, w) / (72 * std::pow(h, 6)), 1.0, relative * 10);
  }

  template <int a, int b>
  static void check_pair() {
    const auto w = weights<R>();
    std::array<int, 3> order{};
    order[a] = order[b] = 1;
    for (int p = 0; p <= 7; ++p) {
      for (int q = 0; p + q <= 7; ++q) {
        Monomial<R> s{{0, 0, 0}, {0.2, -0.4, 0.5}};
        s.power[a] = p;
        s.power[b] = q;
        EXPECT_NEAR((mixed6<a, b>(s, 0, w)),
                    derivative(p, 1, s.centre[a]) * derivative(q, 1, s.centre[b]),
                    tolerance<R>() * scale_of(s.power, s.centre, order))
            << a << b << " x^" << p << " y^" << q;
      }
    }
    // Degree 8: only odd powers survive the symmetry, and each leaves 36 hx^(p-1) hy^(q-1).
    for (int p = 0; p <= 8; ++p) {
      Monomial<R> s{{0, 0, 0}};
      s.power[a] = p;
      s.power[b] = 8 - p;
      const double unit = std::pow(spacing[a], p - 1) * std::pow(spacing[b], 7 - p);
      EXPECT_NEAR((mixed6<a, b>(s, 0, w)) / unit, p % 2 == 1 ? 36.0 : 0.0,
                  sizeof(R) == 8 ? 1e-10 : 1e-2)
          << p;
    }
  }
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Central, Precisions);

TYPED_TEST(Central, DerivativesAlongAnAxisAreExactToTheStatedDegree) {
  this->template check_axis<0>();
  this->template check_axis<1>();
  this->template check_axis<2>();
}

TYPED_TEST(Central, BidiagonalMixedDerivativesAreExactToDegreeSeven) {
  this->template check_pair<0, 1>();
  this->template check_pair<0, 2>();
  this->template check_pair<1, 2>();
}

TYPED_TEST(Central, AnAxisOfOneCellHasNoDerivatives) {
  using R = TypeParam;
  const double inverse[3] = {0, 2, 0};
  const auto w = make_weights6<R>(inverse);
  const Monomial<R> s{{3, 2, 1}, {1, 1, 1}};
  EXPECT_EQ((first6<0>(s, 0, w)), R(0));
  EXPECT_EQ((second6<2>(s, 0, w)), R(0));
  EXPECT_EQ((mixed6<0, 1>(s, 0, w)), R(0));
  EXPECT_EQ((mixed6<1, 2>(s, 0, w)), R(0));
  EXPECT_NE((first6<1>(s, 0, w)), R(0));
}

TYPED_TEST(Central, PacksGiveWhatScalarsGive) {
  // The same stencil on the same numbers, up to the compiler's choice of fused operations.
  using R = TypeParam;
  using T = Pack<R>;
  std::array<R, 64> line{};
  for (std::size_t i = 0; i < line.size(); ++i) line[i] = R(std::sin(0.7 * double(i)));
  const auto w = weights<R>();
  const auto packs = [&](int, int di, int, int) { return load_as<T>(line.data() + 8 + di); };
  const T d = first6<0>(packs, 0, w);
  for (std::size_t l = 0; l < T::size(); ++l) {
    const R* const cell = line.data() + 8 + l;
    const auto scalar = [&](int, int di, int, int) { return cell[di]; };
    EXPECT_NEAR(R(d[l]), (first6<0>(scalar, 0, w)), 8 * std::numeric_limits<R>::epsilon());
  }
}
