// Shares of ranks: whole blocks, the same on every call, cut only when asked.
#include <gtest/gtest.h>

#include <numeric>

#include "core/error.hpp"
#include "mesh/curvilinear/connect.hpp"
#include "mesh/curvilinear/distribute.hpp"
#include "mesh/generators/glider15.hpp"
#include "mesh/generators/wavybox.hpp"
#include "meshes.hpp"

namespace watersmeet::mesh {
namespace {

MultiBlockMesh of_sizes(const std::vector<std::int64_t>& nodes) {
  MultiBlockMesh mesh;
  for (const std::int64_t n : nodes) mesh.blocks.push_back(box_block({n, 2, 1}, {0, 0, 0}));
  return mesh;
}

TEST(Distribute, FromTheLargestBlockDown) {
  // Of 5, 7, 4, 9, 6, 5 (times 2): 9 -> 0, 7 -> 1, 6 -> 2, 5 -> 2, 5 -> 1, 4 -> 0: 13, 12, 11.
  const Distribution d = distribute(of_sizes({5, 7, 4, 9, 6, 5}), 3, "m");
  EXPECT_EQ(d.rank, (std::vector<int>{2, 1, 0, 0, 2, 1}));
  EXPECT_EQ(d.nodes, (std::vector<std::int64_t>{26, 24, 22}));
  EXPECT_NEAR(d.balance(), 24.0 / 26, 1e-15);
}

TEST(Distribute, EqualBlocksGoRound) {
  const Distribution d = distribute(of_sizes({4, 4, 4, 4}), 4, "m");
  EXPECT_EQ(d.rank, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(d.balance(), 1);
  EXPECT_EQ(distribute(of_sizes({4, 9}), 1, "m").rank, (std::vector<int>{0, 0}));
}

TEST(Distribute, MoreRanksThanBlocksAreRefusedWithTheWayOut) {
  try {
    distribute(of_sizes({4, 4, 4}), 5, "foil.toml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::user_input);
    EXPECT_TRUE(says({error.what()}, {"5 ranks share the 3 blocks of foil.toml", "at most 3",
                                      "watersmeet mesh foil.toml --shares 5 --output NAME"}));
  }
}

TEST(Distribute, TheVehicleFeedsFourRanksWithoutACut) {
  const MultiBlockMesh mesh = make_glider15({.size = "720k"});
  const Distribution d = distribute(mesh, 4, "glider15");
  EXPECT_EQ(std::accumulate(d.nodes.begin(), d.nodes.end(), std::int64_t{0}), 720000);
  EXPECT_GT(d.balance(), 0.95);
}

TEST(Distribute, CutsUntilTheSharesAreEqual) {
  MultiBlockMesh mesh;
  mesh.blocks = {box_block({65, 33, 17}, {0, 0, 0}), box_block({17, 33, 17}, {64, 0, 0})};
  reorient(mesh, 1, {{1, 2, 0}, {1, 1, 1}});
  ASSERT_TRUE(connect(mesh).empty());
  close_faces(mesh);
  EXPECT_LT(distribute(mesh, 2, "m").balance(), 0.7);
  for (const int ranks : {1, 2, 4, 6}) {
    const SplitMesh cut = split_for_ranks(mesh, ranks);
    EXPECT_EQ(joined(validate(cut.mesh)), "");
    EXPECT_EQ(cut.mesh.cell_count(), mesh.cell_count());
    EXPECT_GE(distribute(cut.mesh, ranks, "m").balance(), 0.9) << ranks;
    EXPECT_EQ(cut.mesh.blocks.size() == 2, ranks == 1);
    for (const CurvilinearBlock& block : cut.mesh.blocks) {
      for (int a = 0; a < 3; ++a) {
        EXPECT_GE(block.n[a], 9);
        EXPECT_EQ((block.n[a] - 1) % 8, 0);  // cut where coarse levels stay regular
      }
    }
  }
}

TEST(Distribute, ThinBlocksAreNotCutAnyThinner) {
  MultiBlockMesh mesh;
  mesh.blocks = {box_block({16, 16, 16}, {0, 0, 0})};
  close_faces(mesh);
  EXPECT_EQ(split_for_ranks(mesh, 4).mesh.blocks.size(), 1u);
  mesh.blocks = {box_block({17, 16, 16}, {0, 0, 0})};
  mesh.patches.clear();
  close_faces(mesh);
  EXPECT_EQ(split_for_ranks(mesh, 4).mesh.blocks.size(), 2u);
}

}  // namespace
}  // namespace watersmeet::mesh
