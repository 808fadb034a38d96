// Schemes that are compiled for less than everything do what the general one does, to the last bit;
// gathered by stencils to round-off.
#include "systems/aerodynamics/scheme/node_scheme.hpp"

#include <gtest/gtest.h>

#include "exec/node_gather.hpp"
#include "unit/aerodynamics/random_nodes.hpp"

using namespace watersmeet;
using aerodynamics::Features;

TEST(NodeScheme, MatrixDissipationAloneIsThatOfTheGeneralScheme) {
  exec::NodeBlock block;
  const int n[3] = {11, 9, 1};
  for (int a = 0; a < 3; ++a) {
    block.n[a] = n[a];
    block.order[a] = n[a] > 1 ? 3 : 0;
  }
  constexpr std::size_t size = 11 * 9;
  aerodynamics::FlowModel<double> model;
  model.gas = {1.4, 1e-10};
  model.matrix = true;
  EXPECT_TRUE(matrix_alone(model));
  const aerodynamics::RandomNodes random(size, model.gas, 4);
  const exec::NodeArrays<double> arrays = random.arrays();
  const auto operators = exec::node_operators(schemes::sbp6_accurate);
  const aerodynamics::NodeScheme<double> general{model};
  const aerodynamics::NodeScheme<double, Features::matrix> alone{model};
  aerodynamics::NodeScheme<double, Features::plain> scalar{model};
  bool differs = false;
  for (int j = 0; j < n[1]; ++j) {
    for (int i = 0; i < n[0]; ++i) {
      const exec::NodePoint p = exec::node_point(&block, i, j, 0);
      const auto a = exec::node_rates<0, double>(arrays, p, operators, general, {});
      const auto b = exec::node_rates<3, double>(arrays, p, operators, alone, {});
      const auto c = exec::node_rates<3, double>(arrays, p, operators, scalar, {});
      double largest = 0, of_scalar = 0;
      const auto g = exec::gathered_rates<3>(arrays, p, operators, alone, {}, &largest);
      exec::gathered_rates<3>(arrays, p, operators, scalar, {}, &of_scalar);
      EXPECT_EQ(largest, of_scalar);
      EXPECT_GT(largest, 0.1);
      for (int v = 0; v < 5; ++v) {
        EXPECT_EQ(a.flux[v], b.flux[v]);
        EXPECT_EQ(a.dissipation[v], b.dissipation[v]);
        EXPECT_NEAR(a.flux[v], g.flux[v], 1e-13);
        EXPECT_NEAR(a.dissipation[v], g.dissipation[v], 1e-14);
        differs = differs || c.dissipation[v] != b.dissipation[v];
      }
    }
  }
  EXPECT_TRUE(differs);
  model.shock_k2 = 1;
  EXPECT_FALSE(matrix_alone(model));
}
