// How the sweeps on a GPU are cut: every cell once, nothing outside of what a row's padding allows,
// and as little idling as the numbers of blocks allow. No device is needed.
#include "exec/sweep_plan.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace watersmeet::exec {
namespace {

constexpr int warps = 4;
constexpr int h200 = 132 * 4;  // multiprocessors of an H200 x blocks of the single-precision sweeps

TEST(SweepPlan, ReachesEveryCellOnce) {
  struct Size {
    int x, across, cells;
  };
  for (const Size& n : {Size{1, 1, 7}, Size{5, 3, 40}, Size{32, 2, 13}, Size{37, 11, 100},
                        Size{200, 6, 25}, Size{130, 9, 1}}) {
    for (const int resident : {1, 7, h200}) {
      const SweepPlan plan = sweep_plan(n.x, n.across, n.cells, warps, resident);
      SCOPED_TRACE(testing::Message() << n.x << " " << n.across << " " << n.cells);
      EXPECT_EQ(plan.row % 4, 0);
      EXPECT_LT(plan.row, n.x + 4);  // beyond a row lie three ghosts
      // As the kernel goes over it: blocks, lanes.
      std::vector<int> visits(static_cast<std::size_t>(n.x * n.across * n.cells), 0);
      for (int block = 0; block < plan.chunks.pieces(); ++block) {
        const ChunkPlan::Piece piece = plan.chunks.piece(block, n.cells);
        for (int lane = 0; lane < 32 * warps; ++lane) {
          const MarchColumn column = march_column(piece.column * 32 * warps + lane, plan.row);
          if (column.i >= n.x || column.t >= n.across) continue;
          for (int c = piece.first; c < piece.end; ++c)
            ++visits[static_cast<std::size_t>((c * n.across + column.t) * n.x + column.i)];
        }
      }
      for (const int v : visits) ASSERT_EQ(v, 1);
    }
  }
}

// 32 columns are whole rows' pieces here, and rounds come out by hand: 128^2 columns make 128
// blocks, of which four times as many fill 512 of 528 places with chunks of 32 (cost 36; 2 chunks
// 68, 8 chunks 2 x 20); 256^2 make 512 blocks, one round of whole columns (cost 260; 2 chunks 2 x
// 132); 512^2 make 2048, three rounds of whole columns and the last 464 blocks in chunks of 459 beside 64
// places, each of which takes at most 8 times the 53 cells that are left of a block: 8 x 57 = 456
// (cost 3 x 516 + 463; four rounds of whole columns 2064).
TEST(SweepPlan, FillsRoundsOfBlocks) {
  const int sizes[] = {128, 256, 512}, whole[] = {0, 0, 1584}, rest[] = {128, 512, 464},
            chunks[] = {4, 1, 2};
  const double costs[] = {36, 260, 2011};
  for (std::size_t s = 0; s < 3; ++s) {
    const int n = sizes[s];
    const SweepPlan plan = sweep_plan(n, n, n, warps, h200);
    EXPECT_EQ(plan.row, n);
    EXPECT_EQ(plan.chunks.whole, whole[s]) << n;
    EXPECT_EQ(plan.chunks.rest, rest[s]) << n;
    EXPECT_EQ(plan.chunks.chunks, chunks[s]) << n;
    EXPECT_EQ(march_cost(plan.chunks, n, h200), costs[s]) << n;
  }
}

// 200^2 columns are 1250 warps and no lane idle: with 5 chunks of 40 cells 1565 blocks in 3 rounds
// of 528, cost 132. In tiles of 16 x 2 columns there were 1300 warps, and the best was 3 chunks in
// 2 rounds, cost 142.
TEST(SweepPlan, LeavesNoLaneIdleWhereRowsAreNoMultipleOfAWarp) {
  const SweepPlan plan = sweep_plan(200, 200, 200, warps, h200);
  EXPECT_EQ(plan.chunks.whole, 0);
  EXPECT_EQ(plan.chunks.rest, 313);
  EXPECT_EQ(plan.chunks.chunks, 5);
  EXPECT_EQ(plan.chunks.chunk, 40);
  EXPECT_EQ(march_cost(plan.chunks, 200, h200), 132);
}

TEST(SweepPlan, GivesFewColumnsManyChunks) {
  // One block of columns: as many chunks as are worth their beginnings.
  EXPECT_EQ(sweep_plan(16, 8, 2400, warps, h200).chunks.chunks, 2400 / shortest_march);
  // More blocks than fit at once: none.
  EXPECT_EQ(sweep_plan(128, 528, 16, warps, h200).chunks.chunks, 1);
}

}  // namespace
}  // namespace watersmeet::exec
