// Thin and awkward boxes: a flow that does not depend on an axis is the same with 1, 4 or many
// points along it, and a flow that is periodic with a fraction of the box is the same in a box of
// that size. Only sums of terms that are zero, or equal, differ, so the deviation is round-off;
// where a box only repeats another it is nothing at all.
#include <fmt/format.h>

#include "core/math.hpp"
#include "expect_rows.hpp"

namespace watersmeet::verify {
namespace {

constexpr double two_pi = 6.283185307179586;

// Largest deviation of `thin` from `full` where the thin box repeats along the axes in which it has
// fewer points; a fixed time step and box lengths in proportion, so that all spacings agree.
double deviation(VerifyCase c, const Index3& full_cells, const Index3& thin_cells,
                 const std::string& precision = "double") {
  const Verification v(on_one_thread(precision), Extent::brief);
  c.dt = 0.01;
  const auto solve = [&](const Index3& cells) {
    VerifyCase sized = c;
    for (std::size_t a = 0; a < 3; ++a) {
      sized.cells[a] = cells[a];
      sized.upper[a] = two_pi * static_cast<double>(cells[a]) / static_cast<double>(full_cells[a]);
    }
    Simulation s = start(v, sized);
    s.step(20);
    return s;
  };
  const Simulation full = solve(full_cells), thin = solve(thin_cells);
  double largest = 0;
  for (const std::string& name : full.variables()) {
    const std::vector<double> a = full.variable(name), b = thin.variable(name);
    std::size_t p = 0;
    for (std::int64_t k = 0; k < full_cells[2]; ++k) {
      for (std::int64_t j = 0; j < full_cells[1]; ++j) {
        for (std::int64_t i = 0; i < full_cells[0]; ++i, ++p) {
          const std::int64_t q =
              ((k % thin_cells[2]) * thin_cells[1] + j % thin_cells[1]) * thin_cells[0] +
              i % thin_cells[0];
          largest = max_or_nan(largest, std::abs(a[p] - b[static_cast<std::size_t>(q)]));
        }
      }
    }
  }
  return largest;
}

VerifyCase flow(const std::string& method) {
  return {.viscosity = 0.05, .bulk_viscosity = 0.02, .method = method};
}

// Coordinates along the axes that stay.
VerifyCase flow_in(const std::string& method, const std::string& a, const std::string& b) {
  VerifyCase c = flow(method);
  c.density = fmt::format("1+0.2*sin({})*cos({})", a, b);
  c.velocity = {fmt::format("0.3*sin({}+{})", a, b), fmt::format("0.2*cos({})", a),
                fmt::format("0.4*sin({0})*sin({1})", a, b)};
  return c;
}

class Boxes : public ::testing::TestWithParam<std::string> {};

TEST_P(Boxes, TwoDimensionsAreThreeWithNothingAlongOne) {
  const char* const kept[3][2] = {{"y", "z"}, {"x", "z"}, {"x", "y"}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const VerifyCase c = flow_in(GetParam(), kept[axis][0], kept[axis][1]);
    const Index3 full{20, 20, 20};
    for (const std::int64_t points : {1, 4}) {
      Index3 thin = full;
      thin[axis] = points;
      EXPECT_LT(deviation(c, full, thin), 1e-14) << "axis " << axis << ", " << points << " points";
    }
  }
}

TEST_P(Boxes, OneDimensionIsThreeWithNothingAlongTwo) {
  const char* const kept[3] = {"x", "y", "z"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const VerifyCase c = flow_in(GetParam(), kept[axis], kept[axis]);
    const Index3 full{20, 20, 20};
    for (const std::int64_t points : {1, 4}) {
      Index3 thin{points, points, points};
      thin[axis] = 20;
      EXPECT_LT(deviation(c, full, thin), 1e-14) << "axis " << axis << ", " << points << " points";
    }
  }
}

// Fewer points than the stencil reaches: ghosts wrap around more than once.
TEST_P(Boxes, SmallPeriodsRepeatedGiveTheSame) {
  VerifyCase c = flow(GetParam());
  c.density = "1+0.2*sin(5*x)*cos(5*y)*cos(5*z)";
  c.velocity = {"0.3*sin(5*(y+z))", "0.2*cos(5*x)", "0.4*sin(5*x)*sin(5*y)"};
  // Periods of 5 points in boxes of 25.
  EXPECT_LT(deviation(c, {25, 25, 25}, {5, 5, 5}), 1e-13);
  EXPECT_LT(deviation(c, {25, 25, 25}, {25, 5, 5}), 1e-13);
  EXPECT_LT(deviation(c, {25, 25, 25}, {5, 25, 25}), 1e-13);
  // Periods of 2 points: only waves at the grid's limit.
  c.density = "1+0.2*cos(6*x)*cos(6*y)";
  c.velocity = {"0.3*cos(6*y)", "0.2*cos(6*x)", "0.4*cos(6*x)*cos(6*y)"};
  EXPECT_LT(deviation(c, {12, 12, 12}, {2, 2, 2}), 1e-13);
}

// The whole problem turned by a permutation of the axes, on primes: the same numbers in another
// order, up to the order of sums.
TEST_P(Boxes, AwkwardSizesTurnWithTheAxes) {
  const Verification v(on_one_thread(), Extent::brief);
  const Index3 n{5, 7, 13};
  VerifyCase c = flow(GetParam());
  c.cells = n;
  c.density = "1+0.2*sin(x)*cos(y-z)";
  c.velocity = {"0.3*sin(y)*cos(z)", "0.2*cos(x+z)", "0.1*sin(x)"};
  c.dt = 0.01;
  VerifyCase turned = c;  // x -> y -> z -> x
  turned.cells = {n[2], n[0], n[1]};
  turned.density = "1+0.2*sin(y)*cos(z-x)";
  turned.velocity = {"0.1*sin(y)", "0.3*sin(z)*cos(x)", "0.2*cos(y+x)"};
  Simulation a = start(v, c), b = start(v, turned);
  a.step(20);
  b.step(20);
  const char* const names[4][2] = {{"lnrho", "lnrho"}, {"ux", "uy"}, {"uy", "uz"}, {"uz", "ux"}};
  for (const auto& name : names) {
    const std::vector<double> p = a.variable(name[0]), q = b.variable(name[1]);
    EXPECT_GT(rms(p), 1e-3) << name[0];
    for (std::int64_t k = 0; k < n[2]; ++k) {
      for (std::int64_t j = 0; j < n[1]; ++j) {
        for (std::int64_t i = 0; i < n[0]; ++i) {
          const double here = p[static_cast<std::size_t>((k * n[1] + j) * n[0] + i)];
          const double there = q[static_cast<std::size_t>((j * n[0] + i) * n[2] + k)];
          ASSERT_NEAR(here, there, 1e-14) << name[0] << " at " << i << ", " << j << ", " << k;
        }
      }
    }
  }
}

TEST(Box, OfOnePointStaysAsItIs) {
  const Verification v(on_one_thread(), Extent::brief);
  Simulation s = start(v, VerifyCase{.cells = {1, 1, 1},
                                     .density = "1.3",
                                     .velocity = {"0.1", "0.2", "0.3"},
                                     .viscosity = 0.1,
                                     .dt = 0.1});
  const std::vector<double> l = s.variable("lnrho"), u = s.field("velocity");
  s.step(10);
  EXPECT_EQ(s.variable("lnrho"), l);
  EXPECT_EQ(s.field("velocity"), u);
}

// A uniform flow has no gradients: the differences of equal values are exactly zero, the second
// derivatives cancel to round-off.
TEST(Box, UniformFlowStays) {
  for (const char* const precision : {"single", "double"}) {
    for (const std::string& method : verify_methods) {
      const Verification v(on_one_thread(precision), Extent::brief);
      VerifyCase c = flow(method);
      c.cells = {11, 13, 7};
      c.density = "1.3";
      c.velocity = {"0.1", "-0.2", "0.3"};
      Simulation s = start(v, c);
      const std::vector<double> l = s.variable("lnrho"), u = s.field("velocity");
      s.step(50);
      EXPECT_EQ(s.variable("lnrho"), l);
      EXPECT_LT(largest_difference(s.field("velocity"), u),
                precision == std::string("single") ? 1e-6 : 1e-15);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Boxes, ::testing::Values("55-point", "19-point"),
                         [](const auto& entry) {
                           return entry.param == "55-point" ? "Points55" : "Points19";
                         });

TEST(ThinBoxes, HaveOneSpacingWhereverTheirLowerCornerIs) {
  VerifyCase c{.lower = {-3, 5, -1}, .upper = {1, 6, 7}};
  make_thin(c, 0, 16, 4);
  for (std::size_t a = 0; a < 3; ++a) {
    EXPECT_EQ((c.upper[a] - c.lower[a]) / static_cast<double>(c.cells[a]), 0.25) << "axis " << a;
  }
  EXPECT_EQ(c.upper[0], 1);
}

}  // namespace
}  // namespace watersmeet::verify
