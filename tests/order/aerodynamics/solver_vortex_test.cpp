// The isentropic vortex across wavy blocks, moved by the solver itself: steps of its own choice,
// the outer state tabulated at the time of every stage. Errors are those of
// validation/reference/sbp_euler.py, a second solver in numpy.
#include <gtest/gtest.h>

#include <cmath>

#include "support/flow_case.hpp"
#include "wavy_vortex.hpp"

using namespace watersmeet;
using test::air;
using test::CurvilinearReference;
using test::Values;
using test::vortex;
using test::wavy;

namespace {

double density_error(int order, int n, bool compatible) {
  CurvilinearReference::Setup setup = test::wavy_blocks(order, n);
  setup.sbp6_x1 = compatible ? schemes::sbp6_compatible : schemes::sbp6_accurate;
  const CurvilinearReference reference(setup, [&](const Real3& l) { return wavy(l, n); });
  aerodynamics::Method method;
  method.gas = air;
  method.order = order;
  method.compatible_sbp6 = compatible;
  method.steady = false;
  method.rule.cfl = 1.0;
  aerodynamics::Condition outer;
  outer.patch = "outer";
  outer.kind = aerodynamics::SurfaceKind::farfield;
  outer.outside = vortex;
  outer.varies_in_time = true;
  test::FlowRun run(test::mesh_of(reference), method, {outer}, vortex({0, 0, 0}, 0), {});
  std::vector<Values> w;
  for (const auto& block : reference.blocks()) {
    w.emplace_back();
    for (std::size_t i = 0; i < block.nodes.x.size(); ++i) {
      w.back().push_back(aerodynamics::conserved_of(vortex(reference.position(block, i), 0), air));
    }
  }
  run.set(w);
  run.advance(1.0);
  EXPECT_DOUBLE_EQ(run.now().t, 1.0);
  w = run.get();
  const std::vector<double> volumes = run.solver().node_volumes();
  double sum = 0;
  for (std::size_t b = 0, node = 0; b < w.size(); ++b) {
    for (std::size_t i = 0; i < w[b].size(); ++i, ++node) {
      const double e = w[b][i][0] - vortex(reference.position(reference.blocks()[b], i), 1).rho;
      sum += volumes[node] * e * e;
    }
  }
  return std::sqrt(sum);
}

}  // namespace

TEST(SolverVortex, ErrorsAcrossFourBlocks) {
  struct Row {
    int order;
    bool compatible;
    double error20, error40;
  };
  const Row rows[] = {{1, false, 2.3121e-2, 1.5787e-2}, {2, false, 3.4167e-3, 7.3984e-4},
                      {3, false, 2.0653e-3, 3.8796e-4}, {4, false, 7.8895e-4, 5.4375e-5},
                      {5, true, 1.1924e-3, 9.5344e-5},  {6, true, 1.4702e-3, 1.1328e-4},
                      {5, false, 6.7104e-4, 4.2380e-5}, {6, false, 8.6648e-4, 4.9970e-5}};
  for (const Row& row : rows) {
    EXPECT_NEAR(density_error(row.order, 20, row.compatible) / row.error20, 1, 0.01) << row.order;
    EXPECT_NEAR(density_error(row.order, 40, row.compatible) / row.error40, 1, 0.01) << row.order;
  }
}
