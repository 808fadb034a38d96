// The states beyond a boundary against the formulas of each kind, written out here, and the ghost
// cells that the loop fills with them.
#include "systems/multicomponent/boundaries.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "exec/boundary_cpu.hpp"
#include "memory/state.hpp"

namespace watersmeet::multicomponent {
namespace {

using W = Primitive<double>;

// A state with normal velocity u along `axis`.
W along(int axis, double rho, double u, double tangent, double p, double gamma = 0.25,
        double pi = 3.0) {
  W w{{rho, tangent, tangent, tangent, p, gamma, pi}};
  w[w_u + axis] = u;
  return w;
}
double sound(const W& w) {
  return std::sqrt(((w[w_gamma] + 1) * w[w_p] + w[w_pi]) / (w[w_gamma] * w[w_rho]));
}

TEST(NonreflectingState, FollowsTheCharacteristicRelationsOnAllSixSides) {
  for (const double sign : {1.0, -1.0}) {
    for (int axis = 0; axis < 3; ++axis) {
      // Leaves: interior 0.3 outward. Enters: 0.3 inward, which the far field's pressure cannot
      // turn.
      for (const double u : {0.3, -0.3}) {
        const W w = along(axis, 2.0, sign * u, 0.7, 1.1);
        const W far = along(axis, 1.5, sign * -0.1, -0.2, 1.0, 0.4, 2.0);
        const W g = nonreflecting_state(w, far, axis, sign);
        const double z = w[w_rho] * sound(w);
        const double u_n = 0.5 * (u - 0.1) + (1.1 - 1.0) / (2 * z);
        const double p = 0.5 * (1.1 + 1.0) + 0.5 * z * (u + 0.1);
        EXPECT_NEAR(sign * g[w_u + axis], u_n, 1e-14);
        EXPECT_NEAR(g[w_p], p, 1e-14);
        ASSERT_EQ(u_n > 0, u > 0) << "the test is to see both directions";
        const W& from = u > 0 ? w : far;
        const double c = sound(w);
        EXPECT_NEAR(g[w_rho], u > 0 ? 2.0 + (p - 1.1) / (c * c) : 1.5, 1e-14);
        EXPECT_EQ(g[w_gamma], from[w_gamma]);
        EXPECT_EQ(g[w_pi], from[w_pi]);
        for (const int t : {(axis + 1) % 3, (axis + 2) % 3}) EXPECT_EQ(g[w_u + t], from[w_u + t]);
      }
    }
  }
}

// u_n = u and p = p_0 for p' = Z u': an outgoing wave sees itself, and so reflects nothing.
TEST(NonreflectingState, LetsAnOutgoingWavePass) {
  const W far = along(0, 2.0, 0.0, 0.0, 1.0);
  const double z = far[w_rho] * sound(far), u = 1e-6;
  const W w = along(0, 2.0 + u * 2.0 / sound(far), u, 0.0, 1.0 + z * u);
  const W g = nonreflecting_state(w, far, 0, 1.0);
  // Z of the interior differs from that of the far field by a part of the amplitude.
  EXPECT_NEAR(g[w_u], w[w_u], 1e-5 * u);
  EXPECT_NEAR(g[w_p] - 1.0, w[w_p] - 1.0, 1e-5 * z * u);
}

TEST(NonreflectingState, TakesOneSideWholeBeyondTheSpeedOfSound) {
  const W far = along(1, 1.5, 0.2, -0.2, 1.0, 0.4, 2.0);
  const double c = sound(along(1, 2.0, 0, 0, 1.1));
  for (const double outward : {1.0, -1.0}) {
    const W leaves = along(1, 2.0, outward * 1.01 * c, 0.7, 1.1);
    const W enters = along(1, 2.0, -outward * 1.01 * c, 0.7, 1.1);
    for (int v = 0; v < n_variables; ++v) {
      EXPECT_EQ(nonreflecting_state(leaves, far, 1, outward)[v], leaves[v]);
      EXPECT_EQ(nonreflecting_state(enters, far, 1, outward)[v], far[v]);
    }
  }
}

TEST(NonreflectingState, NeverGivesAStateThatIsNotAdmissible) {
  // The far field rushes away: p = p_0 + Z (u - 40) / 2 < 0.
  const W w = along(0, 1.0, -0.9 * std::sqrt(1.4e-2), 0.0, 0.01, 2.5, 0.0);
  const W far = along(0, 1.0, 40.0, 0.0, 0.01, 2.5, 0.0);
  const W g = nonreflecting_state(w, far, 0, 1.0);
  EXPECT_TRUE(admissible(g));
  for (int v = 0; v < n_variables; ++v) EXPECT_EQ(g[v], w[v]);
}

// A block of random states with conditions on some sides, and their tables.
template <class R>
struct Sides {
  Queue queue{Backend::cpu, nullptr, 3};
  Index3 n;
  memory::State state;
  std::vector<std::uint8_t> kind[6];
  std::vector<R> states[6];
  BoundaryCall call;
  std::mt19937 generator{7};

  explicit Sides(const Index3& cells) : n(cells) {
    Index3 ghosts{};
    for (std::size_t a = 0; a < 3; ++a) ghosts[a] = n[a] > 1 ? 3 : 0;
    const std::vector<memory::BlockShape> shapes = {{n, ghosts}};
    state = memory::State(shapes, n_variables, 1,
                          sizeof(R) == 8 ? Precision::double_ : Precision::single_, queue);
    const std::size_t values = state.register_bytes() / sizeof(R);
    for (std::size_t i = 0; i < values; ++i) static_cast<R*>(state.start(0))[i] = R(-77);
    for (std::int64_t k = 0; k < n[2]; ++k)
      for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t i = 0; i < n[0]; ++i) {
          const Conserved<R> s = conserved_of(random_state(), false);
          for (int v = 0; v < n_variables; ++v) at(v, {i, j, k}) = s[v];
        }
  }
  R uniform(double low, double high) {
    return static_cast<R>(std::uniform_real_distribution<double>(low, high)(generator));
  }
  Primitive<R> random_state() {
    return {{uniform(0.5, 3), uniform(-0.4, 0.4), uniform(-0.4, 0.4), uniform(-0.4, 0.4),
             uniform(0.5, 2), uniform(0.2, 2.5), uniform(0, 3)}};
  }
  R& at(int v, const Index3& c) {
    const BlockLayout& l = state.layout(0);
    return static_cast<R*>(state.start(0))[l.first + v * l.stride_var + l.at(c[0], c[1], c[2])];
  }
  Conserved<R> stored(const Index3& c) {
    Conserved<R> s;
    for (int v = 0; v < n_variables; ++v) s[v] = at(v, c);
    return s;
  }
  // Kinds in turn over the cells, and a random state for each.
  void add_side(int s) {
    const std::int64_t cells = n[0] * n[1] * n[2] / n[static_cast<std::size_t>(s / 2)];
    for (std::int64_t c = 0; c < cells; ++c) {
      kind[s].push_back(static_cast<std::uint8_t>(1 + (c + s) % 4));
    }
    states[s].resize(static_cast<std::size_t>(n_variables * cells));
    for (std::int64_t c = 0; c < cells; ++c) {
      const Primitive<R> w = random_state();
      for (int v = 0; v < n_variables; ++v) {
        states[s][static_cast<std::size_t>(v * cells + c)] = w[v];
      }
    }
    call.side[s] = {kind[s].data(), states[s].data(), cells};
    call.any = true;
  }
};

template <class R>
void check_all_sides(const Index3& n, unsigned wanted) {
  SCOPED_TRACE(testing::Message() << n[0] << " x " << n[1] << " x " << n[2]);
  Sides<R> block(n);
  const auto has = [&](int s) {
    return (wanted >> s & 1u) != 0 && n[static_cast<std::size_t>(s / 2)] > 1;
  };
  for (int s = 0; s < 6; ++s) {
    if (has(s)) block.add_side(s);
  }
  exec::fill_boundaries(exec::OnCpu{}, static_cast<R*>(block.state.start(0)), block.state.layout(0),
                        exterior_of<R>(block.call, false), block.queue);
  for (std::int64_t k = -3; k < n[2] + 3; ++k)
    for (std::int64_t j = -3; j < n[1] + 3; ++j)
      for (std::int64_t i = -3; i < n[0] + 3; ++i) {
        const Index3 c = {i, j, k};
        int outside = 0, side = -1;
        bool exists = true;
        for (int a = 0; a < 3; ++a) {
          const std::size_t x = static_cast<std::size_t>(a);
          if (c[x] >= 0 && c[x] < n[x]) continue;
          exists = exists && n[x] > 1;
          ++outside;
          side = 2 * a + (c[x] < 0 ? 0 : 1);
        }
        if (!exists || outside == 0) continue;
        const Conserved<R> found = block.stored(c);
        if (outside > 1 || !has(side)) {
          EXPECT_EQ(found[0], R(-77)) << "edges and other sides must stay as they are";
          continue;
        }
        const int axis = side / 2;
        const std::size_t x = static_cast<std::size_t>(axis);
        const std::int64_t layer = side % 2 == 0 ? -1 - c[x] : c[x] - n[x];
        const int lower = axis == 0 ? 1 : 0, higher = axis == 2 ? 1 : 2;
        const std::int64_t cell =
            c[static_cast<std::size_t>(lower)] +
            n[static_cast<std::size_t>(lower)] * c[static_cast<std::size_t>(higher)];
        Index3 inside = c, mirror = c;
        inside[x] = side % 2 == 0 ? 0 : n[x] - 1;
        mirror[x] = side % 2 == 0 ? layer : n[x] - 1 - layer;
        Primitive<R> given;
        for (int v = 0; v < n_variables; ++v) {
          given[v] =
              block.states[side][static_cast<std::size_t>(v * block.call.side[side].cells + cell)];
        }
        Conserved<R> expected = block.stored(inside);
        const auto kind =
            static_cast<BoundaryKind>(block.kind[side][static_cast<std::size_t>(cell)]);
        if (kind == BoundaryKind::inflow) expected = conserved_of(given, false);
        if (kind == BoundaryKind::nonreflecting) {
          expected = conserved_of(nonreflecting_state(primitive_of(expected, false), given, axis,
                                                      side % 2 == 0 ? R(-1) : R(1)),
                                  false);
        }
        if (kind == BoundaryKind::reflecting) {
          expected = block.stored(mirror);
          expected[s_mx + axis] = -expected[s_mx + axis];
        }
        const R tolerance = kind == BoundaryKind::absorbing || kind == BoundaryKind::reflecting
                                ? R(0)
                                : 20 * std::numeric_limits<R>::epsilon();
        for (int v = 0; v < n_variables; ++v) {
          EXPECT_NEAR(found[v], expected[v], tolerance * (1 + std::abs(expected[v])))
              << "side " << side << " layer " << layer << " variable " << v;
        }
      }
}

TEST(BoundaryFill, FillsWhatLiesBehindFacesAndNothingElse) {
  for (const Index3& n : std::vector<Index3>{{5, 4, 3},
                                             {3, 7, 1},
                                             {1, 5, 1},
                                             {1, 1, 4},
                                             {9, 1, 1},
                                             {3, 3, 3},
                                             {1, 4, 6},
                                             {40, 35, 3}}) {
    check_all_sides<double>(n, 0x3f);
    check_all_sides<float>(n, 0x3f);
    check_all_sides<double>(n, 0x19);
    check_all_sides<double>(n, 0x24);
  }
}

TEST(BoundaryFill, KeepsEnergyRightWhereEMinusPiIsStored) {
  const W w = along(0, 2.0, 0.3, 0.7, 1.1);
  const W far = along(0, 1.5, -0.1, -0.2, 1.0, 0.4, 2.0);
  const double table[n_variables] = {far[0], far[1], far[2], far[3], far[4], far[5], far[6]};
  for (const auto kind : {BoundaryKind::absorbing, BoundaryKind::inflow,
                          BoundaryKind::nonreflecting, BoundaryKind::reflecting}) {
    const std::uint8_t word = static_cast<std::uint8_t>(kind);
    BoundaryCall call;
    call.side[1] = {&word, table, 1};
    Primitive<double> found[2];
    for (const bool split : {false, true}) {
      const Conserved<double> s = conserved_of(w, split);
      const auto line = [&](int v, int) { return s[v]; };
      found[split] = primitive_of(exterior_of<double>(call, split)(1, 0, 0, line), split);
    }
    for (int v = 0; v < n_variables; ++v) EXPECT_NEAR(found[0][v], found[1][v], 1e-14);
  }
}

}  // namespace
}  // namespace watersmeet::multicomponent
