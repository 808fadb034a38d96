// Shapes of multicomponent flow: distances known by hand, unions of spheres against the brute
// force, covered shares against all 27 points and against volumes known in closed form, files of
// bubbles with faults.
#include "systems/multicomponent/initial/shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "systems/multicomponent/initial/cell_average.hpp"

using namespace watersmeet;
using namespace watersmeet::multicomponent;

namespace multicomponent_shapes_test {

namespace {
constexpr double pi = 3.14159265358979323846;
constexpr std::array<bool, 3> all = {true, true, true};

CellGrid cube(std::int64_t n) {
  const double h = 1.0 / static_cast<double>(n);
  return {{{0, 0, 0}, {h, h, h}, 0.5}, {n, n, n}};
}

std::vector<Sphere> cloud(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(0, 1), radius(0.005, 0.06);
  std::vector<Sphere> list;
  for (int i = 0; i < n; ++i)
    list.push_back({{place(random), place(random), place(random)}, radius(random)});
  return list;
}

double nearest_surface(const std::vector<Sphere>& list, const Real3& x,
                       const std::array<bool, 3>& active) {
  double least = 1e300;
  for (const Sphere& s : list) {
    double d2 = 0;
    for (std::size_t a = 0; a < 3; ++a)
      if (active[a]) d2 += (x[a] - s.centre[a]) * (x[a] - s.centre[a]);
    least = std::min(least, std::sqrt(d2) - s.radius);
  }
  return least;
}

// The definition: 27 points of every cell, none left out.
double share_by_definition(const Shape& shape, double e, const CellGrid& g, const Index3& cell) {
  const double weights[3] = {1.0 / 6, 2.0 / 3, 1.0 / 6};
  double sum = 0;
  for (int m = 0; m < 27; ++m) {
    const int side[3] = {m % 3 - 1, m / 3 % 3 - 1, m / 9 - 1};
    double w = 1;
    Real3 x{};
    bool counts = true;
    for (std::size_t a = 0; a < 3; ++a) {
      const double h = g.geometry.spacing[a];
      x[a] = g.geometry.lower[a] + (static_cast<double>(cell[a]) + 0.5) * h + 0.5 * h * side[a];
      if (g.cells[a] > 1)
        w *= weights[side[a] + 1];
      else
        counts = counts && side[a] == 0;
    }
    if (!counts) continue;
    const double d = shape.distance(x), part = std::min(1.0, std::max(0.0, (d + e) / (2 * e)));
    sum += w * 0.5 * (1 + std::cos(pi * part));
  }
  return sum;
}

// Shares of the whole grid, row by row.
std::vector<double> shares(const Shape& shape, double e, const CellGrid& g) {
  std::vector<double> a(static_cast<std::size_t>(g.cells[0] * g.cells[1] * g.cells[2]), 0.0);
  for (std::int64_t k = 0; k < g.cells[2]; ++k) {
    for (std::int64_t j = 0; j < g.cells[1]; ++j) {
      const Row part = touched(shape, e, g, {0, g.cells[0], j, k});
      cover(shape, e, g, part, a.data() + (k * g.cells[1] + j) * g.cells[0] + part.begin);
    }
  }
  return a;
}

class TextFile {
 public:
  explicit TextFile(const std::string& text)
      : path_((std::filesystem::temp_directory_path() /
               ("bubbles-" + std::to_string(std::random_device{}()) + ".txt"))
                  .string()) {
    std::ofstream(path_) << text;
  }
  ~TextFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};
}  // namespace

TEST(Shapes, DistancesKnownByHand) {
  EXPECT_DOUBLE_EQ(half_space(1, 0.5, true)->distance({9, 0.2, 9}), -0.3);
  EXPECT_DOUBLE_EQ(half_space(1, 0.5, false)->distance({9, 0.2, 9}), 0.3);
  EXPECT_DOUBLE_EQ(cylinder(0, {7, 1, 2}, 0.5)->distance({-3, 4, 6}), 4.5);
  EXPECT_DOUBLE_EQ(cylinder(2, {1, 2, 7}, 6)->distance({4, 6, 0}), -1);
  const auto b = box({0, 0, 0}, {1, 2, 3});
  EXPECT_DOUBLE_EQ(b->distance({0.5, 1, 1.5}), -0.5);
  EXPECT_NEAR(b->distance({0.5, 1.9, 1.5}), -0.1, 1e-15);
  EXPECT_DOUBLE_EQ(b->distance({1.25, 1, 1}), 0.25);
  EXPECT_DOUBLE_EQ(b->distance({4, 6, 1}), 5);
  EXPECT_DOUBLE_EQ(b->distance({-2, -3, 9}), 7);
  const double inf = INFINITY;
  const auto layer = box({-inf, 0.2, -inf}, {inf, 0.6, inf});
  EXPECT_DOUBLE_EQ(layer->distance({5, 0.3, -8}), -0.1);
  EXPECT_DOUBLE_EQ(layer->distance({5, 1.0, -8}), 0.4);
  const auto ball = spheres({{{1, 2, 3}, 2}}, 100, all);
  EXPECT_DOUBLE_EQ(ball->distance({1, 5, 7}), 3);
  EXPECT_DOUBLE_EQ(ball->distance({1, 2, 3}), -2);
  EXPECT_DOUBLE_EQ(ball->bounds().lower[2], 1);
  EXPECT_DOUBLE_EQ(ball->bounds().upper[0], 3);
  // Where z has one cell, a sphere is cut through its centre.
  EXPECT_DOUBLE_EQ(spheres({{{1, 2, 3}, 2}}, 100, {true, true, false})->distance({4, 6, 9}), 3);
}

TEST(Shapes, UnionOfSpheresIsTheNearestOfAll) {
  for (const std::array<bool, 3>& active :
       {all, std::array<bool, 3>{true, true, false}, std::array<bool, 3>{false, true, false}}) {
    for (const int n : {1, 7, 400}) {
      const std::vector<Sphere> list = cloud(n, 5);
      for (const double reach : {0.01, 0.3}) {
        const auto shape = spheres(list, reach, active);
        std::mt19937 random(8);
        std::uniform_real_distribution<double> place(-0.4, 1.4);
        int near = 0;
        for (int i = 0; i < 3000; ++i) {
          const Real3 x{place(random), place(random), place(random)};
          const double expected = nearest_surface(list, x, active);
          near += expected < reach;
          ASSERT_NEAR(shape->distance(x), std::min(expected, reach), 1e-15) << n << " " << reach;
        }
        if (n > 100) {
          EXPECT_GT(near, 50);
        }
      }
    }
  }
}

TEST(Shapes, DistancesChangeNoFasterThanThePosition) {
  const std::vector<std::shared_ptr<const Shape>> shapes = {
      half_space(0, 0.4, true), cylinder(1, {0.5, 0.5, 0.5}, 0.2),
      box({0.2, 0.3, 0.1}, {0.5, 0.9, 0.4}), spheres(cloud(50, 2), 0.2, all)};
  std::mt19937 random(4);
  std::uniform_real_distribution<double> place(0, 1);
  for (const auto& shape : shapes) {
    for (int i = 0; i < 5000; ++i) {
      const Real3 x{place(random), place(random), place(random)};
      const Real3 y{place(random), place(random), place(random)};
      const double apart = std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
      ASSERT_LE(std::abs(shape->distance(x) - shape->distance(y)), apart * (1 + 1e-12));
    }
  }
}

TEST(Cover, SmearedStepOfOneDimension) {
  EXPECT_EQ(smeared(-0.3, 0.3), 1.0);
  EXPECT_EQ(smeared(0.3, 0.3), 0.0);
  EXPECT_NEAR(smeared(0, 0.3), 0.5, 1e-16);
  EXPECT_NEAR(smeared(0.1, 0.3), 0.25, 1e-15);  // (1 + cos(2 pi / 3)) / 2
  EXPECT_EQ(smeared(-1e-300, 0), 1.0);
  EXPECT_EQ(smeared(0, 0), 0.0);
}

// Cells that are passed over by their distance have the very value that 27 points give.
TEST(Cover, IsTheSimpsonAverageOfEveryCell) {
  const std::vector<Sphere> list = cloud(30, 3);
  for (const Index3& cells :
       {Index3{17, 13, 11}, Index3{23, 19, 1}, Index3{61, 1, 1}, Index3{1, 1, 31}}) {
    CellGrid g{{{0, 0, 0}, {}, 0.5}, cells};
    for (std::size_t a = 0; a < 3; ++a) g.geometry.spacing[a] = 1.0 / static_cast<double>(cells[a]);
    for (const double m : {0.3, 1.0, 2.0}) {
      const double e = m * std::sqrt(3.0) * g.largest_spacing();
      const std::vector<std::shared_ptr<const Shape>> shapes = {
          spheres(list, 1.01 * (e + g.half_diagonal()), g.active()), half_space(0, 0.4, false),
          cylinder(2, {0.5, 0.45, 0.5}, 0.3), box({0.2, 0.3, 0.1}, {0.7, 0.9, 0.8})};
      for (const auto& shape : shapes) {
        const std::vector<double> a = shares(*shape, e, g);
        for (std::int64_t k = 0, p = 0; k < cells[2]; ++k)
          for (std::int64_t j = 0; j < cells[1]; ++j)
            for (std::int64_t i = 0; i < cells[0]; ++i, ++p)
              ASSERT_NEAR(a[static_cast<std::size_t>(p)],
                          share_by_definition(*shape, e, g, {i, j, k}), 1e-14)
                  << i << " " << j << " " << k;
      }
    }
  }
}

// The volume under a(d) around a sphere of radius R is 4 pi (R^3/3 + 2 R e^2 (1/2 - 4/pi^2)); the
// part of a plane layer is its thickness.
TEST(Cover, VolumesOfSphereAndLayer) {
  const CellGrid g = cube(48);
  const double R = 0.31, h = 1.0 / 48, e = std::sqrt(3.0) * h;
  const auto ball = spheres({{{0.503, 0.49, 0.511}, R}}, 0.2, all);
  double volume = 0;
  for (const double a : shares(*ball, e, g)) {
    EXPECT_GE(a, 0.0);
    EXPECT_LE(a, 1.0);
    volume += a * h * h * h;
  }
  const double expected = 4 * pi * (R * R * R / 3 + 2 * R * e * e * (0.5 - 4 / (pi * pi)));
  EXPECT_NEAR(volume / expected, 1, 2e-5);
  EXPECT_GT(std::abs(4 * pi * R * R * R / 3 / expected - 1), 1e-3);  // the correction counts

  const double inf = INFINITY;
  volume = 0;
  for (const double a : shares(*box({0.237, -inf, -inf}, {0.741, inf, inf}), e, g))
    volume += a * h * h * h;
  EXPECT_NEAR(volume, 0.741 - 0.237, h / 400);  // of Simpson's rule in the smeared layer
}

TEST(Cover, SharpShapesTakeWholeCells) {
  const CellGrid g{{{0, 0, 0}, {0.005, 1, 1}, 0.5}, {200, 1, 1}};
  const auto layer = box({0.25, -1, -1}, {0.75, 2, 2});
  const std::vector<double> a = shares(*layer, 0, g);
  for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(a[i], i >= 50 && i < 150 ? 1.0 : 0.0) << i;
}

// A cell has the same bits in whatever part of a row it is computed.
TEST(Cover, DoesNotDependOnTheCut) {
  const CellGrid g = cube(31);
  const double e = std::sqrt(3.0) / 31;
  const auto shape = spheres(cloud(40, 9), 0.2, all);
  CellExpression expression("0.3 - sqrt((x-0.5)^2 + (y-0.4)^2 + (z-0.6)^2)", {});
  for (const std::int64_t j : {0, 12, 30}) {
    std::vector<double> whole(31), parts(31), whole_e(31), parts_e(31);
    cover(*shape, e, g, {0, 31, j, 17}, whole.data());
    expression.cover(g, {0, 31, j, 17}, e, whole_e.data());
    for (const auto& [begin, end] : {std::pair{0, 5}, {5, 6}, {6, 24}, {24, 31}}) {
      cover(*shape, e, g, {begin, end, j, 17}, parts.data() + begin);
      expression.cover(g, {begin, end, j, 17}, e, parts_e.data() + begin);
    }
    EXPECT_EQ(whole, parts);
    EXPECT_EQ(whole_e, parts_e);
  }
}

TEST(Cover, ExpressionsMeasureAsShapesDo) {
  const CellGrid g = cube(19);
  const double e = std::sqrt(3.0) / 19;
  const auto ball = spheres({{{0.5, 0.4, 0.6}, 0.3}}, 1, all);
  CellExpression inside("radius - sqrt((x-0.5)^2 + (y-0.4)^2 + (z-0.6)^2)", {{"radius", 0.3}});
  for (const double half_width : {e, 0.0}) {
    const std::vector<double> a = shares(*ball, half_width, g);
    std::vector<double> row(19);
    for (std::int64_t k = 0; k < 19; ++k) {
      for (std::int64_t j = 0; j < 19; ++j) {
        inside.cover(g, {0, 19, j, k}, half_width, row.data());
        for (std::size_t i = 0; i < 19; ++i)
          ASSERT_NEAR(row[i], a[static_cast<std::size_t>((k * 19 + j) * 19) + i], 1e-13);
      }
    }
  }
}

// Simpson's rule is exact for cubics along each axis; degenerate axes count at their centres.
TEST(CellExpression, AveragesOfPolynomials) {
  const CellGrid g{{{-0.5, 1, 2}, {0.1, 0.3, 0.7}, 0.5}, {7, 5, 3}};
  CellExpression cubic("x^3 * y^2 + z^3 - 2*x*y*z", {});
  const auto moment = [](double a, double b, int n) {
    return (std::pow(b, n + 1) - std::pow(a, n + 1)) / ((n + 1) * (b - a));
  };
  std::vector<double> row(7);
  for (std::int64_t k = 0; k < 3; ++k) {
    for (std::int64_t j = 0; j < 5; ++j) {
      cubic.average(g, {0, 7, j, k}, row.data());
      for (std::int64_t i = 0; i < 7; ++i) {
        const double x0 = -0.5 + 0.1 * double(i), y0 = 1 + 0.3 * double(j),
                     z0 = 2 + 0.7 * double(k);
        const double expected =
            moment(x0, x0 + 0.1, 3) * moment(y0, y0 + 0.3, 2) + moment(z0, z0 + 0.7, 3) -
            2 * moment(x0, x0 + 0.1, 1) * moment(y0, y0 + 0.3, 1) * moment(z0, z0 + 0.7, 1);
        EXPECT_NEAR(row[static_cast<std::size_t>(i)], expected, 1e-12);
      }
    }
  }
  const CellGrid flat{{{0, 0, 0}, {0.5, 1, 4}, 0.5}, {2, 1, 1}};
  CellExpression distance("r^2 + 0*x", {});
  distance.average(flat, {0, 2, 0, 0}, row.data());
  EXPECT_NEAR(row[1], moment(0.5, 1, 2) + 0.25 + 4, 1e-14);
}

TEST(SphereFile, ReadsNumbersCommentsAndEmptyLines) {
  const TextFile file("# x y z radius\n\n 1e-3 +2 -3.5 0.25 # first\r\n\t4 5 6 7\n");
  const SphereFile read = read_spheres(file.path());
  ASSERT_TRUE(read.faults.empty()) << read.faults[0];
  ASSERT_EQ(read.spheres.size(), 2u);
  EXPECT_EQ(read.spheres[0].centre, (Real3{1e-3, 2, -3.5}));
  EXPECT_EQ(read.spheres[0].radius, 0.25);
  EXPECT_EQ(read.spheres[1].radius, 7);
}

TEST(SphereFile, FaultsNameFileLineAndFinding) {
  const TextFile file(
      "1 2 3 4\n1 2 3\n1 2,5 3 4\n# fine\n1 2 3 0\n1 2 3 nan\n1 2 3 4 5\n1 2 3 -1\n");
  const SphereFile read = read_spheres(file.path());
  const std::string& p = file.path();
  const std::vector<std::string> expected = {
      p + ", line 2: found 3 numbers; a line holds four numbers, x y z radius",
      p + ", line 3: found `2,5`, which is not a number; a line holds four numbers, x y z radius",
      p + ", line 5: found the radius 0, which is not above 0; a line holds four numbers, x y z "
          "radius",
      p + ", line 6: found `nan`, which is not a number; a line holds four numbers, x y z radius",
      p + ", line 7: found 5 numbers; a line holds four numbers, x y z radius",
      p + ": 1 more such lines"};
  EXPECT_EQ(read.faults, expected);
  EXPECT_EQ(read_spheres("/no/such/file").faults,
            std::vector<std::string>{"the file `/no/such/file` cannot be read"});
  EXPECT_EQ(read_spheres("/").faults, std::vector<std::string>{"the file `/` cannot be read"});
  const TextFile empty("# nothing\n");
  EXPECT_EQ(read_spheres(empty.path()).faults,
            std::vector<std::string>{"the file `" + empty.path() + "` holds no bubble"});
}

}  // namespace multicomponent_shapes_test
