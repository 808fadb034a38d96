// The scheme of aerodynamics in the cube schedule, whose dissipation is written a variable at a
// time, against the direct one: the same rates, with a shock sensor and without.
#include <gtest/gtest.h>

#include "core/math.hpp"
#include "support/cubes.hpp"
#include "systems/aerodynamics/scheme/node_scheme.hpp"
#include "unit/aerodynamics/random_nodes.hpp"

using namespace watersmeet;
using aerodynamics::Features;

namespace {

template <Features features, int order>
void expect_rates_of_the_direct_schedule() {
  exec::NodeBlock block;
  const int n[3] = {order > 4 ? 13 : 11, 14, order > 4 ? 12 : 9};
  for (int a = 0; a < 3; ++a) {
    block.n[a] = n[a];
    block.order[a] = order;
  }
  const std::int64_t nodes = n[0] * n[1] * n[2];
  aerodynamics::FlowModel<double> model;
  model.gas = {1.4, 1e-10};
  model.dissipation_scale = 1.3;
  model.shock_k2 = features == Features::plain ? 0 : 1.7;
  const aerodynamics::RandomNodes random(nodes, model.gas, 9);
  exec::CubePass<double, aerodynamics::NodeScheme<double, features>, order> pass;
  pass.arrays = random.arrays();
  pass.scheme.model = model;
  const auto operators = exec::node_operators(schemes::sbp6_accurate);
  const auto rates = test::rates_by_cubes<order>(pass, {block}, nodes, operators, order % 2 == 0);
  const aerodynamics::NodeScheme<double> general{model};
  double worst = 0, largest = 0;
  test::for_each_point(block, [&](const exec::NodePoint& p) {
    const auto direct = exec::node_rates<0, double>(pass.arrays, p, operators, general, {});
    const auto& cube = rates.of[static_cast<std::size_t>(p.node)];
    for (int v = 0; v < 5; ++v) {
      worst = max_or_nan(worst, max_or_nan(std::abs(cube.flux[v] - direct.flux[v]),
                                           std::abs(cube.dissipation[v] - direct.dissipation[v])));
      largest = max_or_nan(largest, std::abs(direct.dissipation[v]));
    }
  });
  EXPECT_GT(largest, 0.1);
  EXPECT_LT(worst, 1e-13 * largest) << "order " << order;
}

}  // namespace

TEST(Cubes, RatesAreThoseOfTheDirectSchedule) {
  expect_rates_of_the_direct_schedule<Features::plain, 1>();
  expect_rates_of_the_direct_schedule<Features::plain, 2>();
  expect_rates_of_the_direct_schedule<Features::plain, 3>();
  expect_rates_of_the_direct_schedule<Features::plain, 4>();
  expect_rates_of_the_direct_schedule<Features::plain, 5>();
  expect_rates_of_the_direct_schedule<Features::plain, 6>();
  expect_rates_of_the_direct_schedule<Features::shocks, 2>();
  expect_rates_of_the_direct_schedule<Features::shocks, 3>();
  expect_rates_of_the_direct_schedule<Features::shocks, 4>();
  expect_rates_of_the_direct_schedule<Features::shocks, 5>();
  expect_rates_of_the_direct_schedule<Features::shocks, 6>();
}
