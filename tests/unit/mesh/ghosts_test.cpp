// Ghost plans against truths that know no links: indices modulo the size in a periodic box,
// positions in space for blocks turned in all 48 ways and for random decompositions.
#include "mesh/ghosts.hpp"

#include <gtest/gtest.h>

#include <random>

#include "ghost_judge.hpp"
#include "mesh/box.hpp"

namespace watersmeet::mesh {
namespace {

TEST(Ghosts, BigPeriodicBoxTakes26Copies) {
  const Mesh mesh = make_box({16, 12, 10}, {0, 0, 0}, {1, 1, 1}, {true, true, true});
  EXPECT_EQ(plan_ghosts(mesh, 3, GhostReach::faces).copies.size(), 6u);
  EXPECT_EQ(plan_ghosts(mesh, 3, GhostReach::edges).copies.size(), 18u);
  const GhostPlan plan = plan_ghosts(mesh, 3, GhostReach::corners);
  EXPECT_EQ(plan.copies.size(), 26u);
  EXPECT_TRUE(plan.absent.empty());
  EXPECT_TRUE(plan.open.empty());
}

TEST(Ghosts, DegenerateAxesGetNone) {
  const Mesh mesh = make_box({16, 1, 10}, {0, 0, 0}, {1, 1, 1}, {true, true, true});
  const GhostPlan plan = plan_ghosts(mesh, 3, GhostReach::corners);
  EXPECT_EQ(plan.copies.size(), 8u);
  for (const GhostCopy& copy : plan.copies) EXPECT_EQ(copy.dst.size(1), 1);
}

TEST(Ghosts, PeriodicBoxesOfAnySizeAreIndicesModuloTheSize) {
  const std::array<std::int64_t, 6> sizes{1, 2, 3, 4, 5, 7};
  const std::int64_t g = 3;
  const std::vector<Index3> width{{g, g, g}};
  for (const std::int64_t nx : sizes)
    for (const std::int64_t ny : sizes)
      for (const std::int64_t nz : sizes) {
        const Index3 n{nx, ny, nz};
        const Mesh mesh = make_box(n, {0, 0, 0}, {1, 1, 1}, {true, true, true});
        const GhostPlan plan = plan_ghosts(mesh, width, GhostReach::corners);
        ASSERT_TRUE(plan.absent.empty() && plan.open.empty());
        BlockArray filled(n, width[0], 0.0);
        for (const GhostCopy& copy : plan.copies) {
          for_each_index(copy.dst, [&](const Index3& index) {
            Index3 expected{};
            for (int a = 0; a < 3; ++a) expected[a] = (index[a] + 3 * n[a]) % n[a];
            ASSERT_EQ(copy.map(index).index, expected);
            filled[index] += 1;
          });
        }
        for_each_index({{-g, -g, -g}, {nx + g, ny + g, nz + g}}, [&](const Index3& index) {
          ASSERT_EQ(filled[index], axes_outside(index, n) > 0 ? 1 : 0);
        });
      }
}

TEST(Ghosts, BoxWithWallsLeavesTheRegionsBehindThemOpen) {
  const Mesh mesh = make_box({8, 6, 5}, {0, 0, 0}, {1, 1, 1}, {true, false, true});
  const GhostPlan plan = plan_ghosts(mesh, 2, GhostReach::corners);
  EXPECT_EQ(plan.copies.size(), 8u);
  EXPECT_TRUE(plan.absent.empty());
  EXPECT_EQ(plan.open.size(), 18u);
  for (const GhostRegion& region : plan.open) {
    EXPECT_TRUE(region.box.upper[1] <= 0 || region.box.lower[1] >= 6);
  }
}

// Block 0 as it is, block 1 next to it along each axis in each of the 48 orientations.
PlacedMesh two_blocks(int axis, int orientation, bool periodic) {
  PlacedMesh world;
  const Index3 n{3, 4, 5};
  Box beside{{0, 0, 0}, n};
  beside.lower[axis] = n[axis];
  beside.upper[axis] = n[axis] + 2;
  world.placed = {{{{0, 0, 0}, n}, {}}, {beside, Orientation::from_index(orientation)}};
  if (periodic) world.period = beside.upper;
  return world;
}

TEST(Ghosts, TwoPeriodicBlocksAgreeInAll48Orientations) {
  for (int axis = 0; axis < 3; ++axis)
    for (int o = 0; o < 48; ++o) {
      const PlacedMesh world = two_blocks(axis, o, true);
      const Mesh mesh = world.mesh();
      // Different numbers of layers along each axis; deeper than block 1 is thick along x.
      const std::vector<Index3> width{{3, 1, 2}, {2, 3, 1}};
      const GhostPlan plan = plan_ghosts(mesh, width, GhostReach::corners);
      ASSERT_TRUE(plan.absent.empty() && plan.open.empty());
      expect_positions_agree(world, mesh, plan, width, 3);
      expect_values_agree(world, plan, width);
      if (HasFatalFailure()) return;
    }
}

TEST(Ghosts, TwoBlocksJoinedAtOneFaceOnlyFillThatFace) {
  for (int axis = 0; axis < 3; ++axis)
    for (int o = 0; o < 48; ++o) {
      const PlacedMesh world = two_blocks(axis, o, false);
      const Mesh mesh = world.mesh();
      const std::vector<Index3> width{{2, 2, 2}, {2, 2, 2}};
      const GhostPlan plan = plan_ghosts(mesh, width, GhostReach::corners);
      ASSERT_EQ(plan.copies.size(), 2u);
      ASSERT_TRUE(plan.absent.empty());
      ASSERT_EQ(plan.open.size(), 50u);
      expect_positions_agree(world, mesh, plan, width, 3);
      expect_values_agree(world, plan, width);
      if (HasFatalFailure()) return;
    }
}

void expect_decomposition_is_invisible(const std::vector<Box>& parts, const Index3& n, bool turned,
                                       std::mt19937& random) {
  PlacedMesh world;
  world.period = n;
  for (const Box& part : parts) {
    const int o = turned ? static_cast<int>(random() % 48) : 0;
    world.placed.push_back({part, Orientation::from_index(o)});
  }
  const Mesh mesh = world.mesh();
  std::vector<Index3> width;
  for (std::size_t b = 0; b < parts.size(); ++b) {
    width.push_back(mesh.block(static_cast<int>(b)).ghosts(3));
    for (int a = 0; a < 3; ++a) {
      // Whether an axis is degenerate is a matter of the whole box, not of how it was cut.
      ASSERT_EQ(width[b][a], n[world.placed[b].orientation.axis[a]] == 1 ? 0 : 3);
    }
  }
  const GhostPlan plan = plan_ghosts(mesh, 3, GhostReach::corners);
  ASSERT_TRUE(plan.absent.empty() && plan.open.empty());
  expect_positions_agree(world, mesh, plan, width, 3);
  expect_values_agree(world, plan, width);
}

TEST(Ghosts, DecomposedBoxGivesTheAnswerOfOneBlock) {
  std::mt19937 random(1);
  const Index3 n{7, 8, 6};
  for (const bool turned : {false, true}) {
    expect_decomposition_is_invisible(regular_parts({{{0, 3, 7}, {0, 5, 8}, {0, 6}}}), n, turned,
                                      random);
    expect_decomposition_is_invisible(regular_parts({{{0, 1, 3, 7}, {0, 8}, {0, 2, 6}}}), n, turned,
                                      random);
    expect_decomposition_is_invisible(regular_parts({{{0, 2, 3, 4}, {0, 1, 2}, {0, 1}}}), {4, 2, 1},
                                      turned, random);
  }
}

TEST(Ghosts, RandomDecompositionsWithHangingSeamsGiveTheAnswerOfOneBlock) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 24; ++trial) {
    const Index3 n{4 + trial % 5, 3 + trial % 4, 1 + trial % 6};
    const int n_parts = 2 + trial % 7;
    expect_decomposition_is_invisible(random_parts({{0, 0, 0}, n}, n_parts, random), n,
                                      trial % 2 == 1, random);
    if (HasFatalFailure()) FAIL() << "in trial " << trial;
  }
}

TEST(Ghosts, ReachSelectsFacesAndEdges) {
  PlacedMesh world = two_blocks(0, 29, true);
  const Mesh mesh = world.mesh();
  const std::vector<Index3> width{{2, 2, 2}, {2, 2, 2}};
  for (const GhostReach reach : {GhostReach::faces, GhostReach::edges, GhostReach::corners}) {
    const GhostPlan plan = plan_ghosts(mesh, width, reach);
    const int most_axes = 1 + static_cast<int>(reach);
    BlockArray filled(mesh.block(1).n, width[1], 0.0);
    for (const GhostCopy& copy : plan.copies) {
      if (copy.dst_block != 1) continue;
      for_each_index(copy.dst, [&](const Index3& index) { filled[index] += 1; });
    }
    Box box = filled.box;
    for (int a = 0; a < 3; ++a) --box.upper[a];
    for_each_index(box, [&](const Index3& index) {
      const int axes = axes_outside(index, mesh.block(1).n);
      ASSERT_EQ(filled[index], axes > 0 && axes <= most_axes ? 1 : 0);
    });
  }
}

TEST(Ghosts, ManyBlocksNeedFewCopiesEach) {
  PlacedMesh world;
  world.period = {32, 32, 32};
  const std::vector<std::int64_t> cuts{0, 8, 16, 24, 32};
  for (const Box& part : regular_parts({cuts, cuts, cuts})) world.placed.push_back({part, {}});
  const GhostPlan plan = plan_ghosts(world.mesh(), 3, GhostReach::corners);
  EXPECT_EQ(plan.copies.size(), 64u * 26u);
}

// Beyond two thin blocks side by side lies one block: one copy, not two.
TEST(Ghosts, WhatCanBeOneCopyIsOne) {
  PlacedMesh world;
  world.placed = {{{{0, 0, 0}, {4, 4, 1}}, {}},
                  {{{4, 0, 0}, {5, 2, 1}}, {}},
                  {{{4, 2, 0}, {5, 4, 1}}, {}},
                  {{{5, 0, 0}, {9, 4, 1}}, {}}};
  const GhostPlan plan = plan_ghosts(world.mesh(), 3, GhostReach::faces);
  std::vector<Box> from_last;
  for (const GhostCopy& copy : plan.copies) {
    if (copy.dst_block == 0 && copy.src_block == 3) from_last.push_back(copy.dst);
  }
  EXPECT_EQ(from_last, (std::vector<Box>{{{5, 0, 0}, {7, 4, 1}}}));
}

}  // namespace
}  // namespace watersmeet::mesh
