// From a cubed sphere to longitudes and latitudes: what is uniform stays so, nothing is exceeded,
// and smooth fields converge at the second order, at edges and corners of the panels too.
#include "mesh/lon_lat_remap.hpp"
#include "core/math.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

using namespace watersmeet;
using namespace watersmeet::mesh;

namespace lon_lat_remap_test {

namespace {

constexpr double pi = std::numbers::pi;

double smooth(const Real3& r) { return std::exp(r[0] - 0.5 * r[1]) + r[0] * r[1] * r[2]; }

std::vector<double> on_panels(std::int64_t n) {
  std::vector<double> values;
  for (int p = 0; p < panels; ++p) {
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t i = 0; i < n; ++i) {
        const auto angle = [&](std::int64_t m) {
          return (static_cast<double>(m) + 0.5) * pi / 2 / static_cast<double>(n) - pi / 4;
        };
        values.push_back(smooth(panel_position(p, angle(i), angle(j))));
      }
    }
  }
  return values;
}

double worst_error(std::int64_t n, const LonLatGrid& grid) {
  const std::vector<double> found = LonLatRemap(n, grid).apply(on_panels(n), 1, 1);
  const std::vector<double> lons = grid.lon(), lats = grid.lat();
  double worst = 0;
  std::size_t at = 0;
  for (const double lat : lats) {
    for (const double lon : lons) {
      const double a = lon * pi / 180, b = lat * pi / 180;
      const Real3 r = {std::cos(b) * std::cos(a), std::cos(b) * std::sin(a), std::sin(b)};
      worst = max_or_nan(worst, std::abs(found[at++] - smooth(r)));
    }
  }
  return worst;
}

}  // namespace

TEST(LonLatRemap, ConvergesAtTheSecondOrder) {
  const LonLatGrid grid = {359, 181};  // the middle latitude is the equator, poles are half a cell
  const double coarse = worst_error(16, grid), fine = worst_error(64, grid);
  // The error is h^2/8 times a second derivative for each of two axes: at most e^1.12 (1.25 + 1.12) of the exponential
  // along an arc, less than 1 of the product.
  EXPECT_LT(coarse, 2 * std::pow(pi / 2 / 16, 2) / 8 * 8);
  EXPECT_GT(std::log2(coarse / fine) / 2, 1.85);
}

TEST(LonLatRemap, ExceedsNothingAndKeepsWhatIsUniform) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const std::int64_t n : {4, 5, 13}) {
    const LonLatRemap remap(n, {97, 64});
    std::vector<double> values(static_cast<std::size_t>(panels * n * n));
    for (double& v : values) v = uniform(generator);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    for (const double v : remap.apply(values, 1, 1)) {
      EXPECT_GE(v, *least - 1e-14);
      EXPECT_LE(v, *most + 1e-14);
    }
    for (const double v : remap.apply(std::vector<double>(values.size(), 3.0), 1, 1)) {
      EXPECT_NEAR(v, 3.0, 1e-14);
    }
  }
}

// Weights are not negative: one cell alone is seen nowhere below 0, corners included.
TEST(LonLatRemap, SeesOneCell) {
  const std::int64_t n = 5;
  const LonLatRemap remap(n, {180, 90});
  for (const std::size_t cell : {0u, 4u, 12u, 24u, 25u * 4, 25u * 5 + 20}) {
    std::vector<double> values(static_cast<std::size_t>(panels * n * n), 0.0);
    values[cell] = 1;
    double most = 0;
    for (const double v : remap.apply(values, 1, 1)) {
      EXPECT_GE(v, -1e-15);
      most = max_or_nan(most, v);
    }
    EXPECT_GT(most, 0.88);  // a middle is at most 1 degree of the cell's 18 away along each axis
  }
}

TEST(LonLatRemap, TakesLevelsAndComponents) {
  const std::int64_t n = 6, levels = 3, components = 2;
  const LonLatRemap remap(n, {20, 10});
  const std::vector<double> one = on_panels(n);
  std::vector<double> values(one.size() * levels * components);
  const std::size_t plane = static_cast<std::size_t>(n * n);
  for (std::size_t cell = 0; cell < one.size(); ++cell) {
    for (std::size_t level = 0; level < 3; ++level) {
      for (std::size_t c = 0; c < 2; ++c) {
        values[((cell / plane * 3 + level) * plane + cell % plane) * 2 + c] =
            one[cell] * double(level + 1) + double(c);
      }
    }
  }
  const std::vector<double> base = remap.apply(one, 1, 1),
                            all = remap.apply(values, levels, components);
  for (std::size_t at = 0; at < base.size(); ++at) {
    for (std::size_t level = 0; level < 3; ++level) {
      for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_NEAR(all[(level * base.size() + at) * 2 + c],
                    base[at] * double(level + 1) + double(c), 1e-13);
      }
    }
  }
}

TEST(LonLatGrid, SpansTheSphere) {
  const LonLatGrid grid = {4, 3};
  EXPECT_EQ(grid.lon(), (std::vector<double>{45, 135, 225, 315}));
  EXPECT_EQ(grid.lat(), (std::vector<double>{-60, 0, 60}));
  EXPECT_EQ(grid.lon_edges(), (std::vector<double>{0, 90, 180, 270, 360}));
  EXPECT_EQ(grid.lat_edges(), (std::vector<double>{-90, -30, 30, 90}));
}

}  // namespace lon_lat_remap_test
