// How marches on a GPU are cut: every cell once, in no more rounds of pieces than the numbers allow. No device is needed.
#include "exec/chunk_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace watersmeet::exec {
namespace {

TEST(ChunkPlan, ReachesEveryCellOnce) {
  for (const int columns : {1, 7, 10, 40, 264, 832}) {
    for (const int cells : {1, 7, 8, 13, 100, 512}) {
      for (const int resident : {1, 7, 264}) {
        for (const int shortest : {2, 8}) {
          const ChunkPlan plan = chunk_plan(columns, cells, shortest, resident);
          SCOPED_TRACE(testing::Message() << columns << " " << cells << " " << resident);
          EXPECT_EQ(plan.whole % resident, 0);
          std::vector<int> visits(static_cast<std::size_t>(columns * cells), 0);
          for (int p = 0; p < plan.pieces(); ++p) {
            const ChunkPlan::Piece piece = plan.piece(p, cells);
            ASSERT_LT(piece.first, piece.end) << "a piece without work";
            for (int c = piece.first; c < piece.end; ++c)
              ++visits[static_cast<std::size_t>(piece.column * cells + c)];
          }
          for (const int v : visits) ASSERT_EQ(v, 1);
        }
      }
    }
  }
}

// By hand: 832 tiles, 264 at once. Three rounds of whole columns leave 40 tiles. 6 chunks of 80 planes each take 240 places, and the 24 others
// take what is left of the tiles, 32 planes each, two in turn: 2 (32 + 4) is no more than 80 + 4. All in 6 chunks of 86 planes would take 19
// rounds: 19 (86 + 4) = 1710. 528 tiles need no cut, and 100 tiles no whole columns.
TEST(ChunkPlan, FillsTheLastRound) {
  const ChunkPlan plan = chunk_plan(832, 512, 8, 264);
  EXPECT_EQ(plan.whole, 3 * 264);
  EXPECT_EQ(plan.rest, 40);
  EXPECT_EQ(plan.chunks, 7);
  EXPECT_EQ(plan.chunk, 80);
  EXPECT_EQ(march_cost(plan, 512, 264), 3 * 516 + 84);
  EXPECT_EQ(march_cost(chunk_plan(528, 512, 8, 264), 512, 264), 2 * 516);
  EXPECT_EQ(chunk_plan(100, 512, 8, 264).whole, 0);
}

// By hand: 256 tiles of 256 planes, 132 at once: a round of whole columns, then 124 chunks of 245 planes beside 8 places that take 15 or 16 pieces of
// 11 planes each, no longer: 16 (11 + 4) = 240. Two rounds of whole columns would take 520.
TEST(ChunkPlan, LeavesShortChunksToThePlacesThatLongOnesLeave) {
  const ChunkPlan plan = chunk_plan(256, 256, 2, 132);
  EXPECT_EQ(plan.whole, 132);
  EXPECT_EQ(plan.chunk, 245);
  EXPECT_EQ(plan.chunks, 2);
  EXPECT_EQ(march_cost(plan, 256, 132), 260 + 249);
}

// Pieces in their order, each to the place that is free first, take as long as the cost says, or less.
TEST(ChunkPlan, TakesNoLongerThanItSays) {
  for (const int columns : {16, 88, 104, 176, 256, 304, 352, 416, 1024}) {
    for (const int cells : {32, 64, 128, 256, 500}) {
      for (const int resident : {7, 108, 132, 264}) {
        const ChunkPlan plan = chunk_plan(columns, cells, 2, resident);
        std::vector<double> busy(static_cast<std::size_t>(resident), 0);
        for (int p = 0; p < plan.pieces(); ++p) {
          const ChunkPlan::Piece piece = plan.piece(p, cells);
          *std::min_element(busy.begin(), busy.end()) += piece.end - piece.first + march_overhead;
        }
        SCOPED_TRACE(testing::Message() << columns << " " << cells << " " << resident);
        EXPECT_LE(*std::max_element(busy.begin(), busy.end()), march_cost(plan, cells, resident));
      }
    }
  }
}

}  // namespace
}  // namespace watersmeet::exec
