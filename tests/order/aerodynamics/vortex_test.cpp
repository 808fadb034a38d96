// The isentropic vortex across wavy blocks (wavy_vortex.hpp) for orders 1 to 6: exact state on the
// outer boundary by penalties; t = 1. The error of the density in the norm of H V is that of
// validation/reference/sbp_euler.py, a second solver in numpy with its own operators.
#include <gtest/gtest.h>

#include <cmath>

#include "wavy_vortex.hpp"

using namespace watersmeet;
using test::air;
using test::CurvilinearReference;
using test::Values;
using test::vortex;
using test::wavy;
using Conserved = CurvilinearReference::Conserved;

namespace {

double density_error(int order, int n, const schemes::Rational& x1) {
  CurvilinearReference::Setup setup = test::wavy_blocks(order, n);
  setup.sbp6_x1 = x1;
  setup.gas = air;
  const CurvilinearReference reference(setup, [&](const Real3& l) { return wavy(l, n); });
  const auto& blocks = reference.blocks();
  std::vector<Values> w;
  for (const auto& block : blocks) {
    w.emplace_back();
    for (std::size_t i = 0; i < block.nodes.x.size(); ++i) {
      w.back().push_back(aerodynamics::conserved_of(vortex(reference.position(block, i), 0), air));
    }
  }
  // The classical scheme of fourth order; halving this step changes the fifth digit.
  const int steps = 2 * n;
  const double dt = 1.0 / steps;
  const auto advanced = [&](const std::vector<Values>& from, const std::vector<Values>& rate,
                            double by) {
    std::vector<Values> result = from;
    for (std::size_t b = 0; b < from.size(); ++b)
      for (std::size_t i = 0; i < from[b].size(); ++i)
        for (int v = 0; v < 5; ++v)
          result[b][i][v] += by / blocks[b].metrics.volume[i] * rate[b][i][v];
    return result;
  };
  for (int step = 0; step < steps; ++step) {
    const double t = step * dt;
    const auto rates = [&](const std::vector<Values>& u, double time) {
      return reference.rates(
          u, [&](const Real3& x) { return aerodynamics::conserved_of(vortex(x, time), air); });
    };
    const auto r1 = rates(w, t);
    const auto r2 = rates(advanced(w, r1, dt / 2), t + dt / 2);
    const auto r3 = rates(advanced(w, r2, dt / 2), t + dt / 2);
    const auto r4 = rates(advanced(w, r3, dt), t + dt);
    w = advanced(advanced(advanced(advanced(w, r1, dt / 6), r2, dt / 3), r3, dt / 3), r4, dt / 6);
  }
  double sum = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t i = 0; i < w[b].size(); ++i) {
      const double e = w[b][i][0] - vortex(reference.position(blocks[b], i), 1).rho;
      sum += reference.norm(blocks[b], i) * blocks[b].metrics.volume[i] * e * e;
    }
  }
  return std::sqrt(sum);
}

}  // namespace

TEST(Vortex, ErrorsAcrossFourBlocks) {
  struct Row {
    int order;
    schemes::Rational x1;
    double error20, error40;
  };
  const Row rows[] = {{1, {}, 2.3121e-2, 1.5787e-2},
                      {2, {}, 3.4167e-3, 7.3984e-4},
                      {3, {}, 2.0653e-3, 3.8796e-4},
                      {4, {}, 7.8895e-4, 5.4375e-5},
                      {5, schemes::sbp6_compatible, 1.1924e-3, 9.5344e-5},
                      {6, schemes::sbp6_compatible, 1.4702e-3, 1.1328e-4},
                      {5, schemes::sbp6_accurate, 6.7104e-4, 4.2380e-5},
                      {6, schemes::sbp6_accurate, 8.6648e-4, 4.9970e-5}};
  for (const Row& row : rows) {
    EXPECT_NEAR(density_error(row.order, 20, row.x1) / row.error20, 1, 0.01) << row.order;
    EXPECT_NEAR(density_error(row.order, 40, row.x1) / row.error40, 1, 0.01) << row.order;
  }
}
