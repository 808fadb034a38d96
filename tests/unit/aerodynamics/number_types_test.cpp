// The same formulas on packs and in single precision as in double precision.

// GCC 12 calls its own _mm512_undefined_pd() uninitialised (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"

// Before the formulas, which look up the functions of packs where they are defined.
#include "core/pack.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "systems/aerodynamics/dissipation.hpp"
#include "systems/aerodynamics/penalty.hpp"
#include "unit/aerodynamics/random_flow.hpp"

using namespace watersmeet;
using namespace watersmeet::aerodynamics;

namespace {

constexpr Upwinding fluxes[] = {Upwinding::roe, Upwinding::hlle, Upwinding::rusanov,
                                Upwinding::central, Upwinding::entropy_conservative};
constexpr SurfaceKind kinds[] = {SurfaceKind::interface,         SurfaceKind::farfield,
                                 SurfaceKind::supersonic_inflow, SurfaceKind::supersonic_outflow,
                                 SurfaceKind::inflow_total,      SurfaceKind::outflow_pressure,
                                 SurfaceKind::slip_wall};

template <class T, int N>
Vec<T, N> as(const Vec<double, N>& a) {
  Vec<T, N> result;
  for (int v = 0; v < N; ++v) result[v] = T(static_cast<RealOf<T>>(a[v]));
  return result;
}

}  // namespace

template <class T>
class NumberTypes : public testing::Test {
 public:
  // Round-off of some ten operations on terms of the size of the flux of a state.
  static void expect_same(const Conserved<T>& found, const Conserved<double>& expected,
                          double scale) {
    const double tolerance = 40 * std::numeric_limits<RealOf<T>>::epsilon() * scale;
    for (int v = 0; v < n_variables; ++v) {
      for (int lane = 0; lane < Lanes<T>::count; ++lane) {
        EXPECT_NEAR(static_cast<double>(Lanes<T>::one(found[v], lane)), expected[v], tolerance);
      }
    }
  }
};
using All = testing::Types<float, Pack<float>, Pack<double>>;
TYPED_TEST_SUITE(NumberTypes, All);

TYPED_TEST(NumberTypes, PenaltiesAgree) {
  using T = TypeParam;
  using R = RealOf<T>;
  RandomFlow random(7);
  const Gas<R> gas{R(1.4), R(1e-10)};
  for (int trial = 0; trial < 50; ++trial) {
    const Area<double> area = random.area();
    const Conserved<double> w = random.moving(random.uniform(-1.5, 1.5), area);
    const Conserved<double> outside = random.state();
    const Given<double> given{{1.2, 1.6, {{0.6, 0, -0.8}}}, 0.7};
    const Given<R> given_r{{R(1.2), R(1.6), {{R(0.6), R(0), R(-0.8)}}}, R(0.7)};
    double scale = 0;
    for (const Conserved<double>& s : {w, outside}) {
      scale += spectral_radius(primitive_of(s, air), area, air) * (1 + s[s_energy]);
    }
    for (const Upwinding upwinding : fluxes) {
      for (const WallPressure wall : {WallPressure::linear, WallPressure::exact}) {
        for (const SurfaceKind kind : kinds) {
          const Conserved<double> expected =
              surface_penalty(kind, w, outside, area, given, air, {upwinding, 0.1, wall});
          const Conserved<T> found = surface_penalty(kind, as<T>(w), as<T>(outside), as<T>(area),
                                                     given_r, gas, {upwinding, R(0.1), wall});
          SCOPED_TRACE(static_cast<int>(kind));
          TestFixture::expect_same(found, expected, scale);
        }
      }
    }
  }
}

TYPED_TEST(NumberTypes, DissipationAndEntropyAgree) {
  using T = TypeParam;
  using R = RealOf<T>;
  RandomFlow random(8);
  const Gas<R> gas{R(1.4), R(1e-10)};
  for (int trial = 0; trial < 50; ++trial) {
    const Area<double> area = random.area();
    const Conserved<double> w[3] = {random.state(), random.state(), random.state()};
    double scale = 0;
    for (const Conserved<double>& s : w) {
      scale += spectral_radius(primitive_of(s, air), area, air) * (1 + s[s_energy]);
    }
    TestFixture::expect_same(
        matrix_record<2>(
            T(R(0.1)), as<T>(area), [&](int j) { return as<T>(w[j]); }, gas, matrix_floors<R>()),
        matrix_record<2>(
            0.1, area, [&](int j) { return w[j]; }, air, matrix_floors<double>()),
        scale);
    const Primitive<double> f = primitive_of(w[0], air);
    TestFixture::expect_same(entropy_variables(primitive_of(as<T>(w[0]), gas), gas),
                             entropy_variables(f, air), (1 + w[0][s_energy] / f.p) * 20);
    const auto pressure = [&](int m) { return primitive_of(w[m + 1], air).p; };
    const T nu =
        widened_sensor_at(1, 3, [&](int m) { return primitive_of(as<T>(w[m + 1]), gas).p; });
    EXPECT_NEAR(static_cast<double>(Lanes<T>::one(nu, 0)), widened_sensor_at(1, 3, pressure),
                40 * std::numeric_limits<R>::epsilon() * scale);
  }
}
