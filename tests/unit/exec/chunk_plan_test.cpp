// How marches on a GPU are cut: every cell once, in no more rounds of pieces than the numbers allow. No device is needed.
#include "exec/chunk_plan.hpp"

#include <gtest/gtest.h>

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

// By hand: 832 tiles, 264 at once. Three rounds of whole columns leave 40 tiles, of which 13 chunks of 40 planes fill 520 of 528 places of
// two rounds: 3 (512 + 4) + 2 (40 + 4). All in 6 chunks of 86 planes would take 19 rounds: 19 (86 + 4) = 1710. 528 tiles need no cut, and 100
// tiles no whole columns: in 8 chunks of 64 they fill 800 places of four rounds.
TEST(ChunkPlan, FillsTheLastRound) {
  const ChunkPlan plan = chunk_plan(832, 512, 8, 264);
  EXPECT_EQ(plan.whole, 3 * 264);
  EXPECT_EQ(plan.rest, 40);
  EXPECT_EQ(plan.chunks, 13);
  EXPECT_EQ(plan.chunk, 40);
  EXPECT_EQ(march_cost(plan, 512, 264), 3 * 516 + 2 * 44);
  EXPECT_EQ(march_cost(chunk_plan(528, 512, 8, 264), 512, 264), 2 * 516);
  EXPECT_EQ(chunk_plan(100, 512, 8, 264).whole, 0);
}

}  // namespace
}  // namespace watersmeet::exec
