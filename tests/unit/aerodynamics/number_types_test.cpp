// The same formulas on packs and in single precision as in double precision.

// GCC 12 calls its own _mm512_undefined_pd() uninitialised (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"

// Before the formulas, which look up the functions of packs where they are defined.
#include "core/pack.hpp"

#include <gtest/gtest.h>

#include "systems/aerodynamics/penalty.hpp"
#include "unit/aerodynamics/random_flow.hpp"

using namespace watersmeet;
using namespace watersmeet::aerodynamics;

template <class T>
class EquationsOn : public testing::Test {};
using NumberTypes = testing::Types<float, Pack<float>, Pack<double>>;
TYPED_TEST_SUITE(EquationsOn, NumberTypes);

TYPED_TEST(EquationsOn, AllNumberTypesAgree) {
  using T = TypeParam;
  using R = RealOf<T>;
  RandomFlow random(7);
  const Gas<R> gas{R(1.4), R(1e-10)};
  const double tolerance = std::is_same_v<R, float> ? 2e-5 : 1e-12;
  for (int trial = 0; trial < 20; ++trial) {
    const State<double> l = random.state(), r = random.state();
    const Area<double> area = random.area();
    State<T> tl, tr;
    Area<T> ta;
    for (int v = 0; v < n_variables; ++v) tl[v] = T(R(l[v])), tr[v] = T(R(r[v]));
    for (int m = 0; m < 3; ++m) ta[m] = T(R(area[m]));
    for (const Upwinding upwinding : {Upwinding::roe, Upwinding::hlle, Upwinding::rusanov,
                                      Upwinding::central, Upwinding::entropy_conservative}) {
      const State<double> expected = numerical_flux(upwinding, l, r, area, air, 0.1);
      const State<T> found = numerical_flux(upwinding, tl, tr, ta, gas, R(0.1));
      for (int v = 0; v < n_variables; ++v) {
        for (int lane = 0; lane < Lanes<T>::count; ++lane) {
          EXPECT_NEAR(static_cast<double>(Lanes<T>::one(found[v], lane)), expected[v],
                      tolerance * (1 + std::abs(expected[v]) +
                                   spectral_radius(flow_of(l, air), area, air) * 20));
        }
      }
    }
  }
}
