// WENO reconstruction on cells of different widths: what it must reproduce, and that equal widths give schemes/weno.hpp. Candidates and linear
// weights are judged by averages of polynomials alone, not by the formulas of the header.
#include "schemes/weno_stretched.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace watersmeet;
using namespace watersmeet::schemes;

namespace weno_stretched_test {

namespace {

struct Cells {
  double h[5], x[6] = {0}, of[weno_numbers];
  explicit Cells(std::mt19937& generator, double spread) {
    std::uniform_real_distribution<double> uniform(-spread, spread);
    for (int i = 0; i < 5; ++i) {
      h[i] = std::exp(uniform(generator));
      x[i + 1] = x[i] + h[i];
    }
    weno_numbers_of(h, of);
  }
  auto number() const {
    return [this](int n) { return of[n]; };
  }
  // About the lower edge of the middle cell.
  double power(int p, int face) const { return std::pow(x[face] - x[2], p); }
  double average(int p, int cell) const {
    return (power(p + 1, cell + 1) - power(p + 1, cell)) / ((p + 1) * h[cell]);
  }
};

// Weights that the indicators do not change.
constexpr WenoScale<double> drowned = {1, 1e-30};

}  // namespace

TEST(StretchedWeno, CandidatesAreExactForParabolas) {
  std::mt19937 generator(3);
  for (int n = 0; n < 300; ++n) {
    const Cells c(generator, 1);
    for (int p = 0; p <= 2; ++p) {
      double u[5];
      for (int m = 0; m < 5; ++m) u[m] = c.average(p, m);
      const auto k = watersmeet::schemes::detail::candidates5(u[1] - u[0], u[2] - u[1], u[3] - u[2],
                                                              u[4] - u[3], c.number());
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(u[2] + k.lower[i] / 6, c.power(p, 2), 1e-13);
        EXPECT_NEAR(u[2] + k.upper[i] / 6, c.power(p, 3), 1e-12);
        // The indicator of Jiang and Shu: h int p'^2 + h^3 int p''^2 over the cell, four times.
        const double h = c.h[2], b = p == 2   ? 4 * h * h * h * h / 3 + 4 * h * h * h * h
                                     : p == 1 ? h * h
                                              : 0;
        EXPECT_NEAR(k.indicator[i], 4 * b, 1e-10);
      }
    }
  }
}

TEST(StretchedWeno, LinearWeightsArePositiveAndExactUpToTheirDegree) {
  std::mt19937 generator(4);
  for (int n = 0; n < 300; ++n) {
    const Cells c(generator, 1.5);
    for (int w = 0; w < 3; ++w) {
      EXPECT_GT(c.of[weno_lower + w], 0);
      EXPECT_GT(c.of[weno_upper + w], 0);
    }
    for (int p = 0; p <= 5; ++p) {
      double u[5];
      for (int m = 0; m < 5; ++m) u[m] = c.average(p, m);
      const double size = std::pow(c.x[5], p), lower = c.power(p, 2), upper = c.power(p, 3);
      const auto js = weno5_js(u[0], u[1], u[2], u[3], u[4], drowned, c.number());
      if (p <= 4) {
        EXPECT_NEAR(js.lower, lower, 1e-13 * size) << p;
        EXPECT_NEAR(js.upper, upper, 1e-13 * size) << p;
      } else {
        EXPECT_GT(std::abs(js.lower - lower) + std::abs(js.upper - upper), 1e-8 * size);
      }
      if (p > 2) continue;
      const auto third = weno3(u[1], u[2], u[3], drowned, c.number());
      EXPECT_NEAR(third.lower, lower, 1e-13 * size);
      EXPECT_NEAR(third.upper, upper, 1e-13 * size);
    }
  }
}

TEST(StretchedWeno, EqualWidthsGiveTheUniformForm) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const Cells c(generator, 0);
  const WenoScale<double> s{1e-6, 0.25};
  const auto expect_same = [](const EdgeValues<double>& a, const EdgeValues<double>& b) {
    EXPECT_NEAR(a.lower, b.lower, 8 * std::numeric_limits<double>::epsilon());
    EXPECT_NEAR(a.upper, b.upper, 8 * std::numeric_limits<double>::epsilon());
  };
  for (int n = 0; n < 300; ++n) {
    double u[5];
    for (double& x : u) x = uniform(generator);
    expect_same(weno5_js(u[0], u[1], u[2], u[3], u[4], s),
                weno5_js(u[0], u[1], u[2], u[3], u[4], s, c.number()));
    expect_same(weno5_z(u[0], u[1], u[2], u[3], u[4], s),
                weno5_z(u[0], u[1], u[2], u[3], u[4], s, c.number()));
    expect_same(weno3(u[1], u[2], u[3], s), weno3(u[1], u[2], u[3], s, c.number()));
  }
}

TEST(StretchedWeno, AUniformFieldIsReproducedToTheLastBit) {
  std::mt19937 generator(6);
  for (int n = 0; n < 100; ++n) {
    const Cells c(generator, 1);
    const double x = std::exp(c.h[0]);
    for (const auto& e :
         {weno5_js(x, x, x, x, x, drowned, c.number()), weno5_z(x, x, x, x, x, drowned, c.number()),
          weno3(x, x, x, drowned, c.number())}) {
      EXPECT_EQ(e.lower, x);
      EXPECT_EQ(e.upper, x);
    }
  }
}

}  // namespace weno_stretched_test
