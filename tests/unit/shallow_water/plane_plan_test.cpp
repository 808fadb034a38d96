// How a march over a plane is cut: every cell once, and as even as the rounds of warps ask for.
#include "exec/plane_plan.hpp"

#include <gtest/gtest.h>

using namespace watersmeet::exec;

TEST(PlanePlan, CoversEveryRowAndColumnOnce) {
  for (const int cells : {1, 27, 28, 29, 1024}) {
    for (const int rows : {1, 5, 6, 13, 1021}) {
      for (const int resident : {1, 100, 1584}) {
        for (const int planes : {1, 6}) {
          const PlanePlan plan = plane_plan(cells, rows, resident, planes);
          EXPECT_GE(plan.strips * plane_columns, cells);
          EXPECT_LT((plan.strips - 1) * plane_columns, cells);
          EXPECT_EQ(plan.chunks.whole + plan.chunks.rest, plan.strips * planes);
          EXPECT_GE(plan.chunks.chunks * plan.chunks.chunk, rows);
          EXPECT_LT((plan.chunks.chunks - 1) * plan.chunks.chunk, rows);
        }
      }
    }
  }
}

// 37 strips of a plane of 1024 rows: one round of 42 chunks holds 1554 warps of 1584, which no
// other number of chunks beats.
TEST(PlanePlan, FillsTheDeviceInOneRound) {
  const PlanePlan plan = plane_plan(1024, 1024, 1584);
  EXPECT_EQ(plan.strips, 37);
  EXPECT_LE(plan.chunks.pieces(), 1584);
  for (int n = 1; n <= 170; ++n) {
    ChunkPlan other = plan.chunks;
    other.chunk = (1024 + n - 1) / n;
    other.chunks = (1024 + other.chunk - 1) / other.chunk;
    EXPECT_GE(march_cost(other, 1024, 1584), 0.999 * march_cost(plan.chunks, 1024, 1584)) << n;
  }
}
