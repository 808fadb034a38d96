// Layout of a block: lines of 128 bytes, room for ghosts and the last pack, stride 0 along
// degenerate axes; every cell of a block, ghosts included, has an element of its own.
#include "core/block_layout.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "memory/state.hpp"

using namespace watersmeet;

namespace {
const std::vector<memory::BlockShape> shapes = {
    {{1, 1, 1}, {3, 0, 0}},  {{2, 3, 4}, {3, 3, 3}},  {{7, 1, 5}, {3, 0, 3}},
    {{13, 7, 1}, {3, 3, 0}}, {{16, 4, 4}, {3, 3, 3}}, {{26, 2, 3}, {3, 3, 3}},
    {{32, 1, 1}, {0, 0, 0}}, {{61, 3, 2}, {1, 2, 3}}, {{1, 6, 6}, {3, 3, 3}},
    {{1, 1, 17}, {3, 0, 3}}, {{5, 1, 2}, {3, 3, 3}}};
}

TEST(Layout, RowsStartOnLinesAndHoldGhosts) {
  for (const auto& shape : shapes) {
    for (const Precision precision : {Precision::single_, Precision::double_}) {
      const BlockLayout l = memory::make_layout(shape, 3, precision);
      const std::int64_t line = 128 / static_cast<std::int64_t>(size_of(precision));
      EXPECT_EQ(l.first % line, 0);
      EXPECT_EQ(l.stride[0], 1);
      EXPECT_EQ(l.stride[1] % line, 0);
      EXPECT_EQ(l.stride[2] % line, 0);
      EXPECT_EQ(l.stride_var % line, 0);
      EXPECT_EQ(l.elements, 3 * l.stride_var);
      for (std::size_t a = 1; a < 3; ++a) {
        EXPECT_EQ(l.stride[a] == 0, shape.n[a] == 1 && shape.ghosts[a] == 0) << a;
      }
    }
  }
}

TEST(Layout, EveryCellHasItsOwnElementInsideTheBlock) {
  for (const auto& shape : shapes) {
    const BlockLayout l = memory::make_layout(shape, 2, Precision::single_);
    std::set<std::int64_t> seen;
    std::int64_t cells = 0;
    for (std::int64_t v = 0; v < 2; ++v)
      for (std::int64_t k = -l.ghosts[2]; k < l.n[2] + l.ghosts[2]; ++k)
        for (std::int64_t j = -l.ghosts[1]; j < l.n[1] + l.ghosts[1]; ++j)
          for (std::int64_t i = -l.ghosts[0]; i < l.n[0] + l.ghosts[0]; ++i) {
            const std::int64_t element = l.first + v * l.stride_var + l.at(i, j, k);
            EXPECT_GE(element, 0);
            EXPECT_LT(element, l.elements);
            seen.insert(element);
            ++cells;
          }
    EXPECT_EQ(static_cast<std::int64_t>(seen.size()), cells);
  }
}

TEST(Layout, EveryNeighbourAlongAnAxisOfOneCellIsTheCellItself) {
  const BlockLayout l = memory::make_layout({{5, 1, 1}, {3, 0, 0}}, 1, Precision::double_);
  EXPECT_EQ(l.at(0, 2, 0), l.at(0, 2, 3));
  EXPECT_EQ(l.at(0, 2, 0), l.at(0, -1, -3));
}
