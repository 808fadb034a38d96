// The scheme of aerodynamics in the marching schedule, which computes what fluxes and radii of a
// node share once, against the direct one.
#include <gtest/gtest.h>

#include "core/math.hpp"
#include "support/cubes.hpp"
#include "support/march.hpp"
#include "systems/aerodynamics/scheme/node_scheme.hpp"
#include "unit/aerodynamics/random_nodes.hpp"

using namespace watersmeet;
using aerodynamics::Features;

TEST(March, RatesAreThoseOfTheDirectSchedule) {
  exec::NodeBlock block;
  const int n[3] = {37, 18, 9};
  for (int a = 0; a < 3; ++a) {
    block.n[a] = n[a];
    block.order[a] = 1;
  }
  const std::int64_t nodes = n[0] * n[1] * n[2];
  aerodynamics::FlowModel<double> model;
  model.gas = {1.4, 1e-10};
  model.dissipation_scale = 1.3;
  const aerodynamics::RandomNodes random(nodes, model.gas, 9);
  const exec::NodeArrays<double> arrays = random.arrays();
  const auto operators = exec::node_operators(schemes::sbp6_accurate);
  const aerodynamics::NodeScheme<double, Features::plain> scheme{model};
  const auto marched = test::march<exec::MarchParts::radii>({block}, arrays, scheme, nodes, 5);
  // With a sensor and without.
  for (const double shock_k2 : {0.0, 1.7}) {
    aerodynamics::NodeScheme<double> general{model};
    general.model.shock_k2 = shock_k2;
    double worst = 0, largest = 0;
    test::for_each_point(block, [&](const exec::NodePoint& p) {
      const auto direct = exec::node_rates<0, double>(arrays, p, operators, general, {});
      const auto& rates = marched.rates[static_cast<std::size_t>(p.node)];
      for (int v = 0; v < 5; ++v) {
        worst =
            max_or_nan(worst, max_or_nan(std::abs(rates.flux[v] - direct.flux[v]),
                                         std::abs(rates.dissipation[v] - direct.dissipation[v])));
        largest = max_or_nan(largest, std::abs(direct.dissipation[v]));
      }
    });
    EXPECT_GT(largest, 0.1);
    EXPECT_LT(worst, 1e-13 * largest) << shock_k2;
  }
}
