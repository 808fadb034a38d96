// The cube schedule of the node form, its threads run one after the other in either order, against
// node_rates(): every node belongs to one cube, and its rates are those of the direct schedule.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "support/cubes.hpp"
#include "support/toy_scheme.hpp"

using namespace watersmeet;

namespace {

using test::Toy;

template <int order>
void expect_rates_of_the_direct_schedule(const std::vector<Index3>& sizes, bool backwards) {
  std::vector<exec::NodeBlock> blocks;
  std::int64_t nodes = 0;
  for (const Index3& n : sizes) {
    exec::NodeBlock b;
    b.first = nodes;
    for (std::size_t a = 0; a < 3; ++a) {
      b.n[a] = static_cast<int>(n[a]);
      b.order[a] = n[a] == 1 ? 0 : order;
    }
    blocks.push_back(b);
    nodes += n[0] * n[1] * n[2];
  }
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(0.5, 1.5);
  std::vector<double> state(static_cast<std::size_t>(2 * nodes)),
      area(static_cast<std::size_t>(9 * nodes));
  for (double& v : state) v = uniform(generator);
  for (double& v : area) v = uniform(generator);
  exec::CubePass<double, Toy, order> pass;
  pass.arrays = {state.data(), area.data(), nullptr, nodes};
  const auto operators = exec::node_operators(schemes::sbp6_accurate);

  const test::CubeRates<2> rates =
      test::rates_by_cubes<order>(pass, blocks, nodes, operators, backwards);
  for (const int v : rates.visits) ASSERT_EQ(v, 1);
  for (const exec::NodeBlock& block : blocks) {
    test::for_each_point(block, [&](const exec::NodePoint& p) {
      // Rates are some hundred, and sums of some ten terms of that size.
      constexpr double rounding = 1e-12;
      const auto direct = exec::node_rates<order, double>(pass.arrays, p, operators, Toy{}, {});
      const auto& cube = rates.of[static_cast<std::size_t>(p.node)];
      for (int v = 0; v < 2; ++v) {
        ASSERT_NEAR(cube.flux[v], direct.flux[v], rounding);
        ASSERT_NEAR(cube.dissipation[v], direct.dissipation[v], rounding);
      }
    });
  }
}

template <int order>
void expect_all(std::int64_t least) {
  // From the thinnest block on, so that the ends of cubes fall on every row of the closures.
  for (std::int64_t n = least; n < least + 10; ++n) {
    expect_rates_of_the_direct_schedule<order>({{n, least + 1, least}, {least, n, n + 7}},
                                               n % 2 == 0);
  }
  expect_rates_of_the_direct_schedule<order>({{least + 9, least + 3, 1}}, false);
}

}  // namespace

TEST(NodeCube, RatesAreThoseOfTheDirectSchedule) {
  expect_all<1>(2);
  expect_all<2>(3);
  expect_all<3>(8);
  expect_all<4>(8);
  expect_all<5>(12);
  expect_all<6>(12);
}
