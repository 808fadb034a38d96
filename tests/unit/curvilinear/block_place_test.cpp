// Places of points in a block, and values there, on curved nodes of a closed form.
#include "mesh/curvilinear/block_place.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace watersmeet::mesh {
namespace block_place_test {

// Part of a ring, in space twisted along its height; nodes are unevenly far apart.
CurvilinearBlock ring(const Index3& n) {
  CurvilinearBlock block(n);
  const auto part = [&](std::int64_t i, std::size_t axis) {
    return n[axis] > 1 ? static_cast<double>(i) / static_cast<double>(n[axis] - 1) : 0.0;
  };
  for (std::int64_t k = 0; k < n[2]; ++k) {
    for (std::int64_t j = 0; j < n[1]; ++j) {
      for (std::int64_t i = 0; i < n[0]; ++i) {
        const double s = part(j, 1), radius = 1 + s * s + 0.5 * s, height = part(k, 2),
                     angle = 1.5 * part(i, 0) + 0.4 * height;
        block.set({i, j, k}, {radius * std::cos(angle), radius * std::sin(angle), 2 * height});
      }
    }
  }
  return block;
}
double smooth(const Real3& x) { return std::sin(1.3 * x[0] + 0.2) * std::cos(x[1]) + 0.3 * x[2]; }

double error_on(const Index3& from, const Index3& to) {
  const CurvilinearBlock before = ring(from), now = ring(to);
  std::vector<double> values;
  for (std::int64_t node = 0; node < before.count(); ++node) {
    const auto at = static_cast<std::size_t>(node);
    values.push_back(smooth({before.x[0][at], before.x[1][at], before.x[2][at]}));
  }
  double largest = 0;
  for (std::int64_t k = 0; k < to[2]; ++k) {
    for (std::int64_t j = 0; j < to[1]; ++j) {
      for (std::int64_t i = 0; i < to[0]; ++i) {
        const Index3 node{i, j, k};
        Real3 guess{};
        for (std::size_t a = 0; a < 3; ++a)  // a poor one
          guess[a] = to[a] > 1 ? 0.5 * static_cast<double>(from[a] - 1) : 0.0;
        const BlockPlace place = place_in(before, now.at(node), guess);
        EXPECT_LT(place.cells_off, 0.02);
        largest = std::max(largest,
                           std::abs(value_at(from, values, place.index, 6) - smooth(now.at(node))));
      }
    }
  }
  return largest;
}

TEST(BlockPlace, ValuesAreOfSixthOrderInThePlane) {
  const double coarse = error_on({17, 13, 1}, {20, 30, 1}),
               fine = error_on({33, 25, 1}, {20, 30, 1});
  EXPECT_GT(std::log2(coarse / fine), 5.0) << coarse << " " << fine;
  EXPECT_LT(fine, 1e-6);
}

TEST(BlockPlace, ValuesAreOfSixthOrderInSpace) {
  const double coarse = error_on({13, 9, 9}, {9, 11, 12}),
               fine = error_on({25, 17, 17}, {9, 11, 12});
  EXPECT_GT(std::log2(coarse / fine), 5.0) << coarse << " " << fine;
}

TEST(BlockPlace, NodesHaveTheirOwnValues) {
  const CurvilinearBlock block = ring({9, 8, 7});
  std::vector<double> values;
  for (std::int64_t node = 0; node < block.count(); ++node)
    values.push_back(std::sin(static_cast<double>(node * node)));
  for (const Index3& node : {Index3{0, 0, 0}, {8, 7, 6}, {4, 3, 2}, {1, 7, 3}}) {
    const Real3 guess{static_cast<double>(node[0]), static_cast<double>(node[1]),
                      static_cast<double>(node[2])};
    const BlockPlace place = place_in(block, block.at(node), guess);
    EXPECT_EQ(place.index, guess);
    EXPECT_EQ(value_at(block.n, values, place.index, 6), values[block.offset(node)]);
    EXPECT_EQ(value_at(block.n, values, place.index, 2), values[block.offset(node)]);
  }
}

TEST(BlockPlace, PointsOutsideAreOffByCells) {
  const CurvilinearBlock block = ring({9, 8, 1});
  const BlockPlace near = place_in(block, {0.97, 0, 0}, {0, 0, 0}),
                   far = place_in(block, {-3, 0, 0}, {4, 4, 0});
  EXPECT_DOUBLE_EQ(near.index[1], 0);
  EXPECT_LT(near.cells_off, 1);
  EXPECT_GT(far.cells_off, 1);
}

}  // namespace block_place_test
}  // namespace watersmeet::mesh
