// Exact flows: Ringleb's found again from places of its mesh, and both as solutions of the Euler
// equations, whose fluxes have no divergence (the vortex in the frame that moves with it).
#include "systems/aerodynamics/case/exact_flows.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "mesh/generators/ringleb.hpp"

namespace watersmeet::aerodynamics {
namespace {

FreeStream still() {
  FreeStream s;
  s.flow = {1.0, {{0, 0, 0}}, 1 / 1.4};
  return s;
}

// Central differences of order 4 of all fluxes.
template <class F>
Conserved<double> divergence(const F& flow, const Real3& x, double h, const Gas<double>& gas) {
  Conserved<double> sum{};
  const double weight[5] = {1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12};
  for (int a = 0; a < 2; ++a) {
    for (int m = -2; m <= 2; ++m) {
      if (m == 0) continue;
      Real3 at = x;
      at[static_cast<std::size_t>(a)] += m * h;
      const Primitive<double> f = flow(at);
      const Area<double> area{{a == 0 ? 1.0 : 0.0, a == 1 ? 1.0 : 0.0, 0.0}};
      const Conserved<double> through = flux(conserved_of(f, gas), f, area);
      for (int v = 0; v < n_variables; ++v) sum[v] += weight[m + 2] * through[v] / h;
    }
  }
  return sum;
}

TEST(ExactFlows, RinglebIsFoundFromItsMesh) {
  for (const double k : {0.7, 0.85, 1.0, 1.2, 1.4}) {
    for (const double share : {0.35, 0.5, 0.8, 0.95, 0.999}) {
      const double q = share * k;
      for (const double side : {1.0, -1.0}) {
        Real3 x = mesh::ringleb_point(q, k);
        x[1] *= side;
        const RinglebPlace place = ringleb_place(x[0], x[1]);
        EXPECT_NEAR(place.q, q, 1e-10) << k << " " << share;
        // k comes from a square root that vanishes on the axis.
        EXPECT_NEAR(place.k, k, 1e-7) << k << " " << share;
      }
    }
  }
  EXPECT_THROW(ringleb_place(1e6, 0), Error);
}

TEST(ExactFlows, RinglebSolvesTheEulerEquations) {
  const FreeStream stream = still();
  for (const double k : {0.8, 1.0, 1.15}) {
    for (const double share : {0.6, 0.8, 0.95}) {
      for (const double side : {1.0, -1.0}) {
        Real3 x = mesh::ringleb_point(share * k, k);
        x[1] *= side;
        const Conserved<double> d = divergence(
            [&](const Real3& at) { return ringleb_flow(at, stream); }, x, 2e-3, stream.gas);
        for (int v = 0; v < n_variables; ++v) EXPECT_NEAR(d[v], 0, 1e-7) << k << share << v;
      }
    }
  }
}

TEST(ExactFlows, VorticesSolveTheEulerEquations) {
  FreeStream stream = still();
  Vortex vortex;
  vortex.centre = {0.3, -0.2, 0};
  vortex.radius = 0.8;
  vortex.strength = 0.3;
  const auto at_rest = [&](const Real3& x) { return vortex_flow(x, 0, vortex, stream); };
  for (const Real3& x : {Real3{0.3, -0.2, 0}, Real3{0.9, 0.1, 0}, Real3{-0.4, 0.8, 0}}) {
    const Conserved<double> d = divergence(at_rest, x, 5e-3, stream.gas);
    for (int v = 0; v < n_variables; ++v) EXPECT_NEAR(d[v], 0, 1e-7) << v;
  }
  // Its largest speed around the centre is the strength, at the radius.
  EXPECT_NEAR(at_rest({1.1, -0.2, 0}).u[1], 0.3, 1e-14);
  EXPECT_LT(at_rest({1.2, -0.2, 0}).u[1], 0.3);
  EXPECT_LT(at_rest({1.0, -0.2, 0}).u[1], 0.3);
  // In a stream it is the same one further on.
  stream.flow.u[0] = 0.5;
  const Primitive<double> moved = vortex_flow({1.3, 0.1, 0}, 0.6, vortex, stream);
  stream.flow.u[0] = 0;
  const Primitive<double> before = vortex_flow({1.0, 0.1, 0}, 0, vortex, stream);
  EXPECT_NEAR(moved.rho, before.rho, 1e-15);
  EXPECT_NEAR(moved.u[0], before.u[0] + 0.5, 1e-15);
}

}  // namespace
}  // namespace watersmeet::aerodynamics
