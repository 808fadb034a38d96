// A cell of shallow water: friction and Coriolis against their closed forms, no more water drained
// than there is, the states beyond a boundary.
#include "systems/shallow_water/flow.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "systems/shallow_water/boundaries.hpp"

using namespace watersmeet;
using namespace watersmeet::shallow_water;

namespace {
constexpr double g = 9.81;
constexpr Traits wetting{.general = true, .wet_dry = true};
using General = Flow<double, Traits{.general = true}>;
using Films = Flow<double, wetting>;

template <class AnyFlow = General>
AnyFlow general_flow() {
  AnyFlow flow;
  flow.p.gravity = g;
  flow.mesh.inverse_spacing[0] = flow.mesh.inverse_spacing[1] = 1;
  flow.p.kappa = schemes::kappa_weights(1.0 / 3);
  return flow;
}

const BoundaryKind kinds[] = {BoundaryKind::open, BoundaryKind::inflow, BoundaryKind::level,
                              BoundaryKind::flow, BoundaryKind::far};
}  // namespace

// Between equal states every solver gives the flux of equations (1) to (3) without the pressure.
TEST(ShallowFlow, AlikeSidesHaveTheFluxOfTheEquations) {
  auto flow = general_flow();
  const Primitive<double> w = {{0.4, 1.3, -0.7, -1.1}};
  General::Edge<double> edge = {};
  for (int v = 0; v < n_states; ++v) edge[v] = w[v];
  const double h = 1.5, pressure = g * h * h / 2;
  const auto expect = [&](const auto& record, const Conserved<double>& f, int normal, int along) {
    EXPECT_NEAR(record[r_mass], f[s_eta], 1e-14);
    EXPECT_NEAR(record[r_below] + pressure, f[normal], 1e-13);
    EXPECT_NEAR(record[r_above] + pressure, f[normal], 1e-13);
    EXPECT_NEAR(record[r_along], f[along], 1e-14);
  };
  for (const Riemann solver : {Riemann::osher, Riemann::hllc, Riemann::linearised}) {
    flow.p.riemann = solver;
    expect(flow.flux<0, double>(edge, edge, 0.0), flux<0>(w, g), s_hu, s_hv);
    expect(flow.flux<1, double>(edge, edge, 0.0), flux<1>(w, g), s_hv, s_hu);
  }
  EXPECT_NEAR((flux<0>(w, g)[s_hu]), h * 1.3 * 1.3 + pressure, 1e-14);
  EXPECT_NEAR((flux<1>(w, g)[s_hu]), -h * 1.3 * 0.7, 1e-14);
}

// Amounts whose squares and reciprocals leave the range of normal numbers.
template <class R>
void expect_finite_films() {
  using Films = Flow<R, wetting>;
  Films flow;
  flow.p.gravity = R(g);
  flow.p.dry_depth = R(1e-12);
  flow.mesh.inverse_spacing[0] = flow.mesh.inverse_spacing[1] = 1;
  const R least = least_normal<R>;
  for (const R tiny : {least, R(0.25) * least, R(1e-3) * least}) {
    EXPECT_EQ(root_of_positive(R(0.5) * tiny), R(0));
    for (const Riemann solver : {Riemann::osher, Riemann::hllc}) {
      flow.p.riemann = solver;
      typename Films::template Edge<R> l = {}, r = {};
      l[w_eta] = tiny;
      l[w_u] = 1;
      const auto record = flow.template flux<0, R>(l, r, R(1));
      for (int v = 0; v < record.size; ++v) EXPECT_TRUE(std::isfinite(record[v]));
    }
    for (const R discharge : {tiny, std::sqrt(tiny)}) {
      const Conserved<R> stored = {{R(1e-6), discharge, -discharge}};
      Vec<R, Films::rates> rate = {};  // the head is 0
      flow.add_sources(rate, primitive_of(stored, R(0), flow.p.dry_depth), stored, {}, R(1));
      EXPECT_LE(std::abs(stored[s_hu] + rate[s_hu]), tiny);
      EXPECT_LE(std::abs(stored[s_hv] + rate[s_hv]), tiny);
    }
  }
}
TEST(ShallowFlow, FilmsOfTinyAmountsStayFinite) {
  expect_finite_films<float>();
  expect_finite_films<double>();
}

// n = 0.03, h = 2, |u| = 5: c_f = g n^2 |u| / h^(4/3), and with drag and linear friction too.
TEST(ShallowFlow, FrictionFollowsItsFormulas) {
  const double h = 2, speed = 5;
  EXPECT_NEAR(friction_rate(h, speed, Friction<double>{g * 9e-4, 0, 0}),
              g * 9e-4 * speed / std::pow(h, 4.0 / 3), 1e-16);
  EXPECT_NEAR(friction_rate(h, speed, Friction<double>{0, 0.0025, 0.1}), 0.0025 * speed / h + 0.1,
              1e-16);
}

using Rates = Vec<double, General::rates>;

// An Euler step with nothing but friction divides the momentum by 1 + z + z^2 + z^3, z = dt c_f,
// however large; for small z that is explicit Euler up to z^4.
TEST(ShallowFlow, FrictionIsImplicit) {
  auto flow = general_flow();
  flow.p.friction.linear = 3;
  for (const double dt : {0.01, 100.0}) {
    const Conserved<double> stored = {{2, 8, -6}};
    const Primitive<double> w = primitive_of(stored, 0.0, 0.0);
    Rates rate = {};
    flow.add_sources(rate, w, stored, {}, dt);
    const double z = 3 * dt, divisor = (1 + z) * (1 + z * z);
    EXPECT_NEAR(stored[s_hu] + dt * rate[s_hu], 8 / divisor, 1e-13);
    EXPECT_NEAR(stored[s_hv] + dt * rate[s_hv], -6 / divisor, 1e-13);
    EXPECT_EQ(rate[s_eta], 0);
  }
}

TEST(ShallowFlow, CoriolisTurnsToTheRightAndGrowsWithTheRow) {
  auto flow = general_flow();
  flow.mesh.coriolis_first = 1e-4;
  flow.mesh.coriolis_step = 2e-6;
  flow.mesh.first_j = 10;
  const Conserved<double> stored = {{2, 8, -6}};
  Rates rate = {};
  flow.add_sources(rate, primitive_of(stored, 0.0, 0.0), stored, {0, 5, 0}, 1.0);
  const double f = 1e-4 + 15 * 2e-6;
  EXPECT_NEAR(rate[s_hu], f * -6, 1e-18);
  EXPECT_NEAR(rate[s_hv], -f * 8, 1e-18);
}

// Random water, shallow and fast, on a rough bed: after an Euler step of any length all depths are
// positive.
TEST(ShallowFlow, NoStepDrainsACell) {
  std::mt19937 generator(9);
  std::uniform_real_distribution<double> uniform(-1, 1);
  auto flow = general_flow<Films>();
  flow.p.dry_depth = 1e-8;
  constexpr int n = 41;
  for (int trial = 0; trial < 200; ++trial) {
    flow.p.limiter = trial % 2 ? schemes::Limiter::van_leer : schemes::Limiter::none;
    flow.p.riemann = trial % 4 < 2 ? Riemann::hllc : Riemann::osher;
    const double dt = std::pow(10.0, 2 * uniform(generator));
    std::vector<Primitive<double>> w(n);
    for (auto& p : w) {
      const double bed = uniform(generator), h = std::max(0.0, uniform(generator));
      p = {{bed + h, h > 0 ? 9 * uniform(generator) : 0.0, h > 0 ? 9 * uniform(generator) : 0.0,
            bed}};
    }
    // One row that repeats across, so that the faces along y bring nothing in sum, but take their
    // share of the room.
    const auto edges = [&](int i) {
      return flow.edges<0, double>([&](int v, int along, int) { return w[i + along][v]; });
    };
    for (int i = 2; i < n - 2; ++i) {
      const auto e = edges(i);
      const auto lower = flow.flux<0, double>(edges(i - 1).upper, e.lower, dt);
      const auto upper = flow.flux<0, double>(e.upper, edges(i + 1).lower, dt);
      const double h = depth_of(w[static_cast<std::size_t>(i)]);
      const double left = std::max(0.0, -lower[r_mass]) + std::max(0.0, upper[r_mass]);
      EXPECT_LE(dt * left, h * (1 + 1e-14)) << trial << " " << i;
    }
  }
}

// Where all else that acts balances friction nothing changes, however stiff it is.
TEST(ShallowFlow, FrictionInBalanceChangesNothing) {
  auto flow = general_flow();
  flow.p.friction.linear = 0.5;
  for (const double dt : {0.01, 100.0}) {
    const Conserved<double> stored = {{2, 8, -6}};
    Rates rate = {};
    rate[s_hu] = 4;
    rate[s_hv] = -3;
    flow.add_sources(rate, primitive_of(stored, 0.0, 0.0), stored, {}, dt);
    EXPECT_EQ(rate[s_hu], 0);
    EXPECT_EQ(rate[s_hv], 0);
  }
}

// Water of 1e-6 m that drains to a hundredth and is pushed on: no faster than |u| + 2 c before, in
// any direction.
TEST(ShallowFlow, AFilmIsNoFasterThanItsWaves) {
  auto flow = general_flow<Films>();
  flow.p.dry_depth = 1e-8;
  const double h = 1e-6, u = 0.3, v = -0.4, dt = 0.1, reach = 0.5 + 2 * std::sqrt(g * h);
  const Conserved<double> stored = {{h, h * u, h * v}};
  Vec<double, Films::rates> rate = {};
  rate[s_eta] = -0.99 * h / dt;
  rate[s_hu] = -0.5 * h * u / dt;
  rate[s_hv] = -0.5 * h * v / dt;
  rate[g_head] = 0.5 * reach * reach;
  flow.add_sources(rate, primitive_of(stored, 0.0, 1e-8), stored, {}, dt);
  EXPECT_NEAR((h * u + dt * rate[s_hu]) / (0.01 * h), 0.6 * reach, 1e-9);
  EXPECT_NEAR((h * v + dt * rate[s_hv]) / (0.01 * h), -0.8 * reach, 1e-9);
  EXPECT_EQ(rate[s_eta], -0.99 * h / dt);
}

// The head of a cell: (|u| + 2 c)^2/2 of the cell and of wet ones beside it, with what their beds
// lie above its own; of films on a slope without c.
TEST(ShallowFlow, TheHeadIsThatOfWaterBesideOnTheHeightOfItsBed) {
  auto flow = general_flow<Films>();
  flow.p.dry_depth = 1e-8;
  // The cell, those below and above along x, and along y.
  const auto head = [&](const Primitive<double>(&w)[5]) {
    const auto window = [&](int v, int along, int across) {
      return w[along < 0 ? 1 : along > 0 ? 2 : across < 0 ? 3 : across > 0 ? 4 : 0][v];
    };
    const auto e = flow.edges<0, double>(window);
    EXPECT_EQ(flow.keep<double>(e)[1], e.lower[e_head]);
    return e.lower[e_head];
  };
  const auto cell = [](double bed, double h, double u, double v) {
    return Primitive<double>{{bed + h, u, v, bed}};
  };
  const auto sum = [](double speed, double h) {
    return std::pow(speed + 2 * std::sqrt(g * h), 2) / 2;
  };
  const auto dry = cell(0.8, 0, 0, 0);
  // Over a flat bed, where 2 is the fastest: any neighbour.
  for (int at = 0; at < 5; ++at) {
    Primitive<double> w[5];
    for (auto& p : w) p = cell(-1, 0.1, 0.1, 0);
    w[at] = cell(-1, 0.3, 0.6, -0.8);
    EXPECT_NEAR(head(w), sum(1, 0.3), 1e-14) << at;
  }
  // Only 0.1 of a depth of 0.3 counts beside a rise of 0.8; the dry cell on the rise does not.
  EXPECT_NEAR(head({cell(0, 0.3, 0, 2), dry, cell(0, 0.2, 0, 0), dry, dry}), sum(2, 0.1), 1e-14);
  // A film of 1e-3 that comes down from 0.8 is as fast as it falls, and a cell is not pushed up.
  const auto above = cell(0.8, 1e-3, 3, 0), below = cell(-0.7, 1e-3, 4, 0);
  EXPECT_NEAR(head({cell(0, 1e-3, 1, 0), above, below, dry, dry}), 4.5 + g * 0.8, 1e-14);
  EXPECT_NEAR(head({cell(0, 1e-3, 1, 0), dry, below, dry, dry}), 8 - g * 0.7, 1e-14);
}

TEST(ShallowBoundaries, WaterAtRestIsContinuedToTheLastBit) {
  const Primitive<double> w = {{0.37, 0, 0, -2.113}};
  for (const BoundaryKind kind : kinds) {
    for (int axis = 0; axis < 2; ++axis) {
      const auto ghost = exterior_point<double>(kind, w, {0.37, 0, 0}, axis, -1, g);
      for (int v = 0; v < n_states; ++v) EXPECT_EQ(ghost[v], w[v]) << int(kind) << " " << v;
    }
  }
}

// What leaves keeps u_n + 2 c; what comes in has the prescribed value.
TEST(ShallowBoundaries, CharacteristicsCarryTheirInvariants) {
  const Primitive<double> w = {{0.2, 0.5, -0.3, -2}};
  const Prescribed<double> far = {0.35, -0.2, 0.7};
  const auto c_of = [](const Primitive<double>& p) { return std::sqrt(g * depth_of(p)); };
  for (int axis = 0; axis < 2; ++axis) {
    for (const double outward : {-1.0, 1.0}) {
      const double u = outward * w[w_u + axis], u_far = outward * (axis == 0 ? far.u : far.v);
      const double leaving = u + 2 * c_of(w), c_far = std::sqrt(g * 2.35);
      for (const BoundaryKind kind : {BoundaryKind::level, BoundaryKind::flow, BoundaryKind::far}) {
        const auto ghost = exterior_point<double>(kind, w, far, axis, outward, g);
        const double u_ghost = outward * ghost[w_u + axis];
        EXPECT_NEAR(u_ghost + 2 * c_of(ghost), leaving, 1e-13);
        if (kind == BoundaryKind::level) {
          EXPECT_EQ(ghost[w_eta], far.eta);
        }
        if (kind == BoundaryKind::flow) {
          EXPECT_NEAR(u_ghost, u_far, 1e-15);
        }
        if (kind == BoundaryKind::far) {
          EXPECT_NEAR(u_ghost - 2 * c_of(ghost), u_far - 2 * c_far, 1e-13);
        }
        const double along = axis == 0 ? far.v : far.u;
        EXPECT_EQ(ghost[w_v - axis], u_ghost >= 0 ? w[w_v - axis] : along);
      }
      const auto wall = exterior_point<double>(BoundaryKind::wall, w, far, axis, outward, g);
      EXPECT_EQ(wall[w_u + axis], -w[w_u + axis]);
      EXPECT_EQ(wall[w_eta], w[w_eta]);
    }
  }
  // Over dry ground u_n - 2 c would come in twice as fast as the waves of the level.
  for (const double outward : {-1.0, 1.0}) {
    const auto ghost =
        exterior_point<double>(BoundaryKind::level, {{-2, 0, 0, -2}}, far, 0, outward, g);
    EXPECT_EQ(ghost[w_eta], far.eta);
    EXPECT_NEAR(outward * ghost[w_u], -std::sqrt(g * 2.35), 1e-13);
  }
  const Primitive<double> fast = {{0.2, 9, 0.1, -2}};
  for (const BoundaryKind kind : {BoundaryKind::level, BoundaryKind::flow, BoundaryKind::far}) {
    const auto ghost = exterior_point<double>(kind, fast, far, 0, 1, g);
    for (int v = 0; v < n_states; ++v) EXPECT_EQ(ghost[v], fast[v]);
  }
}
