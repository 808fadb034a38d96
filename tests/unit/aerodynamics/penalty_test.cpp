// Penalties of boundaries and interfaces: zero for the exact state, conservative across an
// interface, tight on a wall, upwind in all four regimes of the far field, and never a source of
// energy.
#include "systems/aerodynamics/penalty.hpp"
#include "core/math.hpp"

#include <gtest/gtest.h>

#include "unit/aerodynamics/random_flow.hpp"

using namespace watersmeet;
using namespace watersmeet::aerodynamics;
using test::Dual;

namespace penalty_test {

namespace {

constexpr Upwinding dissipative[] = {Upwinding::roe, Upwinding::hlle, Upwinding::rusanov};
constexpr Upwinding all[] = {Upwinding::roe, Upwinding::hlle, Upwinding::rusanov,
                             Upwinding::central, Upwinding::entropy_conservative};

Area<double> opposite(const Area<double>& area) { return {{-area[0], -area[1], -area[2]}}; }

// d penalty / d w (with respect_to_outside: / d outside) at w = outside.
void penalty_jacobian(const Conserved<double>& w, const Area<double>& area, Upwinding upwinding,
                      bool respect_to_outside, Square& result) {
  const Coupling<double> coupling{upwinding};
  const Conserved<Dual> fixed = constant(w);
  const Area<Dual> a = constant(area);
  jacobian(
      [&](const Conserved<Dual>& x) {
        return respect_to_outside ? coupling_penalty(fixed, x, a, air, coupling)
                                  : coupling_penalty(x, fixed, a, air, coupling);
      },
      w, result);
}

void flux_jacobian(const Conserved<double>& w, const Area<double>& area, Square& a) {
  jacobian([&](const Conserved<Dual>& x) { return flux(x, primitive_of(x, air), constant(area)); },
           w, a);
}

// Largest value of x^T S'' M x over random x, relative to its terms: positive means growth.
double growth(const Conserved<double>& w, const Square& m, RandomFlow& random) {
  Square hessian, product;
  entropy_hessian(w, hessian);
  multiply(hessian, m, product);
  double worst = -1;
  for (int trial = 0; trial < 200; ++trial) {
    // In the scale of the norm, so that no component drowns the others.
    double x[n_variables], energy = 0, scale = 0;
    for (int v = 0; v < n_variables; ++v) {
      x[v] = random.uniform(-1, 1) / std::sqrt(hessian[v][v]);
    }
    for (int i = 0; i < n_variables; ++i) {
      for (int j = 0; j < n_variables; ++j) {
        energy += x[i] * product[i][j] * x[j];
        scale += std::abs(x[i] * product[i][j] * x[j]);
      }
    }
    worst = max_or_nan(worst, energy / scale);
  }
  return worst;
}

// What a face adds to the energy of a perturbation x: -x S'' (A_N + 2 dP/dw) x must not be > 0.
void face_energy(const Conserved<double>& w, const Area<double>& area, const Square& penalty,
                 Square& result) {
  flux_jacobian(w, area, result);
  for (int i = 0; i < n_variables; ++i) {
    for (int j = 0; j < n_variables; ++j) result[i][j] = -(result[i][j] + 2 * penalty[i][j]);
  }
}

}  // namespace

TEST(Penalty, VanishesForTheExactState) {
  RandomFlow random(41);
  for (int trial = 0; trial < 50; ++trial) {
    const Conserved<double> w = random.state();
    const Area<double> area = random.area();
    const double scale = spectral_radius(primitive_of(w, air), area, air) * (1 + w[s_energy]);
    for (const Upwinding upwinding : all) {
      for (const SurfaceKind kind :
           {SurfaceKind::interface, SurfaceKind::farfield, SurfaceKind::supersonic_inflow,
            SurfaceKind::supersonic_outflow}) {
        const Conserved<double> p = surface_penalty(kind, w, w, area, {}, air, {upwinding, 0.05});
        for (int v = 0; v < n_variables; ++v) EXPECT_NEAR(p[v], 0, 1e-14 * scale);
      }
    }
  }
}

// Both sides use their own outward area: with opposite ones the numerical fluxes are opposite to
// the last bit, and the penalties add up to the difference of the two fluxes.
TEST(Penalty, InterfaceIsConservative) {
  RandomFlow random(42);
  for (int trial = 0; trial < 200; ++trial) {
    const Conserved<double> a = random.state(), b = random.state();
    const Area<double> area = random.area();
    for (const Upwinding upwinding : all) {
      const Conserved<double> there = numerical_flux(upwinding, a, b, area, air, 0.1);
      const Conserved<double> back = numerical_flux(upwinding, b, a, opposite(area), air, 0.1);
      const Coupling<double> coupling{upwinding, 0.1};
      const Conserved<double> pa =
          surface_penalty(SurfaceKind::interface, a, b, area, {}, air, coupling);
      const Conserved<double> pb =
          surface_penalty(SurfaceKind::interface, b, a, opposite(area), {}, air, coupling);
      const Conserved<double> fa = flux(a, primitive_of(a, air), area),
                              fb = flux(b, primitive_of(b, air), area);
      for (int v = 0; v < n_variables; ++v) {
        EXPECT_EQ(there[v], -back[v]) << static_cast<int>(upwinding);
        EXPECT_NEAR(
            pa[v] + pb[v], fb[v] - fa[v],
            1e-15 * (std::abs(pa[v]) + std::abs(pb[v]) + std::abs(fa[v]) + std::abs(fb[v])) * 4);
      }
    }
  }
}

// dP/dW_e = A_N^-: the part of A with the negative eigenvalues. It commutes with A, A^- (A - A^-)
// vanishes, and its trace is their sum.
TEST(Penalty, OnlyWhatComesInIsPenalisedInAllFourRegimes) {
  RandomFlow random(43);
  struct Regime {
    double mach;   // along the outward normal
    int incoming;  // characteristics
  };
  for (const Regime regime : {Regime{-2.3, 5}, Regime{-0.4, 4}, Regime{0.4, 1}, Regime{2.3, 0}}) {
    for (int trial = 0; trial < 20; ++trial) {
      const Area<double> area = random.area();
      const Conserved<double> w = random.moving(regime.mach, area);
      Square a, minus, plus, product, other;
      flux_jacobian(w, area, a);
      penalty_jacobian(w, area, Upwinding::roe, true, minus);
      for (int i = 0; i < n_variables; ++i)
        for (int j = 0; j < n_variables; ++j) plus[i][j] = a[i][j] - minus[i][j];
      multiply(minus, plus, product);
      const Square zero = {};
      EXPECT_LT(largest_difference(product, zero), 1e-10);
      multiply(a, minus, product);
      multiply(minus, a, other);
      EXPECT_LT(largest_difference(product, other), 1e-10);
      const double c = std::sqrt(sound_speed2(primitive_of(w, air), air) * dot(area, area)),
                   u = regime.mach * c;
      const double sum = std::min(u - c, 0.0) + 3 * std::min(u, 0.0) + std::min(u + c, 0.0);
      EXPECT_NEAR(trace(minus), sum, 1e-11) << regime.mach;
      // Nothing comes in: any outer state gives the same, which is no term at all. Everything does:
      // the flux is that of the outer state.
      const Conserved<double> outside = random.moving(regime.mach, area);
      const Conserved<double> p =
          surface_penalty(SurfaceKind::farfield, w, outside, area, {}, air, Coupling<double>{});
      const Conserved<double> full = surface_penalty(SurfaceKind::supersonic_inflow, w, outside,
                                                     area, {}, air, Coupling<double>{});
      for (int v = 0; v < n_variables; ++v) {
        if (regime.incoming == 0) {
          EXPECT_NEAR(p[v], 0, 1e-11) << v;
        }
        if (regime.incoming == 5) {
          EXPECT_NEAR(p[v], full[v], 1e-11) << v;
        }
      }
    }
  }
}

// With summation by parts a boundary with fixed data adds -w S'' A_N w / 2 - w S'' P to the energy
// in the norm of the entropy.
TEST(Penalty, BoundariesTakeEnergy) {
  RandomFlow random(44);
  for (const double mach : {-2.3, -0.9, -0.1, 0.0, 0.1, 0.9, 2.3}) {
    for (int trial = 0; trial < 10; ++trial) {
      const Area<double> area = random.area();
      const Conserved<double> w = random.moving(mach, area);
      Square penalty, energy;
      for (const Upwinding upwinding : dissipative) {
        penalty_jacobian(w, area, upwinding, false, penalty);
        face_energy(w, area, penalty, energy);
        EXPECT_LT(growth(w, energy, random), 1e-12) << mach;
      }
      if (mach != 0) continue;
      // A wall at rest, with each of its pressures; the interior one adds nothing.
      for (const WallPressure wall :
           {WallPressure::linear, WallPressure::exact, WallPressure::interior}) {
        const Coupling<double> coupling{Upwinding::roe, 0, wall};
        jacobian(
            [&](const Conserved<Dual>& x) {
              return wall_penalty(x, constant(area), air, coupling);
            },
            w, penalty);
        face_energy(w, area, penalty, energy);
        EXPECT_LT(growth(w, energy, random), 1e-12);
      }
    }
  }
}

// Two blocks that meet: -a (A + 2 dPa/da) a - b (-A + 2 dPb/db) b and the cross terms. Upwinding
// gives -(a - b) |A| (a - b), the central flux exactly nothing.
TEST(Penalty, InterfacesTakeEnergy) {
  RandomFlow random(45);
  for (int trial = 0; trial < 100; ++trial) {
    const Area<double> area = random.area();
    const Conserved<double> w = random.state();
    Square a, hessian, inner[2], outer[2];
    flux_jacobian(w, area, a);
    entropy_hessian(w, hessian);
    for (const Upwinding upwinding : all) {
      for (const int side : {0, 1}) {
        const Area<double> outward = side == 0 ? area : opposite(area);
        penalty_jacobian(w, outward, upwinding, false, inner[side]);
        penalty_jacobian(w, outward, upwinding, true, outer[side]);
      }
      Conserved<double> x[2];
      for (auto& s : x)
        for (int v = 0; v < n_variables; ++v) {
          s[v] = random.uniform(-1, 1) / std::sqrt(hessian[v][v]);
        }
      double energy = 0, scale = 0;
      for (const int side : {0, 1}) {
        const double sign = side == 0 ? 1 : -1;
        for (int i = 0; i < n_variables; ++i) {
          double y = 0;
          for (int j = 0; j < n_variables; ++j) {
            y += sign * a[i][j] * x[side][j] + 2 * inner[side][i][j] * x[side][j] +
                 2 * outer[side][i][j] * x[1 - side][j];
          }
          for (int k = 0; k < n_variables; ++k) {
            energy -= x[side][k] * hessian[k][i] * y;
            scale += std::abs(x[side][k] * hessian[k][i] * y);
          }
        }
      }
      const bool conserves =
          upwinding == Upwinding::central || upwinding == Upwinding::entropy_conservative;
      EXPECT_LT(energy, 1e-12 * scale) << static_cast<int>(upwinding);
      if (conserves) {
        EXPECT_GT(energy, -1e-12 * scale);
      } else {
        EXPECT_LT(energy, -1e-6 * scale);
      }
    }
  }
}

TEST(Penalty, WallsLetNothingThrough) {
  RandomFlow random(46);
  for (int trial = 0; trial < 100; ++trial) {
    const Conserved<double> w = random.state();
    const Area<double> area = random.area();
    const Primitive<double> f = primitive_of(w, air);
    for (const WallPressure wall :
         {WallPressure::linear, WallPressure::exact, WallPressure::interior}) {
      const Conserved<double> p =
          surface_penalty(SurfaceKind::slip_wall, w, w, area, {}, air, {Upwinding::roe, 0, wall});
      const Conserved<double> own = flux(w, f, area);
      EXPECT_EQ(p[s_rho] + own[s_rho], 0);
      EXPECT_EQ(p[s_energy] + own[s_energy], 0);
      const double pressure = wall_pressure(wall, f, area, air);
      for (int m = 0; m < 3; ++m) {
        EXPECT_NEAR(p[s_mx + m] + own[s_mx + m], pressure * area[m],
                    1e-13 * (1 + std::abs(own[s_mx + m])));
      }
    }
  }
}

TEST(Penalty, DegenerateFacesAddNothing) {
  RandomFlow random(47);
  const Conserved<double> w = random.state(), outside = random.state();
  const Given<double> given{{1, 1, {{1, 0, 0}}}, 0.5};
  for (const SurfaceKind kind :
       {SurfaceKind::interface, SurfaceKind::farfield, SurfaceKind::supersonic_inflow,
        SurfaceKind::supersonic_outflow, SurfaceKind::inflow_total, SurfaceKind::outflow_pressure,
        SurfaceKind::slip_wall}) {
    for (const Upwinding upwinding : all) {
      const Conserved<double> p = surface_penalty(kind, w, outside, Area<double>{{0, 0, 0}}, given,
                                                  air, {upwinding, 0.1, WallPressure::exact});
      for (int v = 0; v < n_variables; ++v) EXPECT_EQ(p[v], 0) << static_cast<int>(kind);
    }
  }
}

}  // namespace penalty_test
