// Boundary states: invariants they keep, the exact Riemann problem on a wall, the vortex around a
// lifting section.
#include "systems/aerodynamics/boundaries.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "schemes/exact_riemann.hpp"
#include "systems/aerodynamics/penalty.hpp"
#include "unit/aerodynamics/random_flow.hpp"

using namespace watersmeet;
using namespace watersmeet::aerodynamics;

namespace {

Vec<double, 3> unit(const Area<double>& area) {
  const double length = std::sqrt(dot(area, area));
  return {{area[0] / length, area[1] / length, area[2] / length}};
}
double sound(const Primitive<double>& f) { return std::sqrt(1.4 * f.p / f.rho); }

}  // namespace

// The exact pressure is that of the Riemann problem with the mirrored state.
TEST(Wall, ExactPressureSolvesTheMirroredRiemannProblem) {
  RandomFlow random(51);
  for (const double mach : {-4.0, -1.5, -0.3, -1e-3, 1e-3, 0.3, 1.5, 6.0}) {
    const Area<double> area = random.area();
    const Primitive<double> f = primitive_of(random.moving(mach, area), air);
    const double u = dot(unit(area), f.u);
    const schemes::ExactRiemann mirrored({f.rho, u, f.p, 1.4, 0}, {f.rho, -u, f.p, 1.4, 0});
    EXPECT_NEAR(wall_pressure(WallPressure::exact, f, area, air) / mirrored.star_pressure(), 1,
                1e-8)
        << mach;
    EXPECT_EQ(wall_pressure(WallPressure::interior, f, area, air), f.p);
    // The linear one agrees to second order in the Mach number: (g + 1)/4 M^2 g p.
    const double linear = wall_pressure(WallPressure::linear, f, area, air);
    if (std::abs(mach) < 0.01) {
      EXPECT_NEAR(linear / mirrored.star_pressure(), 1, mach * mach);
    }
  }
  // Faster away than the gas expands: a vacuum, and no more than that.
  const Primitive<double> away = primitive_of(random.moving(-7, {{1, 0, 0}}), air);
  EXPECT_GE(wall_pressure(WallPressure::exact, away, {{1, 0, 0}}, air), 0);
  EXPECT_LT(wall_pressure(WallPressure::exact, away, {{1, 0, 0}}, air), 1e-100);
}

TEST(TotalInflow, HasTheReservoirsEnthalpyAndEntropyAndTheFluidsInvariant) {
  RandomFlow random(52);
  int moving = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Area<double> area = random.area();
    const Vec<double, 3> a = unit(area);
    // A direction into the domain, up to 60 degrees off the normal.
    Vec<double, 3> d = random.vector(0.5);
    for (int m = 0; m < 3; ++m) d[m] -= a[m];
    const Primitive<double> w = primitive_of(random.moving(random.uniform(-0.9, 0.3), area), air);
    const double c2_here = 1.4 * w.p / w.rho;
    const Reservoir<double> from{random.uniform(0.5, 2), c2_here * random.uniform(0.9, 1.3),
                                 unit(d)};
    const Primitive<double> f = total_inflow_state(w, area, from, air);
    const double q2 = dot(f.u, f.u), c2 = 1.4 * f.p / f.rho, q = dot(f.u, from.direction);
    EXPECT_NEAR((c2 + 0.2 * q2) / from.sound2, 1, 1e-14);
    EXPECT_NEAR(f.p / std::pow(f.rho, 1.4),
                from.pressure / std::pow(1.4 * from.pressure / from.sound2, 1.4), 1e-13);
    EXPECT_NEAR(q * q, q2, 1e-13);  // along d
    EXPECT_GE(q, 0);
    EXPECT_LE(q2, c2 * (1 + 1e-13));
    const double leaving = dot(w.u, a) + 5 * sound(w), found = dot(f.u, a) + 5 * std::sqrt(c2);
    if (q > 0 && q2 < c2 * (1 - 1e-12)) {
      EXPECT_NEAR(found, leaving, 1e-12);
      ++moving;
    } else if (q == 0) {
      EXPECT_LE(found, leaving + 1e-12);  // too much leaves for any inflow
    } else {
      EXPECT_GE(found, leaving - 1e-12);  // choked
    }
  }
  EXPECT_GT(moving, 100);
}

// A uniform flow out of its own reservoir: the state itself, and no penalty.
TEST(TotalInflow, KeepsTheFlowThatCameFromTheReservoir) {
  RandomFlow random(53);
  for (const double mach : {0.05, 0.4, 0.99}) {
    const Area<double> area = random.area();
    const Vec<double, 3> a = unit(area);
    Primitive<double> f = random.flow();
    const double c = sound(f), heat = 1 + 0.2 * mach * mach;
    Vec<double, 3> d = random.vector(0.5);
    for (int m = 0; m < 3; ++m) d[m] -= a[m];
    d = unit(d);
    for (int m = 0; m < 3; ++m) f.u[m] = mach * c * d[m];
    const Given<double> given{{f.p * std::pow(heat, 3.5), c * c * heat, d}, 0};
    const Primitive<double> found = total_inflow_state(f, area, given.reservoir, air);
    EXPECT_NEAR(found.rho, f.rho, 1e-13);
    EXPECT_NEAR(found.p, f.p, 1e-13);
    for (int m = 0; m < 3; ++m) EXPECT_NEAR(found.u[m], f.u[m], 1e-13);
    const Conserved<double> w = conserved_of(f, air);
    const Conserved<double> p =
        surface_penalty(SurfaceKind::inflow_total, w, w, area, given, air, Coupling<double>{});
    for (int v = 0; v < n_variables; ++v) EXPECT_NEAR(p[v], 0, 1e-12);
  }
}

TEST(PressureOutflow, HasThePressureAndKeepsWhatLeaves) {
  RandomFlow random(54);
  for (const double mach : {-0.3, 0.1, 0.7}) {
    for (int trial = 0; trial < 30; ++trial) {
      const Area<double> area = random.area();
      const Vec<double, 3> a = unit(area);
      const Primitive<double> w = primitive_of(random.moving(mach, area), air);
      const double pressure = w.p * random.uniform(0.8, 1.2);
      const Primitive<double> f = pressure_outflow_state(w, area, pressure, air);
      EXPECT_EQ(f.p, pressure);
      EXPECT_NEAR(f.p / std::pow(f.rho, 1.4), w.p / std::pow(w.rho, 1.4), 1e-11);
      const double before = dot(w.u, a), after = dot(f.u, a);
      EXPECT_NEAR(after + 5 * sound(f), before + 5 * sound(w), 1e-12);
      for (int m = 0; m < 3; ++m) {
        EXPECT_NEAR(f.u[m] - after * a[m], w.u[m] - before * a[m], 1e-13);
      }
      // The fluid's own pressure changes nothing.
      const Conserved<double> s = conserved_of(w, air);
      const Conserved<double> p =
          surface_penalty(SurfaceKind::outflow_pressure, s, s, area, {{}, primitive_of(s, air).p},
                          air, Coupling<double>{});
      for (int v = 0; v < n_variables; ++v) EXPECT_NEAR(p[v], 0, 1e-13 * (1 + s[s_energy]));
    }
  }
  // Supersonic: no term whatever the pressure.
  const Area<double> area = random.area();
  const Conserved<double> s = random.moving(1.4, area);
  const Conserved<double> p = surface_penalty(SurfaceKind::outflow_pressure, s, s, area, {{}, 7.0},
                                              air, Coupling<double>{});
  for (int v = 0; v < n_variables; ++v) EXPECT_NEAR(p[v], 0, 1e-13 * (1 + s[s_energy]));
}

// Circulation around the section is Gamma, clockwise for lift, whatever the Mach number; enthalpy
// and entropy are those of the stream.
TEST(VortexFarField, HasTheCirculationAndTheStreamsEnthalpy) {
  for (const double mach : {0.05, 0.5, 0.8}) {
    const double alpha = 0.1;
    VortexFarField<double> far{{1, {{}}, 1 / 1.4}, 0.25, -0.1, 0.7 * mach, std::cos(alpha),
                               std::sin(alpha),    mach};
    far.stream.u = {{mach * std::cos(alpha), mach * std::sin(alpha), 0}};
    double circulation = 0;
    constexpr int points = 400;  // a periodic integrand: the rectangle rule is exact enough
    for (int i = 0; i < points; ++i) {
      const double angle = 2 * std::numbers::pi * i / points, r = 30;
      const Primitive<double> f =
          vortex_state(far, far.x + r * std::cos(angle), far.y + r * std::sin(angle), air);
      circulation +=
          (f.u[1] * std::cos(angle) - f.u[0] * std::sin(angle)) * r * 2 * std::numbers::pi / points;
      EXPECT_NEAR(3.5 * f.p / f.rho + dot(f.u, f.u) / 2, 2.5 + mach * mach / 2, 1e-13);
      EXPECT_NEAR(f.p / std::pow(f.rho, 1.4), 1 / 1.4, 1e-13);
    }
    EXPECT_NEAR(circulation, -far.circulation, 1e-12) << mach;
    // Above the section the flow is faster.
    EXPECT_GT(vortex_state(far, far.x, far.y + 30, air).u[0], far.stream.u[0]);
    EXPECT_LT(vortex_state(far, far.x, far.y - 30, air).u[0], far.stream.u[0]);
  }
}
