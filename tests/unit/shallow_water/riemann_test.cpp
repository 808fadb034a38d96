// Riemann solvers of shallow water: consistency with the physical flux, rest to the last bit over
// steps of the bed, mirror images to the last bit, what is upwind when it runs faster than waves,
// dry sides, and the exact flux of a dam break.
#include "systems/shallow_water/riemann.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "schemes/dam_break.hpp"
#include "systems/shallow_water/flow.hpp"

using namespace watersmeet;
using namespace watersmeet::shallow_water;

namespace riemann_test {

namespace {
constexpr double g = 9.81;
constexpr Riemann solvers[] = {Riemann::osher, Riemann::hllc, Riemann::linearised};

template <class T>
FaceFlux<T> flux_of(Riemann solver, FaceSides<T> s, bool dry = false) {
  if (dry) s = detail::with_dry_velocities(s, T(g));
  if (solver == Riemann::osher) return osher_flux(s, T(g));
  if (solver == Riemann::hllc) return hllc_flux(s, T(g));
  return linearised_flux(s, T(g));
}
}  // namespace

template <class T>
class ShallowRiemann : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(ShallowRiemann, Precisions);

TYPED_TEST(ShallowRiemann, EqualSidesGiveThePhysicalFlux) {
  using T = TypeParam;
  const T tolerance = 40 * std::numeric_limits<T>::epsilon();
  for (const Riemann solver : solvers) {
    for (const T u : {T(-9), T(-2), T(0), T(1), T(8)}) {  // c = 4.43
      if (solver == Riemann::linearised && std::abs(u) > 4) continue;
      const T h = 2;
      const FaceFlux<T> f = flux_of<T>(solver, {h, h, u, u});
      EXPECT_NEAR(f.mass, h * u, tolerance * 20);
      EXPECT_NEAR(f.below, h * u * u, tolerance * 200);
      EXPECT_NEAR(f.above, h * u * u, tolerance * 200);
    }
  }
}

TYPED_TEST(ShallowRiemann, MirroredSidesGiveMirroredBits) {
  using T = TypeParam;
  std::mt19937 generator(3);
  std::uniform_real_distribution<T> depth(T(0.01), T(4)), speed(T(-9), T(9));
  for (int n = 0; n < 2000; ++n) {
    const bool dry = n % 3 == 0;
    FaceSides<T> s = {depth(generator), depth(generator), speed(generator), speed(generator)};
    if (dry && n % 2 == 0) s.h_left = 0;
    if (dry && n % 5 == 0) s.h_right = 0;
    const FaceSides<T> mirror = {s.h_right, s.h_left, -s.u_right, -s.u_left};
    for (const Riemann solver : solvers) {
      if (solver == Riemann::linearised && dry) continue;
      const FaceFlux<T> f = flux_of(solver, s, dry), m = flux_of(solver, mirror, dry);
      EXPECT_EQ(f.mass, -m.mass);
      EXPECT_EQ(f.below, m.above);
      EXPECT_EQ(f.above, m.below);
    }
  }
}

// The flux of momentum is one number: what both cells take differs by their pressures.
TEST(ShallowRiemannFlux, BothCellsSeeOneFluxOfMomentum) {
  std::mt19937 generator(4);
  std::uniform_real_distribution<double> depth(0.1, 4), speed(-3, 3);
  for (int n = 0; n < 500; ++n) {
    const FaceSides<double> s = {depth(generator), depth(generator), speed(generator),
                                 speed(generator)};
    for (const Riemann solver : solvers) {
      const auto f = flux_of(solver, s);
      EXPECT_NEAR(f.below + g / 2 * s.h_left * s.h_left, f.above + g / 2 * s.h_right * s.h_right,
                  1e-12 * g * 16);
    }
  }
}

TEST(ShallowRiemannFlux, FasterThanWavesTheUpstreamSideDecides) {
  for (const Riemann solver : {Riemann::osher, Riemann::hllc}) {
    const FaceSides<double> right = {1, 1.2, 9, 8};
    const auto f = flux_of(solver, right);
    EXPECT_NEAR(f.mass, 9, 1e-13);
    EXPECT_NEAR(f.below, 81, 1e-12);
    EXPECT_NEAR(f.above, 81 + g / 2 * (1 - 1.44), 1e-12);
  }
}

// The exact flux at the dam: water of depth 4/9 h at the critical speed, 8/27 h c of it.
TEST(ShallowRiemannFlux, OverADryBedTheFanIsCritical) {
  const double c = std::sqrt(g * 2);
  const auto osher = flux_of<double>(Riemann::osher, {2, 0, 0, 0}, true);
  EXPECT_NEAR(osher.mass, 8.0 / 27 * 2 * c, 1e-13);
  const double h = 8.0 / 9, u = 2.0 / 3 * c;
  EXPECT_NEAR(osher.below, h * u * u + g / 2 * (h * h - 4), 1e-12);
  // HLL over the same fan takes the mean between -c and 2 c: (2 c 0 + 2 c c h) / (3 c).
  const auto hllc = flux_of<double>(Riemann::hllc, {2, 0, 0, 0}, true);
  EXPECT_NEAR(hllc.mass, 2.0 / 3 * c * 2, 1e-13);
  for (const Riemann solver : {Riemann::osher, Riemann::hllc}) {
    const auto none = flux_of<double>(solver, {0, 0, 3, -2}, true);
    EXPECT_EQ(none.mass, 0);
    EXPECT_EQ(none.below, 0);
    const auto apart = flux_of<double>(solver, {1, 1, -20, 20}, true);  // the bed falls dry
    EXPECT_NEAR(apart.mass, 0, solver == Riemann::osher ? 0 : 1e-12);
  }
}

// Weak waves: every solver gives the flux of the exact one to second order of the jump.
TEST(ShallowRiemannFlux, WeakDamBreaksAreNearlyExact) {
  for (const double jump : {0.02, 0.01}) {
    const schemes::DamBreak exact(1 + jump, 1, g);
    const double mass = exact.star().h * exact.star().u;
    const double pressure = g / 2 * (exact.star().h * exact.star().h - (1 + jump) * (1 + jump));
    for (const Riemann solver : {Riemann::osher, Riemann::linearised}) {
      const auto f = flux_of<double>(solver, {1 + jump, 1, 0, 0});
      EXPECT_NEAR(f.mass, mass, 0.2 * jump * jump * std::sqrt(g));
      EXPECT_NEAR(f.below, mass * exact.star().u + pressure, 0.2 * jump * jump * g);
    }
  }
}

// Level water over any bed: no flux, no force, to the last bit.
TYPED_TEST(ShallowRiemann, LevelWaterRestsOverAnyStep) {
  using T = TypeParam;
  std::mt19937 generator(6);
  std::uniform_real_distribution<T> level(T(-3), T(1.5));
  for (int n = 0; n < 500; ++n) {
    Flow<T, Traits{.general = true, .wet_dry = true}> flow;
    flow.p.gravity = T(g);
    flow.mesh.inverse_spacing[0] = T(7);
    flow.p.kappa = schemes::kappa_weights<T>(T(1) / 3);
    flow.p.dry_depth = T(1e-4);
    flow.p.riemann = n % 2 ? Riemann::hllc : Riemann::osher;
    const T surface = T(0.37), beds[5] = {level(generator), level(generator), level(generator),
                                          level(generator), level(generator)};
    const auto state = [&](int m) {
      const T b = beds[m + 2];
      return flow.template state<T>({{std::max(surface, b), 0, 0}}, b);
    };
    const auto edges = [&](int m) {
      return flow.template edges<0, T>([&](int v, int along, int) { return state(m + along)[v]; });
    };
    const auto e = edges(0);
    const auto lower = flow.template flux<0, T>(edges(-1).upper, e.lower, T(0.01));
    const auto upper = flow.template flux<0, T>(e.upper, edges(1).lower, T(0.01));
    const auto rate = flow.template gain<0, T>(lower, upper, flow.template keep<T>(e));
    for (int v = 0; v < n_variables; ++v) EXPECT_EQ(rate[v], T(0)) << n << " " << v;
  }
}

}  // namespace riemann_test
