// Blocks over ranks: whole, in order, the largest rank as small as possible; places of nodes.
#include "mesh/curvilinear/share_blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "unit/curvilinear/meshes.hpp"

namespace watersmeet::mesh {
namespace {

MultiBlockMesh row_of(const std::vector<std::int64_t>& nodes) {
  MultiBlockMesh mesh;
  for (const std::int64_t n : nodes) mesh.blocks.push_back(box_block({n, 1, 1}, {0, 0, 0}));
  return mesh;
}

std::int64_t largest_of(const Shares& shares) {
  std::int64_t largest = 0;
  for (const Part& part : shares.parts) largest = std::max(largest, part.box.count());
  return largest;
}

// Every way to put r - 1 borders between the blocks.
std::int64_t least_largest(const std::vector<std::int64_t>& nodes, std::size_t first, int ranks) {
  if (first == nodes.size()) return 0;
  std::int64_t best = std::int64_t{1} << 60, sum = 0;
  for (std::size_t b = first; b < nodes.size(); ++b) {
    sum += nodes[b];
    if (ranks == 1 && b + 1 < nodes.size()) continue;
    best = std::min(best, std::max(sum, least_largest(nodes, b + 1, ranks - 1)));
  }
  return best;
}

TEST(ShareBlocks, MakesTheLargestRankAsSmallAsItCan) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 30; ++trial) {
    std::vector<std::int64_t> nodes(1 + random() % 9);
    for (std::int64_t& n : nodes) n = 2 + static_cast<std::int64_t>(random() % 40);
    const MultiBlockMesh mesh = row_of(nodes);
    for (const int ranks : {1, 2, 3, 5, 12}) {
      const Shares shares = share_blocks(mesh, ranks);
      EXPECT_EQ(largest_of(shares), least_largest(nodes, 0, ranks)) << trial << " " << ranks;
      std::int64_t end = 0;
      for (std::size_t p = 0; p < shares.parts.size(); ++p) {
        EXPECT_EQ(shares.parts[p].rank, static_cast<int>(p));
        EXPECT_EQ(shares.parts[p].box.lower[0], end);
        end = shares.parts[p].box.upper[0];
        EXPECT_LT(shares.parts[p].box.lower[0], end);
      }
      EXPECT_EQ(end, mesh.node_count());
      const std::vector<int> of = ranks_of_blocks(mesh, shares.parts);
      EXPECT_TRUE(std::is_sorted(of.begin(), of.end()));
      EXPECT_EQ(shares.remarks.empty(), static_cast<int>(shares.parts.size()) == ranks);
    }
  }
}

TEST(ShareBlocks, SaysWhyRanksAreLeftOut) {
  const Shares shares = share_blocks(row_of({100, 10, 10}), 3);
  ASSERT_EQ(shares.parts.size(), 2u);
  ASSERT_EQ(shares.remarks.size(), 1u);
  EXPECT_NE(shares.remarks[0].find("83 %"), std::string::npos) << shares.remarks[0];
  EXPECT_NE(shares.remarks[0].find("--shares 3"), std::string::npos) << shares.remarks[0];
}

TEST(ShareBlocks, FindsThePlaceOfANode) {
  MultiBlockMesh mesh;
  mesh.blocks = {box_block({3, 2, 1}, {0, 0, 0}), box_block({2, 3, 2}, {10, 0, 0})};
  EXPECT_EQ(place_of(mesh, 5).node, (Index3{2, 1, 0}));
  const NodePlace place = place_of(mesh, 6 + 2 * 3 + 2 * 1 + 1);
  EXPECT_EQ(place.block, 1);
  EXPECT_EQ(place.node, (Index3{1, 1, 1}));
  EXPECT_EQ(place.x, (Real3{11, 1, 1}));
  EXPECT_EQ(place_text(mesh, 15), "block 1, node (1, 1, 1) of 2 x 3 x 2, (x, y, z) = (11, 1, 1)");
  EXPECT_EQ(size_text(mesh), "2 blocks, 18 nodes");
}

}  // namespace
}  // namespace watersmeet::mesh
