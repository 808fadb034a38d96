// The isentropic vortex of vortex_test.cpp, moved by the solver itself: steps of its own choice,
// the outer state tabulated at the time of every stage. Errors within a tenth of those of the
// independent program.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/flow_case.hpp"

using namespace watersmeet;
using test::CurvilinearReference;
using test::Values;

namespace {

constexpr aerodynamics::Gas<double> air{1.4, 1e-10};

aerodynamics::Flow<double> vortex(const Real3& x, double t) {
  const double dx = x[0] - 4 - t, dy = x[1] - 4.5 - 0.5 * t, b = 0.3;
  const double f = std::exp((1 - dx * dx - dy * dy) / 2);
  const double far = 1 / (1.4 * 0.25), temperature = far - 0.4 / 2.8 * b * b * f * f;
  const double rho = std::pow(temperature / far, 2.5);
  return {rho, {{1 - b * dy * f, 0.5 + b * dx * f, 0}}, rho * temperature};
}

Real3 wavy(const Real3& lattice, int n) {
  const double h = 5.0 / n, x = lattice[0] * h, y = lattice[1] * h, k = 2 * std::numbers::pi / 10;
  return {x + 0.3 * std::sin(k * x) * std::sin(k * y),
          y + 0.3 * std::sin(2 * k * x) * std::sin(k * y), 0};
}

double density_error(int order, int n, bool compatible) {
  CurvilinearReference::Setup setup;
  setup.cells = {std::vector<int>{n, n}, std::vector<int>{n, n}, std::vector<int>{0}};
  const mesh::Orientation reversed{{0, 1, 2}, {-1, -1, 1}}, rotated{{1, 0, 2}, {1, -1, 1}};
  setup.stored = {{}, reversed, {}, rotated};
  setup.order = order;
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
      w.back().push_back(aerodynamics::state_of(vortex(reference.position(block, i), 0), air));
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
  const Row rows[] = {{1, false, 2.290e-2, 1.568e-2}, {2, false, 3.380e-3, 7.442e-4},
                      {3, false, 2.068e-3, 3.880e-4}, {4, false, 7.884e-4, 5.444e-5},
                      {5, true, 1.190e-3, 9.532e-5},  {6, true, 1.462e-3, 1.132e-4},
                      {5, false, 6.837e-4, 4.295e-5}, {6, false, 8.696e-4, 5.036e-5}};
  for (const Row& row : rows) {
    EXPECT_NEAR(density_error(row.order, 20, row.compatible) / row.error20, 1, 0.1) << row.order;
    EXPECT_NEAR(density_error(row.order, 40, row.compatible) / row.error40, 1, 0.1) << row.order;
  }
}
