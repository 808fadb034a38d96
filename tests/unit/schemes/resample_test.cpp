// Maps of averages and of point values from one axis to another, against closed forms.
#include "schemes/resample.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace watersmeet::schemes {
namespace resample_test {

constexpr double two_pi = 6.283185307179586;

std::vector<double> even_faces(int n, double lower, double upper) {
  std::vector<double> faces;
  for (int i = 0; i <= n; ++i) faces.push_back(lower + (upper - lower) * i / n);
  return faces;
}
// Cells that grow along the axis, smoothly.
std::vector<double> uneven_faces(int n, double lower, double upper) {
  std::vector<double> faces;
  for (int i = 0; i <= n; ++i) {
    const double s = static_cast<double>(i) / n;
    faces.push_back(lower + (upper - lower) * (s + 0.1 * std::sin(two_pi * s)));
  }
  return faces;
}
// Averages of 2 + sin(x + 0.3), by its integral.
std::vector<double> sine_averages(const std::vector<double>& faces) {
  std::vector<double> averages;
  for (std::size_t c = 0; c + 1 < faces.size(); ++c) {
    const double a = faces[c], b = faces[c + 1];
    averages.push_back(2 + (std::cos(a + 0.3) - std::cos(b + 0.3)) / (b - a));
  }
  return averages;
}
double sum(const std::vector<double>& averages, const std::vector<double>& faces) {
  double total = 0;
  for (std::size_t c = 0; c < averages.size(); ++c)
    total += averages[c] * (faces[c + 1] - faces[c]);
  return total;
}
double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}
std::vector<double> mapped(const AverageMap& map, const std::vector<double>& values,
                           std::size_t count) {
  Arrays out;
  map.apply({values}, {0, static_cast<std::int64_t>(values.size())},
            {0, static_cast<std::int64_t>(count)}, {}, {}, 1, out);
  return out[0];
}
std::vector<double> mapped(const PointMap& map, const std::vector<double>& values,
                           std::size_t count) {
  Arrays out;
  map.apply({values}, {0, static_cast<std::int64_t>(values.size())},
            {0, static_cast<std::int64_t>(count)}, {}, 1, out);
  return out[0];
}

struct Axis {
  const char* name;
  bool periodic, uneven;
  int from, to;  // cells, doubled for the order
};
void PrintTo(const Axis& axis, std::ostream* out) { *out << axis.name; }

class Averages : public testing::TestWithParam<Axis> {
 protected:
  static std::vector<double> faces(const Axis& axis, int n, double upper) {
    return axis.uneven ? uneven_faces(n, 0, upper) : even_faces(n, 0, upper);
  }
};

TEST_P(Averages, AreOfFifthOrderAndKeepTheirSum) {
  const Axis& axis = GetParam();
  const double upper = axis.periodic ? two_pi : 5.0;
  std::vector<double> errors;
  for (const int times : {1, 2, 4}) {
    const std::vector<double> from = faces(axis, axis.from * times, upper),
                              to = faces(axis, axis.to * times, upper);
    const std::vector<double> before = sine_averages(from);
    const std::vector<double> now =
        mapped(AverageMap(from, to, axis.periodic), before, to.size() - 1);
    errors.push_back(largest_difference(now, sine_averages(to)));
    EXPECT_NEAR(sum(now, to), sum(before, from), 1e-14 * sum(before, from));
  }
  EXPECT_GT(std::log2(errors[1] / errors[2]), 4.6) << errors[1] << " " << errors[2];
}

INSTANTIATE_TEST_SUITE_P(Axes, Averages,
                         testing::Values(Axis{"periodic, twice as fine", true, false, 16, 32},
                                         Axis{"periodic, 3 to 2", true, false, 24, 16},
                                         Axis{"periodic, 16 to 17", true, false, 16, 17},
                                         Axis{"uneven, 16 to 23", true, true, 16, 23},
                                         Axis{"between ends, finer", false, false, 16, 40},
                                         Axis{"between ends, uneven", false, true, 20, 33}));

TEST(Resample, CellsThatArePutTogetherHaveTheirMean) {
  const std::vector<double> values = {1, 5, -2, 7, 1e3, 0.25, 3, 3};
  const std::vector<double> now =
      mapped(AverageMap(even_faces(8, -1, 1), even_faces(2, -1, 1), true), values, 2);
  EXPECT_EQ(now, (std::vector<double>{2.75, 251.5625}));
}

TEST(Resample, TheSameAxisGivesTheSameBits) {
  std::vector<double> values;
  for (int i = 0; i < 23; ++i) values.push_back(std::sin(1e3 * i) / 3);
  for (const bool periodic : {true, false}) {
    const std::vector<double> faces = uneven_faces(23, 0.1, 7.7);
    EXPECT_EQ(mapped(AverageMap(faces, faces, periodic), values, 23), values);
    std::vector<double> points = faces;
    points.pop_back();
    EXPECT_EQ(mapped(PointMap(points, points, periodic ? 7.6 : 0), values, 23), values);
  }
}

TEST(Resample, AStepStaysWithinItsValues) {
  std::vector<double> step(20, 1.0);
  std::fill(step.begin() + 7, step.begin() + 13, 1e-3);
  const std::vector<double> from = even_faces(20, 0, 1), to = even_faces(73, 0, 1);
  for (const bool periodic : {true, false}) {
    const std::vector<double> now = mapped(AverageMap(from, to, periodic), step, 73);
    for (const double value : now) {
      EXPECT_GE(value, 1e-3 - 1e-15);
      EXPECT_LE(value, 1.0 + 1e-15);
    }
    EXPECT_NEAR(sum(now, to), sum(step, from), 1e-14);
  }
}

// Two gases at one pressure p: E = p Gamma + ..., Gamma a jump, on which E has another slope. Limited one by one they would differ.
TEST(Resample, WhatIsLinearInVariablesTogetherStaysSo) {
  Arrays from(4);
  for (int i = 0; i < 24; ++i) {
    const double gamma = i < 11 ? 2.5 : 0.2, rho = 1 + 0.3 * i;
    from[0].push_back(gamma);
    from[1].push_back(rho);
    from[2].push_back(3.0 * gamma + 0.5 * rho);
    from[3].push_back(1e-17 * std::sin(1e3 * i));  // noise, which limits nothing else
  }
  Limits limits;
  limits.together = {true, true, true, false};
  const AverageMap map(even_faces(24, 0, 1), even_faces(61, 0, 1), false);
  Arrays out, alone, noisy;
  map.apply(from, {0, 24}, {0, 61}, {}, limits, 1, out);
  map.apply(from, {0, 24}, {0, 61}, {}, {}, 1, alone);
  double difference = 0;
  for (std::size_t c = 0; c < 61; ++c) {
    EXPECT_NEAR(out[2][c], 3.0 * out[0][c] + 0.5 * out[1][c], 1e-13) << "cell " << c;
    difference =
        std::max(difference, std::abs(alone[2][c] - 3.0 * alone[0][c] - 0.5 * alone[1][c]));
  }
  EXPECT_GT(difference, 1e-3);
  for (std::size_t v = 0; v < 4; ++v) EXPECT_EQ(alone[v], mapped(map, from[v], 61));
  std::fill(from[3].begin(), from[3].end(), 0.0);
  map.apply(from, {0, 24}, {0, 61}, {}, limits, 1, noisy);
  for (std::size_t v = 0; v < 3; ++v) EXPECT_EQ(noisy[v], out[v]);
}

TEST(Resample, PiecesThatAreNotAdmissibleAreWhatTheirCellIs) {
  std::vector<double> values;
  for (int i = 0; i < 16; ++i) values.push_back(1 + 0.5 * std::sin(two_pi * i / 16));
  const std::vector<double> from = even_faces(16, 0, 1), to = even_faces(48, 0, 1);
  const AverageMap map(from, to, true);
  Limits limits;
  limits.admissible = [](std::span<const double>) { return false; };
  Arrays out;
  map.apply({values}, {0, 16}, {0, 48}, {}, limits, 1, out);
  for (std::size_t c = 0; c < 48; ++c) EXPECT_EQ(out[0][c], values[c / 3]) << "cell " << c;
}

TEST(Resample, PointsAreOfSixthOrder) {
  for (const bool periodic : {true, false}) {
    std::vector<double> errors;
    for (const int n : {16, 32, 64}) {
      std::vector<double> from, to, exact, before;
      for (int i = 0; i < n; ++i) from.push_back(two_pi * i / n);
      const int count = periodic ? n + 5 : n / 2 + 3;
      const double end = periodic ? two_pi : from.back();
      for (int i = 0; i < count; ++i) to.push_back(end * i / count);
      for (const double x : from) before.push_back(std::sin(x + 0.3));
      for (const double x : to) exact.push_back(std::sin(x + 0.3));
      errors.push_back(largest_difference(
          mapped(PointMap(from, to, periodic ? two_pi : 0), before, to.size()), exact));
    }
    EXPECT_GT(std::log2(errors[1] / errors[2]), 5.6) << errors[1] << " " << errors[2];
  }
}

TEST(Resample, BeyondTheLastPointLinesAreStraight) {
  const std::vector<double> now = mapped(PointMap({0, 1, 2, 3}, {-0.5, 3.5}, 0), {1, 3, 4, 8}, 2);
  EXPECT_DOUBLE_EQ(now[0], 0);
  EXPECT_DOUBLE_EQ(now[1], 10);
}

// A periodic field continues in a box of three periods, and in one that begins elsewhere.
TEST(Resample, PeriodicAxesAreContinued) {
  const std::vector<double> from = even_faces(20, 0, two_pi),
                            to = even_faces(180, -two_pi, 2 * two_pi),
                            shifted = even_faces(31, 4.0, 11.0);
  const std::vector<double> before = sine_averages(from);
  for (const std::vector<double>& faces : {to, shifted}) {
    const std::vector<double> now = mapped(AverageMap(from, faces, true), before, faces.size() - 1);
    EXPECT_LT(largest_difference(now, sine_averages(faces)), 1e-4);
  }
  std::vector<double> points = from, at = to, values;
  points.pop_back();
  for (const double x : points) values.push_back(std::sin(x));
  const std::vector<double> now = mapped(PointMap(points, at, two_pi), values, at.size());
  for (std::size_t i = 0; i < at.size(); ++i) EXPECT_NEAR(now[i], std::sin(at[i]), 2e-5);
}

// Ranks map parts of an axis, from what they need of it.
TEST(Resample, PartsAreThoseOfTheWhole) {
  const std::int64_t n = 37, m = 53;
  for (const bool periodic : {true, false}) {
    const std::vector<double> faces = uneven_faces(static_cast<int>(n), 0, 1),
                              to = uneven_faces(static_cast<int>(m), 0, 1);
    Arrays values(2);
    for (std::int64_t i = 0; i < 2 * n * 3; ++i) {  // [2][n][3]
      values[0].push_back(std::sin(0.37 * static_cast<double>(i * i)));
      values[1].push_back(std::cos(0.11 * static_cast<double>(i * i)));
    }
    std::vector<double> points(faces.begin(), faces.end() - 1), at(to.begin(), to.end() - 1);
    const AverageMap averages(faces, to, periodic);
    const PointMap interpolation(points, at, periodic ? 1.0 : 0.0);
    Arrays whole, whole_points;
    averages.apply(values, {0, n}, {0, m}, {2, 3}, {}, 1, whole);
    interpolation.apply(values, {0, n}, {0, m}, {2, 3}, 1, whole_points);
    for (const IndexRange part : {IndexRange{0, 20}, {20, 33}, {33, m}, {5, 6}}) {
      const auto check = [&](const auto& map, const Arrays& all, const auto& apply) {
        const IndexRange have = map.needed(part);
        Arrays here(2), out;
        for (std::size_t v = 0; v < 2; ++v) {
          for (std::int64_t o = 0; o < 2; ++o) {
            const auto begin = values[v].begin() + o * n * 3;
            here[v].insert(here[v].end(), begin + have.begin * 3, begin + have.end * 3);
          }
        }
        apply(here, have, out);
        for (std::size_t v = 0; v < 2; ++v) {
          for (std::int64_t p = 0; p < 2 * part.size() * 3; ++p) {
            const std::int64_t o = p / (part.size() * 3), rest = p % (part.size() * 3);
            EXPECT_EQ(out[v][static_cast<std::size_t>(p)],
                      all[v][static_cast<std::size_t>(o * m * 3 + part.begin * 3 + rest)]);
          }
        }
      };
      check(averages, whole, [&](const Arrays& here, IndexRange have, Arrays& out) {
        averages.apply(here, have, part, {2, 3}, {}, 1, out);
      });
      check(interpolation, whole_points, [&](const Arrays& here, IndexRange have, Arrays& out) {
        interpolation.apply(here, have, part, {2, 3}, 1, out);
      });
    }
  }
}

}  // namespace resample_test
}  // namespace watersmeet::schemes
