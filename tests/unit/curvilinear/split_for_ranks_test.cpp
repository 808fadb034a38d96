// Shares of ranks: whole blocks, the same on every call, cut only when asked.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "mesh/curvilinear/connect.hpp"
#include "mesh/curvilinear/share_blocks.hpp"
#include "mesh/curvilinear/split_for_ranks.hpp"
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

std::vector<std::int64_t> shares_of(const MultiBlockMesh& mesh, int ranks) {
  return nodes_of_ranks(share_blocks(mesh, ranks), ranks);
}

// The least largest share when the first `blocks` blocks go in order to that many ranks, by trying
// where the last rank begins.
std::int64_t least_largest(const MultiBlockMesh& mesh, std::size_t blocks, int ranks) {
  std::int64_t last = 0, best = std::numeric_limits<std::int64_t>::max();
  for (std::size_t b = blocks; b-- > 0;) {
    last += mesh.blocks[b].count();
    const std::int64_t others = ranks > 1 && b > 0 ? least_largest(mesh, b, ranks - 1) : 0;
    if (ranks > 1 || b == 0) best = std::min(best, std::max(last, others));
  }
  return best;
}

TEST(SplitForRanks, SharesGoInTheOrderOfTheBlocks) {
  // The best cut of 5, 7, 4, 9, 6, 5 (times 2) is 5 + 7, 4 + 9, 6 + 5.
  const std::vector<std::int64_t> nodes = shares_of(of_sizes({5, 7, 4, 9, 6, 5}), 3);
  EXPECT_EQ(nodes, (std::vector<std::int64_t>{24, 26, 22}));
  EXPECT_NEAR(balance(nodes), 24.0 / 26, 1e-15);
  EXPECT_EQ(balance(shares_of(of_sizes({4, 4, 4, 4}), 4)), 1);
  EXPECT_EQ(shares_of(of_sizes({4, 9}), 1), (std::vector<std::int64_t>{26}));
}

TEST(SplitForRanks, RanksWithoutABlockHaveNoNodes) {
  const std::vector<std::int64_t> nodes = shares_of(of_sizes({4, 4, 4}), 5);
  EXPECT_EQ(nodes, (std::vector<std::int64_t>{8, 8, 8, 0, 0}));
  EXPECT_NEAR(balance(nodes), 3.0 / 5, 1e-15);
}

TEST(SplitForRanks, NoOrderlySharesOfTheVehicleAreBetter) {
  const MultiBlockMesh mesh = make_glider15({.size = "720k"});
  for (const int ranks : {2, 3, 4}) {
    const std::vector<std::int64_t> nodes = shares_of(mesh, ranks);
    EXPECT_EQ(std::accumulate(nodes.begin(), nodes.end(), std::int64_t{0}), 720000);
    EXPECT_EQ(*std::max_element(nodes.begin(), nodes.end()),
              least_largest(mesh, mesh.blocks.size(), ranks));
  }
}

TEST(SplitForRanks, CutsUntilTheSharesAreEqual) {
  MultiBlockMesh mesh;
  mesh.blocks = {box_block({65, 33, 17}, {0, 0, 0}), box_block({17, 33, 17}, {64, 0, 0})};
  reorient(mesh, 1, {{1, 2, 0}, {1, 1, 1}});
  ASSERT_TRUE(connect(mesh).empty());
  close_faces(mesh);
  EXPECT_LT(balance(shares_of(mesh, 2)), 0.7);
  for (const int ranks : {1, 2, 4, 6}) {
    const SplitMesh cut = split_for_ranks(mesh, ranks);
    EXPECT_EQ(joined(validate(cut.mesh)), "");
    EXPECT_EQ(cut.mesh.cell_count(), mesh.cell_count());
    EXPECT_GE(balance(shares_of(cut.mesh, ranks)), 0.9) << ranks;
    EXPECT_EQ(cut.mesh.blocks.size() == 2, ranks == 1);
    for (const CurvilinearBlock& block : cut.mesh.blocks) {
      for (int a = 0; a < 3; ++a) {
        EXPECT_GE(block.n[a], 9);
        EXPECT_EQ((block.n[a] - 1) % 8, 0);  // cut where coarse levels stay regular
      }
    }
  }
}

TEST(SplitForRanks, ThinBlocksAreNotCutAnyThinner) {
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
