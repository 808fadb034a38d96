// The kappa reconstruction: constants to the last bit, averages of the polynomials that each member
// reproduces, the meaning of the transverse term, mirror symmetry, the bounds of the limiters, and
// the table of stable Courant numbers.
#include "schemes/kappa.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "schemes/kappa_stability.hpp"
#include "schemes/tableau.hpp"

using namespace watersmeet;
using namespace watersmeet::schemes;

namespace {
constexpr Limiter limiters[] = {Limiter::minmod, Limiter::van_leer, Limiter::tvd};
constexpr double kappas[] = {0, 1.0 / 3, 1.0 / 2};

// Average over [x - h/2, x + h/2] of x^p.
double average_of_power(int p, double x, double h) {
  return (std::pow(x + h / 2, p + 1) - std::pow(x - h / 2, p + 1)) / ((p + 1) * h);
}
}  // namespace

template <class T>
class Kappa : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Kappa, Precisions);

TYPED_TEST(Kappa, AUniformFieldIsReproducedToTheLastBit) {
  using T = TypeParam;
  std::mt19937 generator(5);
  std::uniform_real_distribution<T> uniform(T(-30), T(30));
  for (int n = 0; n < 200; ++n) {
    const T x = std::exp(uniform(generator)) * (n % 2 ? T(-1) : T(1));
    const auto w = kappa_weights<T>(T(1) / T(3), T(-1) / T(24));
    const auto e = kappa_edges(x, x, x, w);
    EXPECT_EQ(e.lower, x);
    EXPECT_EQ(e.upper, x);
    EXPECT_EQ(transverse_term(x, x, x, w), T(0));
    for (const Limiter limiter : limiters) EXPECT_EQ(limited_edges(x, x, x, w, limiter).upper, x);
  }
}

TYPED_TEST(Kappa, MirroredCellsGiveMirroredEdgesToTheLastBit) {
  using T = TypeParam;
  std::mt19937 generator(7);
  std::uniform_real_distribution<T> uniform(T(-1), T(1));
  for (int n = 0; n < 500; ++n) {
    const T a = uniform(generator), b = uniform(generator), c = uniform(generator);
    for (const double kappa : kappas) {
      const auto w = kappa_weights<T>(T(kappa));
      EXPECT_EQ(kappa_edges(a, b, c, w).upper, kappa_edges(c, b, a, w).lower);
      EXPECT_EQ(kappa_edges(a, b, c, w).upper, -kappa_edges(T(-a), T(-b), T(-c), w).upper);
      for (const Limiter limiter : limiters) {
        EXPECT_EQ(limited_edges(a, b, c, w, limiter).upper,
                  limited_edges(c, b, a, w, limiter).lower);
      }
    }
  }
}

// q-_{i+1/2} = (1 - k/2) q_i + (1+k)/4 q_{i+1} - (1-k)/4 q_{i-1}, and the mirror image of it.
TEST(KappaWeights, AreThoseOfTheFormula) {
  for (const double kappa : kappas) {
    const auto w = kappa_weights(kappa);
    const double below = 0.3, here = -1.7, above = 2.9;
    const auto e = kappa_edges(below, here, above, w);
    EXPECT_NEAR(e.upper, (1 - kappa / 2) * here + (1 + kappa) / 4 * above - (1 - kappa) / 4 * below,
                1e-15);
    EXPECT_NEAR(e.lower, (1 - kappa / 2) * here + (1 + kappa) / 4 * below - (1 - kappa) / 4 * above,
                1e-15);
  }
}

// Averages of parabolas at k = 1/3, of straight lines at any other.
TEST(KappaWeights, PolynomialsAreReproduced) {
  const double x = 0.4, h = 0.3;
  for (const double kappa : kappas) {
    for (int p = 0; p <= 2; ++p) {
      const auto e = kappa_edges(average_of_power(p, x - h, h), average_of_power(p, x, h),
                                 average_of_power(p, x + h, h), kappa_weights(kappa));
      const double upper = std::pow(x + h / 2, p), lower = std::pow(x - h / 2, p);
      const bool exact = p < 2 || kappa == 1.0 / 3;
      EXPECT_EQ(std::abs(e.upper - upper) < 1e-14, exact) << kappa << " " << p;
      EXPECT_EQ(std::abs(e.lower - lower) < 1e-14, exact) << kappa << " " << p;
    }
  }
}

// c3 = -1/24 makes the value at the middle of a face from averages over three of them, exactly up
// to cubes.
// The parabola through three averages with k = 1/3, straight lines with every k; on equal cells the
// weights of equal cells.
TEST(UnevenKappa, PolynomialsAreReproduced) {
  const double h[3] = {0.3, 0.5, 0.35}, x[3] = {-0.4, 0, 0.425};
  for (const double kappa : {-1.0, 0.0, 1.0 / 3, 0.5, 1.0}) {
    const auto w = uneven_kappa_weights(h[0], h[1], h[2], kappa);
    for (int p = 0; p <= (kappa == 1.0 / 3 ? 2 : 1); ++p) {
      double a[3];
      for (int m = 0; m < 3; ++m) a[m] = average_of_power(p, x[m] + 0.7, h[m]);
      const auto e = uneven_kappa_edges(a[0], a[1], a[2], w);
      EXPECT_NEAR(e.lower, std::pow(0.45, p), 1e-14) << kappa << " " << p;
      EXPECT_NEAR(e.upper, std::pow(0.95, p), 1e-14) << kappa << " " << p;
    }
    const auto even = kappa_weights(kappa);
    const auto same = uneven_kappa_weights(0.2, 0.2, 0.2, kappa);
    for (const double weight : {same.upper_up, same.lower_down}) {
      EXPECT_NEAR(weight, even.toward, 1e-15);
    }
    for (const double weight : {same.upper_down, same.lower_up}) {
      EXPECT_NEAR(weight, even.away, 1e-15);
    }
  }
}

// The second difference of a parabola is the square of the width times its second derivative, that of
// a straight line 0, and on equal cells it is the plain one.
TEST(UnevenKappa, TheSecondDifferenceIsThatOfTheParabola) {
  const double h[3] = {0.3, 0.5, 0.35}, x[3] = {-0.4, 0, 0.425};
  const auto w = uneven_curvature_weights(h[0], h[1], h[2]);
  for (int p = 0; p <= 2; ++p) {
    double a[3];
    for (int m = 0; m < 3; ++m) a[m] = average_of_power(p, x[m] + 0.7, h[m]);
    EXPECT_NEAR(w.up * (a[2] - a[1]) - w.down * (a[1] - a[0]), p == 2 ? 2 * h[1] * h[1] : 0, 1e-14)
        << p;
  }
  const auto same = uneven_curvature_weights(0.2, 0.2, 0.2);
  EXPECT_NEAR(same.up, 1, 1e-15);
  EXPECT_NEAR(same.down, 1, 1e-15);
}

// Straight lines in cells of growing width are no extrema, and edges stay between the cells.
TEST(UnevenKappa, LimitedEdgesAreBoundedAndKeepStraightLines) {
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> value(-1, 1), width(0.5, 1);
  for (int n = 0; n < 500; ++n) {
    const double h[3] = {width(generator), width(generator), width(generator)};
    const double share_up = 2 * h[1] / (h[1] + h[2]), share_down = 2 * h[1] / (h[1] + h[0]);
    const auto w = uneven_kappa_weights(h[0], h[1], h[2], 1.0 / 3);
    const double a = value(generator), b = value(generator), c = value(generator);
    const double rise = value(generator);
    for (const Limiter limiter : limiters) {
      const auto e = limited_uneven_edges(a, b, c, w, share_up, share_down, limiter);
      EXPECT_LE(e.upper, std::max(b, c));
      EXPECT_GE(e.upper, std::min(b, c));
      EXPECT_LE(e.lower, std::max(a, b));
      EXPECT_GE(e.lower, std::min(a, b));
      if ((b - a) * (c - b) <= 0) {
        EXPECT_EQ(e.upper, b);
      }
      // The middles of the cells beside lie within an edge of twice the width.
      const auto line =
          limited_uneven_edges(-0.5 * rise * (h[0] + h[1]), 0.0, 0.5 * rise * (h[1] + h[2]), w,
                               share_up, share_down, limiter);
      EXPECT_NEAR(line.upper, 0.5 * rise * h[1], 1e-15) << int(limiter);
      EXPECT_NEAR(line.lower, -0.5 * rise * h[1], 1e-15) << int(limiter);
    }
  }
}

TEST(KappaWeights, TheTransverseTermRemovesTheAverageOverTheFace) {
  const double x = 0.4, h = 0.3;
  for (int p = 0; p <= 3; ++p) {
    const double l = average_of_power(p, x - h, h), c = average_of_power(p, x, h),
                 r = average_of_power(p, x + h, h);
    const double value = c + transverse_term(l, c, r, kappa_weights(0.0, -1.0 / 24));
    EXPECT_NEAR(value, std::pow(x, p), 1e-15) << p;
  }
}

// The known shapes: phi(r) = 2 r/(1 + r), min(1, r), max(0, min(2 r, (1 + 2 r)/3, 2)).
TEST(KappaLimiters, AreTheKnownFunctions) {
  const auto w = kappa_weights(1.0 / 3);
  for (const double r : {-1.0, 0.0, 0.1, 0.25, 0.7, 1.0, 1.6, 2.5, 7.0}) {
    // here - below = 1, above - here = r: phi belongs to the upper edge.
    const auto phi = [&](Limiter l) { return 2 * (limited_edges(-1.0, 0.0, r, w, l).upper); };
    const double positive = std::max(r, 0.0);
    EXPECT_NEAR(phi(Limiter::van_leer), 2 * positive / (1 + positive), 1e-15) << r;
    EXPECT_NEAR(phi(Limiter::minmod), std::min(1.0, positive), 1e-15) << r;
    EXPECT_NEAR(phi(Limiter::tvd), std::max(0.0, std::min({2 * r, (1 + 2 * r) / 3, 2.0})), 1e-15)
        << r;
  }
}

// The limits of linear stability, to the two figures that are known of them.
TEST(KappaStability, HasTheKnownLimits) {
  const std::map<std::string, std::array<double, 3>> known = {{"ssp-rk2", {1.00, 0.87, 0.79}},
                                                              {"ssp-rk3", {1.18, 1.63, 1.85}},
                                                              {"ssp-rk43", {1.60, 2.04, 2.23}}};
  std::size_t compared = 0;
  for (const SspScheme& scheme : ssp_schemes()) {
    const auto row = known.find(std::string(scheme.name));
    ASSERT_NE(row, known.end()) << scheme.name;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(kappa_stability_limit(kappas[k], amplification(scheme)), row->second[k], 0.0051)
          << scheme.name << " " << kappas[k];
      ++compared;
    }
  }
  EXPECT_EQ(compared, 9u);
  // The classical scheme of fourth order, whose polynomial is that of exp(z).
  const std::vector<double> rk4 = {1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24};
  const double limits[3] = {1.38, 1.75, 2.02};
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(kappa_stability_limit(kappas[k], rk4), limits[k], 0.0051);
}

// By themselves: the ends of the stable intervals on both axes. On the imaginary one two stages
// have none; they are held to |1 + z + z^2/2| = sqrt(1 + y^4/4) <= 1 + y/1000.
TEST(KappaStability, BoundsSourcesByTheirInterval) {
  struct Ends {
    double decay, turning;
  };
  const double slow = std::cbrt(8e-3);
  const std::map<std::string, Ends> known = {
      {"ssp-rk2", {2, slow}},
      {"ssp-rk3", {2.5127, std::sqrt(3.0)}},
      {"ssp-rk43", {5.1494, std::sqrt(std::sqrt(160.0) - 8)}}};
  for (const SspScheme& scheme : ssp_schemes()) {
    const Ends ends = known.at(std::string(scheme.name));
    const std::vector<double> p = amplification(scheme);
    EXPECT_NEAR(longest_source_step(p, {5, 0}), ends.decay / 5, 2e-3) << scheme.name;
    const double turning = longest_source_step(p, {0, 0.1});
    EXPECT_GE(turning, 10 * ends.turning * 0.999) << scheme.name;
    EXPECT_LE(turning, 10 * ends.turning * 1.01) << scheme.name;
    EXPECT_TRUE(std::isinf(longest_source_step(p, {0, 0}))) << scheme.name;
  }
}

// What waves and diffusion need of the interval is gone, and weak sources bound no usual step.
TEST(KappaStability, BoundsSourcesBesideWaves) {
  for (const SspScheme& scheme : ssp_schemes()) {
    const std::vector<double> p = amplification(scheme);
    for (const double kappa : kappas) {
      const double limit = kappa_stability_limit(kappa, p);
      double before = longest_source_step(p, {1, 0});
      for (const double share : {0.25, 0.5, 0.75, 0.95}) {
        const double step = longest_source_step(p, {1, 0}, {kappa, share * limit, 0});
        EXPECT_LE(step, before) << scheme.name << " " << kappa << " " << share;
        EXPECT_GT(step, 0.03) << scheme.name << " " << kappa << " " << share;
        before = step;
      }
      EXPECT_GT(longest_source_step(p, {0, 1}, {kappa, 0.99 * limit, 0}), 0.03)
          << scheme.name << " " << kappa;
    }
    // Diffusion lies on the same axis as decay.
    const double real = longest_source_step(p, {1, 0});
    EXPECT_NEAR(longest_source_step(p, {1, 0}, {0, 0, 0.75 * real}), 0.25 * real, 1e-4);
  }
  // What the READMEs of atmosphere and shallow_water say of the defaults.
  const std::vector<double> rk3 = {1, 1, 1.0 / 2, 1.0 / 6};
  EXPECT_NEAR(longest_source_step(rk3, {1, 0}, {1.0 / 3, 0.9, 0}), 1.27, 0.005);
  EXPECT_NEAR(longest_source_step(rk3, {0, 1}, {1.0 / 3, 0.9, 0}), 1.41, 0.005);
}

// Steps of the scheme itself around a periodic line: noise decays 2 % below the limit, and grows
// a tenth above it, of which long waves with two stages need as much to show within these steps.
TEST(KappaStability, RunsAreStableUpToTheLimit) {
  constexpr std::size_t n = 64;
  constexpr int steps = 4000;
  for (const SspScheme& scheme : ssp_schemes()) {
    const std::vector<double> polynomial = amplification(scheme);
    for (const double kappa : kappas) {
      const auto weights = kappa_weights<double>(kappa);
      const double limit = kappa_stability_limit(kappa, polynomial);
      const auto growth = [&](double courant) {
        std::mt19937 generator(11);
        std::uniform_real_distribution<double> uniform(-1, 1);
        std::vector<double> u(n), change(n), next(n);
        for (double& value : u) value = uniform(generator);
        const auto norm = [&] {
          double sum = 0;
          for (const double value : u) sum += value * value;
          return std::sqrt(sum / n);
        };
        const double first = norm();
        for (int step = 0; step < steps && norm() < 1e3; ++step) {
          // A step of a linear equation is the polynomial of dt times the rate, term by term.
          std::vector<double> term = u;
          for (std::size_t m = 0; m < polynomial.size(); ++m) {
            for (std::size_t i = 0; i < n; ++i) {
              next[i] = (m == 0 ? 0 : next[i]) + polynomial[m] * term[i];
            }
            const auto upper = [&](std::size_t i) {
              return kappa_edges(term[(i + n - 1) % n], term[i], term[(i + 1) % n], weights).upper;
            };
            for (std::size_t i = 0; i < n; ++i) {
              change[i] = courant * (upper((i + n - 1) % n) - upper(i));
            }
            term = change;
          }
          u = next;
        }
        return norm() / first;
      };
      EXPECT_LT(growth(0.98 * limit), 1) << scheme.name << " " << kappa;
      EXPECT_GT(growth(1.1 * limit), 10) << scheme.name << " " << kappa;
    }
  }
}
