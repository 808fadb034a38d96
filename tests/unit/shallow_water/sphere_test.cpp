// The flow on a panel: the fluxes of the plane where the metric is that of a plane, consistency and
// balance elsewhere, and the known flows by the equations that they solve.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "systems/shallow_water/flow.hpp"
#include "systems/shallow_water/sphere/states.hpp"

using namespace watersmeet;
using namespace watersmeet::shallow_water;

namespace sphere_test {

namespace {
constexpr double g = 9.80616, pi = std::numbers::pi;

// A sphere of tables of one entry: cell and faces at the same place.
struct Place {
  double tan[2], cos2[2];
  Place(double alpha, double beta)
      : tan{std::tan(alpha), std::tan(beta)},
        cos2{1 / (1 + tan[0] * tan[0]), 1 / (1 + tan[1] * tan[1])} {}
};
using Round = Flow<double, Traits{.sphere = true, .general = true}>;
using Level = Flow<double, Traits{.general = true}>;
Round flow_at(const Place& place, Riemann riemann) {
  Round flow;
  flow.p.gravity = g;
  flow.mesh.inverse_spacing[0] = flow.mesh.inverse_spacing[1] = 1;
  flow.p.kappa = schemes::kappa_weights(1.0 / 3);
  flow.p.riemann = riemann;
  flow.mesh.tables.tan_centre = flow.mesh.tables.tan_face = {place.tan};
  flow.mesh.tables.cos2_centre = flow.mesh.tables.cos2_face = {place.cos2};
  return flow;
}
// i = 0 takes alpha, j = 1 takes beta.
constexpr exec::PlanePlace here = {0, 1, 0};
const Riemann solvers[] = {Riemann::osher, Riemann::hllc, Riemann::linearised};

Round::Edge<double> edge(double eta, double u, double v, double bed) {
  Round::Edge<double> e{};
  e[w_eta] = eta;
  e[w_u] = u;
  e[w_v] = v;
  e[w_bed] = bed;
  return e;
}
}  // namespace

// With equal states on both sides the record is the physical flux, less the pressure.
TEST(SphereFlow, FluxesAreConsistent) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 100; ++trial) {
    const Place place(0.7 * uniform(generator), 0.7 * uniform(generator));
    const auto m = schemes::panel_point(place.tan[0], place.cos2[0], place.tan[1], place.cos2[1]);
    const double h = 2 + uniform(generator), u = uniform(generator), v = uniform(generator);
    const auto e = edge(0.5, u, v, 0.5 - h);
    for (const Riemann riemann : solvers) {
      const Round flow = flow_at(place, riemann);
      const auto x = flow.flux<0, double>(e, e, 0.0, here);
      const auto y = flow.flux<1, double>(e, e, 0.0, here);
      const double length = m.area();
      const double expected_x[] = {h * u, h * u * u, h * u * u, h * u * v, h * u * v};
      const double expected_y[] = {h * v, h * v * v, h * v * v, h * u * v, h * u * v};
      for (int r = 0; r < n_curved_records; ++r) {
        EXPECT_NEAR(x[r], length * expected_x[r], 1e-12 * length) << int(riemann) << " " << r;
        EXPECT_NEAR(y[r], length * expected_y[r], 1e-12 * length) << int(riemann) << " " << r;
      }
    }
  }
}

// In the middle of a panel the metric is that of a plane: the records are those of the plane's
// flow.
TEST(SphereFlow, IsThatOfAPlaneInTheMiddleOfAPanel) {
  const Place place(0, 0);
  Level plane;
  plane.p.gravity = g;
  const auto l = edge(0.3, 0.4, -0.2, -1.0), r = edge(-0.1, -0.3, 0.6, -0.8);
  // An edge on a plane has room for what only dry cells need.
  const auto on_plane = [](const auto& e) {
    Level::Edge<double> more = {};
    for (int v = 0; v < n_states; ++v) more[v] = e[v];
    return more;
  };
  for (const Riemann riemann : solvers) {
    plane.p.riemann = riemann;
    const Round flow = flow_at(place, riemann);
    const auto flat = plane.flux<0, double>(on_plane(l), on_plane(r), 0.0);
    const auto round = flow.flux<0, double>(l, r, 0.0, here);
    for (int v = 0; v < n_records; ++v) EXPECT_NEAR(round[v], flat[v], 1e-14) << v;
    EXPECT_NEAR(round[r_along_above], flat[r_along], 1e-14);
  }
}

// Momentum along the face differs from side to side by g^12 times the pressures' difference, and
// water at rest exerts none, whatever the bed does.
TEST(SphereFlow, PressuresAndRestAreBalanced) {
  const Place place(0.5, -0.6);
  const auto m = schemes::panel_point(place.tan[0], place.cos2[0], place.tan[1], place.cos2[1]);
  for (const Riemann riemann : solvers) {
    const Round flow = flow_at(place, riemann);
    const auto rest = flow.flux<0, double>(edge(0.3, 0, 0, -1.0), edge(0.3, 0, 0, -2.0), 0.0, here);
    for (int r = 0; r < n_curved_records; ++r) EXPECT_EQ(rest[r], 0) << r;
    const auto x =
        flow.flux<0, double>(edge(0.3, 0.4, -0.2, -1), edge(0.1, 0.2, 0.6, -1), 0.0, here);
    const double jump = 0.5 * g * (1.1 * 1.1 - 1.3 * 1.3) * m.area();
    EXPECT_NEAR(x[r_below] - x[r_above], m.g11() * jump, 1e-12);
    EXPECT_NEAR(x[r_along] - x[r_along_above], m.g12() * jump, 1e-12);
  }
}

// Curvature and rotation by their definitions: -G^i_jk h u^j u^k and -f L (g^2i hu - g^1i hv).
TEST(SphereFlow, TurnsByChristoffelSymbolsAndRotation) {
  const double radius = 3, alpha = 0.4, beta = -0.55, h = 2, u = 0.7, v = -0.3;
  const Place place(alpha, beta);
  const double x = place.tan[0], y = place.tan[1], d2 = 1 + x * x + y * y;
  const auto m = schemes::panel_point(x, place.cos2[0], y, place.cos2[1]);
  Round flow = flow_at(place, Riemann::osher);
  flow.mesh.curvature = 2 / radius;
  const double turn[3] = {0.1, -0.2, 0.3};  // twice the rotation along ea, eb, n
  for (int c = 0; c < 3; ++c) flow.mesh.rotation[0][c] = turn[c];
  const double f = (turn[2] + x * turn[0] + y * turn[1]) / std::sqrt(d2);
  const double g1_11 = 2 * x * y * y / d2, g1_12 = -y * (1 + y * y) / d2;
  const double g2_12 = -x * (1 + x * x) / d2, g2_22 = 2 * x * x * y / d2;
  Conserved<double> rate = {{0, 0, 0}};
  const Primitive<double> w = {{0.5, u, v, 0.5 - h}};
  flow.add_sources(rate, w, conserved_of(w), here, 0.1);
  const double length = m.area();
  EXPECT_NEAR(rate[s_hu],
              -(g1_11 * h * u * u + 2 * g1_12 * h * u * v) / radius -
                  f * length * (m.g12() * h * u - m.g11() * h * v),
              1e-14);
  EXPECT_NEAR(rate[s_hv],
              -(2 * g2_12 * h * u * v + g2_22 * h * v * v) / radius -
                  f * length * (m.g22() * h * u - m.g12() * h * v),
              1e-14);
  EXPECT_EQ(rate[s_eta], 0);
}

// The steady zonal flows solve g h_lat = -u (f a + u tan(lat)), by a central difference.
TEST(SphereStates, SteadyFlowsAreBalanced) {
  const Planet earth;
  for (const char* const name : {"williamson-2", "barotropic-jet"}) {
    const SphereState state(name, earth, false);
    ASSERT_TRUE(state.exact());
    for (const double lat : {-0.9, 0.2, 0.6, 0.8, 1.05, 1.3}) {
      const double step = 1e-4, lon = 0.7;
      const auto v = state.at(lon, lat, 0);
      const double slope =
          (state.at(lon, lat + step, 0).depth - state.at(lon, lat - step, 0).depth) / (2 * step);
      const double balance =
          -v.east * (2 * earth.rate * std::sin(lat) * earth.radius + v.east * std::tan(lat));
      EXPECT_NEAR(earth.gravity * slope, balance, 1e-5 * std::abs(balance) + 1e-2) << name << lat;
    }
  }
  EXPECT_NEAR(SphereState("barotropic-jet", earth, false).at(0, pi / 4, 0).east, 80, 1e-9);
}

// A quarter of a turn later the bell is a quarter of a turn further, along a tilted axis too.
TEST(SphereStates, TheBellIsCarriedRound) {
  Planet planet;
  const SphereState along("williamson-1", planet, true);
  const double turn = 12 * 86400;
  EXPECT_NEAR(along.at(1.5 * pi, 0, 0).depth, 2000, 1e-9);
  EXPECT_NEAR(along.at(0, 0, turn / 4).depth, 2000, 1e-9);
  EXPECT_NEAR(along.at(1.5 * pi + 0.1, 0.1, turn).depth, along.at(1.5 * pi + 0.1, 0.1, 0).depth,
              1e-9);
  planet.tilt = pi / 2;  // over the poles
  const SphereState over("williamson-1", planet, true);
  EXPECT_NEAR(over.at(0.3, pi / 2, turn / 4).depth + over.at(0.3, -pi / 2, turn / 4).depth, 3000,
              1e-9);
  EXPECT_NEAR(over.at(pi / 2, 0, turn / 2).depth, 2000, 1e-9);
}

// Rossby and Haurwitz's wave repeats every quarter and is symmetric about the equator; the mountain
// stands at 270 degrees east, 30 north.
TEST(SphereStates, WavesAndMountainStandWhereTheyShould) {
  const Planet earth;
  const SphereState wave("williamson-6", earth, true), mountain("williamson-5", earth, true);
  const auto a = wave.at(0.2, 0.6, 0), b = wave.at(0.2 + pi / 2, 0.6, 0), c = wave.at(0.2, -0.6, 0);
  EXPECT_NEAR(a.depth, b.depth, 1e-9);
  EXPECT_NEAR(a.depth, c.depth, 1e-9);
  EXPECT_NEAR(a.east, c.east, 1e-12);
  EXPECT_NEAR(a.north, -c.north, 1e-12);
  EXPECT_NEAR(mountain.at(1.5 * pi, pi / 6, 0).bed, 2000, 1e-9);
  EXPECT_EQ(mountain.at(1.5 * pi, pi / 6 + pi / 8.9, 0).bed, 0);
}

}  // namespace sphere_test
