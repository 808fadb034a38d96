// Gathered stencils of the node form against node_rates(), and the bricks that the direct schedule
// deals nodes by.
#include "exec/node_gather.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "exec/node_tiles.hpp"
#include "support/cubes.hpp"
#include "support/toy_scheme.hpp"

using namespace watersmeet;

namespace node_gather_test {

namespace {

using test::Toy;

exec::NodeBlock block_of(const Index3& n, int order) {
  exec::NodeBlock b;
  for (std::size_t a = 0; a < 3; ++a) {
    b.n[a] = static_cast<int>(n[a]);
    b.order[a] = n[a] == 1 ? 0 : order;
  }
  return b;
}

// `thin`: a direction of order 2, or none.
template <int order>
void expect_rates_of_node_rates(const Index3& n, int thin = -1) {
  exec::NodeBlock block = block_of(n, order);
  if (thin >= 0) block.order[thin] = 2;
  constexpr int any = 0;  // node_rates with the order of each direction
  const std::int64_t nodes = n[0] * n[1] * n[2];
  const test::ToyNodes random(nodes, 3);
  const exec::NodeArrays<double> arrays = random.arrays();
  const auto operators = exec::node_operators(schemes::sbp6_accurate);
  test::for_each_point(block, [&](const exec::NodePoint& p) {
    // Rates are some hundred, and sums of some ten terms of that size.
    constexpr double rounding = 1e-12;
    const auto direct = exec::node_rates<any, double>(arrays, p, operators, Toy{}, {});
    double largest = 0;
    const auto gathered = exec::gathered_rates<order>(arrays, p, operators, Toy{}, {}, &largest);
    for (int v = 0; v < 2; ++v) {
      ASSERT_NEAR(gathered.flux[v], direct.flux[v], rounding);
      ASSERT_NEAR(gathered.dissipation[v], direct.dissipation[v], rounding);
    }
    ASSERT_NEAR(largest, test::largest_radii(arrays, p), rounding);
    const auto fluxes =
        exec::gathered_rates<order>(arrays, p, operators, Toy{}, {true, false}, &largest);
    for (int v = 0; v < 2; ++v) {
      ASSERT_EQ(fluxes.flux[v], gathered.flux[v]);
      ASSERT_EQ(fluxes.dissipation[v], 0);
    }
  });
}

// From the thinnest blocks on.
template <int order>
void expect_all(std::int64_t least) {
  for (std::int64_t n = least; n < least + 6; ++n) {
    expect_rates_of_node_rates<order>({n, least + 1, least});
    expect_rates_of_node_rates<order>({least, n, n + 7});
  }
  expect_rates_of_node_rates<order>({least + 9, least + 3, 1});
}

}  // namespace

TEST(NodeGather, RatesAreThoseOfNodeRates) {
  expect_all<1>(2);
  expect_all<2>(3);
  expect_all<3>(8);
  expect_all<5>(12);
  for (int thin = 0; thin < 3; ++thin) {
    Index3 n{9, 10, 8};
    n[static_cast<std::size_t>(thin)] = 5;
    expect_rates_of_node_rates<3>(n, thin);
  }
}

TEST(NodeGather, OrdersThatAreServed) {
  exec::NodeBlock b = block_of({9, 9, 9}, 3);
  EXPECT_EQ(exec::gathered_order({&b, 1}), 3);
  b.order[1] = 2;
  EXPECT_EQ(exec::gathered_order({&b, 1}), 3);
  b.order[2] = 1;
  EXPECT_EQ(exec::gathered_order({&b, 1}), 0);
  b = block_of({9, 9, 1}, 2);
  EXPECT_EQ(exec::gathered_order({&b, 1}), 2);
  b = block_of({20, 20, 1}, 4);
  EXPECT_EQ(exec::gathered_order({&b, 1}), 0);
}

TEST(NodeTiles, EveryNodeFallsToOneThread) {
  for (const Index3& n : std::vector<Index3>{{129, 129, 97},
                                             {257, 129, 1},
                                             {3, 5, 70},
                                             {1, 1, 1},
                                             {700, 2, 1},
                                             {17, 1, 1},
                                             {9, 9, 9},
                                             {2, 300, 3}}) {
    const std::vector<exec::NodeBlock> blocks{block_of({2, 2, 2}, 1), block_of(n, 1)};
    for (const int threads : {96, 128, 256, exec::largest_node_tile}) {
      std::vector<int> visits(static_cast<std::size_t>(n[0] * n[1] * n[2]), 0);
      std::size_t tiles = 0;
      for (const exec::NodeTile& tile : exec::node_tiles(blocks, false, threads)) {
        if (tile.block == 0) continue;
        ++tiles;
        for (int t = 0; t < threads; ++t) {
          int index[3];
          if (!exec::node_of_tile(tile, t, index)) continue;
          for (std::size_t a = 0; a < 3; ++a) ASSERT_LT(index[a], n[a]);
          ++visits[static_cast<std::size_t>(index[0] + n[0] * (index[1] + n[1] * index[2]))];
        }
      }
      for (const int v : visits) ASSERT_EQ(v, 1) << threads;
      // No fewer than three threads of four have a node where there are many.
      if (visits.size() > 10000) {
        EXPECT_GT(static_cast<double>(visits.size()), 0.75 * static_cast<double>(tiles) * threads);
      }
    }
  }
}

// Every node on faces is listed once, by the tile and thread that it falls to and with its entries.
TEST(NodeTiles, NodesOnFacesAreListedWithTheirThreads) {
  std::vector<exec::NodeBlock> blocks{block_of({7, 9, 5}, 1), block_of({40, 33, 1}, 1)};
  blocks[1].first = 7 * 9 * 5;
  for (const int threads : {96, 128, 512}) {
    std::vector<exec::NodeTile> tiles = exec::node_tiles(blocks, false, threads);
    const auto listed = exec::face_nodes(blocks, tiles, [](std::int64_t node) {
      return std::pair{static_cast<int>(3 * node), static_cast<int>(3 * node + 2)};
    });
    std::vector<int> visits(7 * 9 * 5 + 40 * 33, 0);
    for (const exec::NodeTile& tile : tiles) {
      for (int s = tile.first_side; s < tile.first_side + tile.sides; ++s) {
        const exec::FaceNode& side = listed[static_cast<std::size_t>(s)];
        int index[3];
        ASSERT_TRUE(exec::node_of_tile(tile, side.thread, index));
        const auto p = exec::node_point(&blocks[static_cast<std::size_t>(tile.block)], index[0],
                                        index[1], index[2]);
        EXPECT_TRUE(p.on_face());
        EXPECT_EQ(side.first, 3 * p.node);
        EXPECT_EQ(side.last, 3 * p.node + 2);
        ++visits[static_cast<std::size_t>(p.node)];
      }
    }
    // 5 x 7 x 3 of 7 x 9 x 5 nodes lie inside, and 38 x 31 of 40 x 33 in a plane.
    EXPECT_EQ(listed.size(), std::size_t{7 * 9 * 5 - 5 * 7 * 3 + 40 * 33 - 38 * 31});
    for (const int v : visits) EXPECT_LE(v, 1);
  }
}

}  // namespace node_gather_test
