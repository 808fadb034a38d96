// Entropy variables as derivatives of the entropy, the logarithmic mean, and the two-point flux:
// consistency, symmetry, the entropy identity, pressure equilibrium.
#include "systems/aerodynamics/entropy.hpp"

#include <gtest/gtest.h>

#include "unit/aerodynamics/random_flow.hpp"

using namespace watersmeet;
using namespace watersmeet::aerodynamics;
using test::Dual;

TEST(Entropy, VariablesAreDerivatives) {
  RandomFlow random(11);
  for (int trial = 0; trial < 50; ++trial) {
    const Conserved<double> w = random.state();
    const Conserved<double> v = entropy_variables(primitive_of(w, air), air);
    for (int i = 0; i < n_variables; ++i) {
      Conserved<Dual> x = constant(w);
      x[i].d = 1;
      EXPECT_NEAR(entropy_density(primitive_of(x, air), air).d, v[i], 1e-11 * (1 + std::abs(v[i])))
          << i;
    }
  }
}

// A convex entropy that symmetrises the equations: the Hessian is symmetric and positive, its
// product with the flux Jacobian symmetric.
TEST(Entropy, HessianSymmetrisesTheFluxJacobian) {
  RandomFlow random(12);
  for (int trial = 0; trial < 50; ++trial) {
    const Conserved<double> w = random.state();
    const Area<double> area = random.area();
    Square hessian, a, product;
    entropy_hessian(w, hessian);
    jacobian(
        [&](const Conserved<Dual>& x) { return flux(x, primitive_of(x, air), constant(area)); }, w,
        a);
    multiply(hessian, a, product);
    double scale = 0;
    for (const auto& row : product)
      for (const double e : row) scale = std::max(scale, std::abs(e));
    for (int i = 0; i < n_variables; ++i) {
      EXPECT_GT(hessian[i][i], 0);
      for (int j = 0; j < i; ++j) {
        EXPECT_NEAR(hessian[i][j], hessian[j][i], 1e-11 * scale);
        EXPECT_NEAR(product[i][j], product[j][i], 1e-11 * scale);
      }
    }
  }
}

TEST(Entropy, LogarithmicMean) {
  EXPECT_EQ(logarithmic_mean(2.0, 2.0), 2);
  EXPECT_NEAR(logarithmic_mean(1.0, std::exp(1.0)), std::exp(1.0) - 1, 1e-15);
  // Around the switch at x = 0.1 and close to equality: against the artanh series to x^40.
  for (const double x : {1e-9, 1e-4, 0.05, 0.09999999, 0.10000001, 0.11, 0.3}) {
    double series = 0;
    for (int k = 20; k >= 0; --k) series = series * x * x + 1.0 / (2 * k + 1);
    EXPECT_NEAR(logarithmic_mean(1 + x, 1 - x) * series, 1, 2e-15) << x;
    EXPECT_EQ(logarithmic_mean(1 + x, 1 - x), logarithmic_mean(1 - x, 1 + x)) << x;
  }
}

TEST(Entropy, TwoPointFluxConservesEntropy) {
  RandomFlow random(13);
  for (int trial = 0; trial < 500; ++trial) {
    const Primitive<double> l = random.flow();
    Primitive<double> r = random.flow();
    if (trial % 2 == 1) {  // close states: the series of the logarithmic mean
      const double e = std::pow(10.0, -random.uniform(1, 8));
      r.rho = l.rho + e * (r.rho - l.rho);
      r.p = l.p + e * (r.p - l.p);
      for (int m = 0; m < 3; ++m) r.u[m] = l.u[m] + e * (r.u[m] - l.u[m]);
    }
    const Area<double> area = random.area();
    const Conserved<double> f = entropy_conservative_flux(l, r, area, air);
    const Conserved<double> vl = entropy_variables(l, air), vr = entropy_variables(r, air);
    double produced = entropy_potential(l, area) - entropy_potential(r, area), scale = 1;
    for (int v = 0; v < n_variables; ++v) {
      produced += (vr[v] - vl[v]) * f[v];
      scale += (std::abs(vr[v]) + std::abs(vl[v])) * std::abs(f[v]);
    }
    EXPECT_LT(std::abs(produced), 4e-15 * scale);
  }
}

TEST(Entropy, TwoPointFluxIsConsistentAndSymmetric) {
  RandomFlow random(14);
  for (int trial = 0; trial < 100; ++trial) {
    const Primitive<double> l = random.flow(), r = random.flow();
    const Area<double> area = random.area();
    const Area<double> back{{-area[0], -area[1], -area[2]}};
    const Conserved<double> exact = flux(conserved_of(l, air), l, area);
    const Conserved<double> same = entropy_conservative_flux(l, l, area, air);
    const Conserved<double> there = entropy_conservative_flux(l, r, area, air);
    const Conserved<double> here = entropy_conservative_flux(r, l, back, air);
    for (int v = 0; v < n_variables; ++v) {
      EXPECT_NEAR(same[v], exact[v], 1e-13 * (1 + std::abs(exact[v])));
      EXPECT_EQ(there[v], -here[v]);
    }
    // Equal p and u, any two densities: momentum and energy only carry the mass flux, so that a
    // contact stays one.
    const Primitive<double> contact{r.rho, l.u, l.p};
    const Conserved<double> c = entropy_conservative_flux(l, contact, area, air);
    const double u2 = dot(l.u, l.u), u = dot(l.u, area);
    for (int m = 0; m < 3; ++m) {
      EXPECT_NEAR(c[s_mx + m], c[s_rho] * l.u[m] + l.p * area[m],
                  1e-13 * (1 + std::abs(c[s_mx + m])));
    }
    EXPECT_NEAR(c[s_energy], c[s_rho] * u2 / 2 + 3.5 * l.p * u,
                1e-12 * (1 + std::abs(c[s_energy])));
  }
}
