// The marching schedule of the node form on the CPU, the threads of a thread block one after the
// other, against node_rates(); and how columns are dealt to threads and thread blocks.
#include "exec/node_march.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/cubes.hpp"
#include "support/march.hpp"
#include "support/toy_scheme.hpp"

using namespace watersmeet;

namespace {

// The toy scheme with what its flux and radius share.
struct MarchToy : test::Toy {
  struct Values {
    Vec<double, 2> w;
  };
  static Values values_of(const Vec<double, 2>& w) { return {w}; }
  using test::Toy::flux;
  using test::Toy::radius;
  static Vec<double, 2> flux(const Values& at, const Vec<double, 3>& area) {
    return test::Toy::flux(at.w, area);
  }
  static double radius(const Values& at, const Vec<double, 3>& area) {
    return test::Toy::radius(at.w, area);
  }
};

exec::NodeBlock block_of(const Index3& n, std::int64_t first) {
  exec::NodeBlock b;
  b.first = first;
  for (std::size_t a = 0; a < 3; ++a) {
    b.n[a] = static_cast<int>(n[a]);
    b.order[a] = 1;
  }
  return b;
}

std::vector<exec::NodeBlock> pool_of(const std::vector<Index3>& shapes) {
  std::vector<exec::NodeBlock> blocks;
  std::int64_t first = 0;
  int on_faces = 0;
  for (const Index3& n : shapes) {
    exec::NodeBlock& block = blocks.emplace_back(block_of(n, first));
    exec::number_faces(block, on_faces);
    first += n[0] * n[1] * n[2];
    on_faces += exec::face_nodes_of(block);
  }
  return blocks;
}

std::int64_t nodes_of(const std::vector<exec::NodeBlock>& blocks) {
  const exec::NodeBlock& last = blocks.back();
  return last.first + std::int64_t{last.n[0]} * last.n[1] * last.n[2];
}

void expect_rates_of_node_rates(const std::vector<Index3>& shapes, int count) {
  const std::vector<exec::NodeBlock> blocks = pool_of(shapes);
  const std::int64_t nodes = nodes_of(blocks);
  const test::ToyNodes random(nodes, 5);
  const exec::NodeArrays<double> arrays = random.arrays();
  const auto operators = exec::node_operators(schemes::sbp6_accurate);
  const auto all = test::march<exec::MarchParts::radii>(blocks, arrays, MarchToy{}, nodes, count);
  const auto without =
      test::march<exec::MarchParts::dissipation>(blocks, arrays, MarchToy{}, nodes, count);
  const auto fluxes =
      test::march<exec::MarchParts::fluxes>(blocks, arrays, MarchToy{}, nodes, count);
  // Rates are some ten, and sums of some ten terms of that size.
  constexpr double rounding = 1e-13;
  for (const exec::NodeBlock& block : blocks) {
    test::for_each_point(block, [&](const exec::NodePoint& p) {
      const auto at = static_cast<std::size_t>(p.node);
      ASSERT_EQ(all.visits[at], 1) << p.index[0] << ' ' << p.index[1] << ' ' << p.index[2];
      ASSERT_EQ(fluxes.visits[at], 1);
      ASSERT_EQ(all.faces[at], exec::face_number(p));
      const auto direct = exec::node_rates<0, double>(arrays, p, operators, test::Toy{}, {});
      for (int v = 0; v < 2; ++v) {
        ASSERT_NEAR(all.rates[at].flux[v], direct.flux[v], rounding);
        ASSERT_NEAR(all.rates[at].dissipation[v], direct.dissipation[v], rounding);
        ASSERT_EQ(without.rates[at].flux[v], all.rates[at].flux[v]);
        ASSERT_EQ(without.rates[at].dissipation[v], all.rates[at].dissipation[v]);
        ASSERT_EQ(fluxes.rates[at].flux[v], all.rates[at].flux[v]);
        ASSERT_EQ(fluxes.rates[at].dissipation[v], 0);
      }
      ASSERT_NEAR(all.largest[at], test::largest_radii(arrays, p), rounding);
    });
  }
}

}  // namespace

// Blocks in one tile and in several along each direction, thin ones, and thread blocks that begin
// and end at planes of any tile.
TEST(NodeMarch, RatesAreThoseOfNodeRates) {
  for (const int count : {1, 3, 16}) {
    expect_rates_of_node_rates({{5, 4, 6}}, count);
    expect_rates_of_node_rates({{2, 2, 2}, {7, 2, 3}, {2, 9, 2}}, count);
    expect_rates_of_node_rates({{37, 19, 5}, {3, 40, 11}}, count);
    expect_rates_of_node_rates({{300, 3, 4}, {2, 300, 3}}, count);
  }
}

TEST(NodeMarch, BlocksThatAreServed) {
  EXPECT_TRUE(exec::can_march(pool_of({{5, 4, 6}, {2, 2, 2}})));
  std::vector<exec::NodeBlock> blocks = pool_of({{5, 4, 6}, {5, 5, 1}});
  blocks[1].order[2] = 0;
  EXPECT_FALSE(exec::can_march(blocks));
  blocks[1].order[2] = 2;
  EXPECT_FALSE(exec::can_march(blocks));
  EXPECT_FALSE(exec::can_march({}));
  blocks = pool_of({{2, 2, 2}, {65535, 3, 2}});
  EXPECT_TRUE(exec::can_march(blocks));
  blocks[1].n[1] = 65536;
  EXPECT_FALSE(exec::can_march(blocks));
  blocks = pool_of({{1024, 1024, 512}});
  EXPECT_TRUE(exec::can_march(blocks));
  blocks[0].first = 1;
  EXPECT_FALSE(exec::can_march(blocks));
}

// Every column of every plane belongs to one thread of one thread block, and no tile has more
// columns, or more of them beside, than there is room for.
TEST(NodeMarch, EveryNodeFallsToOneThread) {
  for (const Index3& n : std::vector<Index3>{{63, 50, 64},
                                             {129, 129, 97},
                                             {2, 2, 2},
                                             {3, 700, 5},
                                             {700, 3, 5},
                                             {16, 16, 40},
                                             {256, 2, 7},
                                             {257, 2, 7}}) {
    const std::vector<exec::NodeBlock> blocks = pool_of({{4, 5, 3}, n});
    const exec::MarchPlan plan = exec::march_plan(blocks);
    for (const int count : {1, 7, 264}) {
      std::vector<int> visits(static_cast<std::size_t>(nodes_of(blocks)), 0);
      for (int number = 0; number < count; ++number) {
        const std::int64_t begin = exec::march_share(plan.work, number, count);
        const std::int64_t end = exec::march_share(plan.work, number + 1, count);
        for (const exec::MarchTile& tile : plan.tiles) {
          const exec::NodeBlock& block = blocks[static_cast<std::size_t>(tile.block)];
          for (int k = tile.plane_at(begin); k < tile.plane_at(end); ++k) {
            for (int j = 0; j < tile.size[1]; ++j) {
              for (int i = 0; i < tile.size[0]; ++i) {
                const auto p = exec::node_point(&block, tile.first[0] + i, tile.first[1] + j, k);
                ++visits[static_cast<std::size_t>(p.node)];
              }
            }
          }
        }
      }
      for (const int v : visits) ASSERT_EQ(v, 1) << n[0] << " x " << n[1] << ", " << count;
    }
    for (const exec::MarchTile& tile : plan.tiles) {
      const exec::NodeBlock& block = blocks[static_cast<std::size_t>(tile.block)];
      EXPECT_LE(tile.size[0] * tile.size[1], exec::march_threads);
      int beside = 0;
      for (int a = 0; a < 2; ++a) {
        const int sides = (tile.first[a] > 0) + (tile.first[a] + tile.size[a] < block.n[a]);
        beside += sides * tile.size[1 - a];
      }
      EXPECT_LE(beside, exec::march_beside) << n[0] << " x " << n[1];
    }
    // No fewer than three threads of four have a node where there are many.
    if (n[0] * n[1] * n[2] > 100000) {
      EXPECT_GT(double(n[0]) * double(n[1]),
                0.75 * exec::march_threads * double(plan.tiles.size() - 1));
    }
  }
}

// Nor has any thread block much more to do than others, beginnings with tiles included: blocks of a
// few planes among long ones.
TEST(NodeMarch, SharesCostTheSame) {
  const exec::MarchPlan plan = exec::march_plan(
      pool_of({{63, 32, 64}, {32, 50, 64}, {32, 63, 5}, {63, 50, 64}, {20, 8, 3}}));
  for (const int count : {24, 132}) {
    for (int number = 0; number < count; ++number) {
      std::int64_t cost = 0, dearest = 0;
      for (const exec::MarchTile& tile : plan.tiles) {
        const int lower = tile.plane_at(exec::march_share(plan.work, number, count));
        const int upper = tile.plane_at(exec::march_share(plan.work, number + 1, count));
        if (lower == upper) continue;
        cost += exec::MarchTile::beginning + std::int64_t{tile.cost} * (upper - lower);
        dearest = std::max(dearest, std::int64_t{tile.cost});
      }
      // One that begins within a tile pays for a beginning that the list has not.
      EXPECT_LE(cost, plan.work / count + exec::MarchTile::beginning + dearest) << number;
    }
  }
}
