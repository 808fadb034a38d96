// What the two-fluid scheme must keep: interfaces in uniform u and p, uniform Gamma and Pi, sums
// over a periodic box, admissible edges; and its pointwise terms against their formulas.
#include "systems/multicomponent/flow.hpp"
#include "core/math.hpp"

#include <cmath>

#include "two_fluid_problem.hpp"

using namespace watersmeet;
using namespace watersmeet::multicomponent;

namespace flow_test {

namespace {

constexpr Variant variants[] = {Variant::js, Variant::z, Variant::general};

// Air for share = 1, water for 0, at one pressure and velocity. `warmth` divides the density: were
// all variables linear in the share, any reconstruction would see the same jumps in all of them.
Primitives mixture(double share, double warmth, const double (&u)[3], double p) {
  return {{(share * 1.204e-3 + (1 - share)) / warmth, u[0], u[1], u[2], p,
           share * gamma_air + (1 - share) * gamma_water, share * pi_air + (1 - share) * pi_water}};
}

// Largest deviation of p and u from the uniform ones after `steps` Euler steps, relative.
struct Deviation {
  double p = 0, u = 0;
};
template <class R>
Deviation deviation(const TwoFluidProblem<R>& p, const double (&u)[3], double pressure, int reg) {
  Deviation d;
  p.for_cells([&](const Index3& c) {
    const Seven w = p.primitive(reg, c);
    d.p = max_or_nan(d.p, double(std::fabs(w[4] / pressure - 1)));
    for (std::size_t a = 0; a < 3; ++a) {
      d.u = max_or_nan(d.u, double(std::fabs(w[1 + a] - u[a])));
    }
  });
  return d;
}

}  // namespace

// A sharp, a smeared and a ragged air-water interface in uniform flow: pressure and velocity stay,
// whatever the options. What is lost is rounding, magnified by (E + Pi) / (Gamma p) and, in air, by
// the density ratio.
TEST(TwoFluidFlow, UniformPressureAndVelocityStayAtAnInterface) {
  const double u[3] = {0.3, -0.2, 0.1}, pressure = 0.1;
  for (const Variant variant : variants) {
    for (const bool split : {false, true}) {
      for (const int choice : {0, 1, 2, 3}) {
        if (variant != Variant::general && choice > 0) continue;
        TwoFluidProblem<double> p({24, 9, 5});
        p.set_split(split);
        p.flow.faces_source = choice == 1;
        p.flow.riemann = choice == 2   ? Riemann::hll
                         : choice == 3 ? Riemann::hllc_lm
                                       : Riemann::hllc;
        p.flow.positivity = choice == 2 ? Positivity::scaling : Positivity::fallback;
        std::mt19937 generator(3);
        p.fill([&](const Index3& c) {
          const double ragged = std::uniform_real_distribution<double>(0, 1)(generator);
          const double warmth = std::uniform_real_distribution<double>(1, 2)(generator);
          return mixture(c[0] < 8 ? 1 : c[0] > 15 ? 0 : ragged, warmth, u, pressure);
        });
        p.clock.dt = 1e-2;
        p.run(variant);
        const Deviation d = deviation(p, u, pressure, 1);
        EXPECT_LT(d.p, 1e-12) << name_of(variant) << split << choice;
        EXPECT_LT(d.u, 1e-12) << name_of(variant) << split << choice;
      }
    }
  }
}

// The same with reconstruction of conserved variables: the pressure of an edge is then that of
// independently limited E, Pi and Gamma, and the interface makes waves. If this passed, the test
// above would prove nothing.
TEST(TwoFluidFlow, ConservedVariablesWouldDisturbTheInterface) {
  const double u = 0.3, pressure = 0.1;
  constexpr int count = 24;
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Primitives> cells;
  for (int i = 0; i < count; ++i) {
    const double velocity[3] = {u, 0, 0};
    const double share = i < 8 ? 1 : i > 15 ? 0 : uniform(generator);
    cells.push_back(mixture(share, 1 + uniform(generator), velocity, pressure));
  }
  const auto state = [&](int i) {
    return conserved_of(cells[static_cast<std::size_t>((i + count) % count)], false);
  };
  Flow<double, Variant::js> flow;
  for (int v = 0; v < n_variables; ++v) flow.p.weno[v] = {1e-6, 0.25};
  const auto edges = [&](int i) {
    exec::Edges<double, n_variables> e;
    for (int v = 0; v < n_variables; ++v) {
      const auto both = schemes::weno5_js(state(i - 2)[v], state(i - 1)[v], state(i)[v],
                                          state(i + 1)[v], state(i + 2)[v], flow.p.weno[v]);
      e.lower[v] = both.lower;
      e.upper[v] = both.upper;
    }
    e.lower = primitive_of(e.lower, false).values;
    e.upper = primitive_of(e.upper, false).values;
    return e;
  };
  double worst = 0;
  flow.p.inverse_spacing[0] = 2;
  for (int i = 0; i < count; ++i) {
    const auto lower = flow.flux<0>(edges(i - 1).upper, edges(i).lower);
    const auto upper = flow.flux<0>(edges(i).upper, edges(i + 1).lower);
    Conserved<double> rate{}, next = state(i);
    flow.add<0>(rate, lower, upper, primitive_of(state(i), false).values, {}, 0);
    for (int v = 0; v < n_variables; ++v) next[v] += 1e-2 * rate[v];
    worst = max_or_nan(worst, std::fabs(primitive_of(next, false)[w_p] / pressure - 1));
  }
  EXPECT_GT(worst, 1e-3);
}

// Gamma and Pi of one fluid in random flow with shocks: not a bit changes, in either precision.
template <class R>
class TwoFluidBits : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(TwoFluidBits, Precisions);

TYPED_TEST(TwoFluidBits, UniformGammaAndPiAreNotTouched) {
  using R = TypeParam;
  for (const Variant variant : variants) {
    for (const bool compaction : {false, true}) {
      TwoFluidProblem<R> p({21, 6, 5});
      p.set_split(true);
      p.flow.compaction = compaction;
      const auto draw = random_states(31, 0.9);
      p.fill([&](const Index3& c) {
        Primitives w = draw(c);
        w[w_gamma] = gamma_water;
        w[w_pi] = pi_water;
        return w;
      });
      p.clock.dt = 1e-2;
      p.run(variant);
      p.for_cells([&](const Index3& c) {
        ASSERT_EQ(p.value(1, s_gamma, c), p.value(0, s_gamma, c));
        ASSERT_EQ(p.value(1, s_pi, c), p.value(0, s_pi, c));
      });
    }
  }
}

// Sums of mass, momentum and energy over a periodic box: the rates cancel to rounding, for every
// solver and whatever fell back. Total energy also when E - Pi is stored.
TEST(TwoFluidFlow, SumsOverAPeriodicBoxAreKept) {
  for (const Variant variant : variants) {
    for (const bool split : {false, true}) {
      for (const Riemann riemann :
           {Riemann::hllc, Riemann::hllc_lm, Riemann::hll, Riemann::rusanov}) {
        TwoFluidProblem<double> p({17, 11, 8});
        p.set_split(split);
        p.flow.riemann = riemann;
        p.flow.compaction = true;
        p.fill(random_states(17));
        p.run(variant);  // the increment is the rate
        long double sum[5] = {}, size[5] = {};
        p.for_cells([&](const Index3& c) {
          for (int v = 0; v < 5; ++v) {
            long double r = p.value(2, v, c);
            if (split && v == s_energy) r += p.value(2, s_pi, c);
            sum[v] += r;
            size[v] += std::fabs(r);
          }
        });
        for (int v = 0; v < 5; ++v) {
          EXPECT_LT(double(std::fabs(sum[v]) / size[v]), 1e-14) << name_of(variant) << v;
        }
      }
    }
  }
}

// A mirrored problem gives the mirrored rates.
TEST(TwoFluidFlow, AMirroredProblemGivesMirroredRates) {
  const Index3 n = {23, 7, 6};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const Variant variant : variants) {
      TwoFluidProblem<double> p(n), q(n);
      std::vector<Primitives> drawn;
      const auto draw = random_states(41);
      p.fill([&](const Index3& c) {
        drawn.push_back(draw(c));
        return drawn.back();
      });
      const auto mirrored = [&](Index3 c) {
        c[axis] = n[axis] - 1 - c[axis];
        return c;
      };
      q.fill([&](const Index3& c) {
        const Index3 m = mirrored(c);
        Primitives w = drawn[static_cast<std::size_t>((m[2] * n[1] + m[1]) * n[0] + m[0])];
        w[w_u + static_cast<int>(axis)] = -w[w_u + static_cast<int>(axis)];
        return w;
      });
      p.run(variant);
      q.run(variant);
      double largest[n_variables] = {};
      p.for_cells([&](const Index3& c) {
        for (int v = 0; v < n_variables; ++v) {
          largest[v] = max_or_nan(largest[v], std::fabs(p.value(2, v, c)));
        }
      });
      p.for_cells([&](const Index3& c) {
        for (int v = 0; v < n_variables; ++v) {
          const double sign = v == s_mx + static_cast<int>(axis) ? -1 : 1;
          ASSERT_NEAR(p.value(2, v, c), sign * q.value(2, v, mirrored(c)), 1e-12 * largest[v]);
        }
      });
    }
  }
}

namespace {

// Five neighbouring cells as a window.
struct FiveCells {
  Primitive<double> w[5];
  double operator()(int v, int m) const { return w[m + 2][v]; }
};
// A liquid whose pressure dips towards -p_c beside a strong jump: WENO undershoots.
FiveCells hard_cells(std::mt19937& generator) {
  std::uniform_real_distribution<double> uniform(0, 1);
  FiveCells cells;
  for (auto& w : cells.w) {
    const double a = uniform(generator) < 0.5 ? 0 : 1;
    w[w_rho] = a > 0 ? 1e-3 + 1e-2 * uniform(generator) : 1;
    w[w_u] = w[w_v] = w[w_w] = uniform(generator) - 0.5;
    w[w_gamma] = a * gamma_air + (1 - a) * gamma_water;
    w[w_pi] = (1 - a) * pi_water;
    const double lowest = -w[w_pi] / (w[w_gamma] + 1);
    w[w_p] = lowest + 1e-3 + (uniform(generator) < 0.5 ? 1e-3 : 1) * uniform(generator);
  }
  return cells;
}

}  // namespace

TEST(TwoFluidEdges, AnInadmissibleEdgeIsReplacedByItsCellAndCounted) {
  Flow<double, Variant::general> off;
  for (int v = 0; v < n_variables; ++v) off.p.weno[v] = {1e-6, 0.25};
  off.p.positivity = Positivity::off;
  Flow<double, Variant::js> fallback;
  for (int v = 0; v < n_variables; ++v) fallback.p.weno[v] = off.p.weno[v];
  std::mt19937 generator(12);
  int replaced = 0, kept = 0;
  for (int n = 0; n < 4000; ++n) {
    const FiveCells cells = hard_cells(generator);
    const auto raw = off.edges<double>(cells), safe = fallback.edges<double>(cells);
    EXPECT_EQ(raw.fallbacks, 0);
    int count = 0;
    for (const bool upper : {false, true}) {
      const Primitive<double> edge{upper ? raw.upper : raw.lower},
          got{upper ? safe.upper : safe.lower};
      const bool good =
          edge[w_rho] > 0 && edge[w_gamma] > 0 && (edge[w_gamma] + 1) * edge[w_p] + edge[w_pi] > 0;
      count += !good;
      (good ? kept : replaced) += 1;
      for (int v = 0; v < n_variables; ++v) EXPECT_EQ(got[v], good ? edge[v] : cells.w[2][v]);
    }
    EXPECT_EQ(safe.fallbacks, count);
  }
  EXPECT_GT(replaced, 100);
  EXPECT_GT(kept, 1000);
}

TEST(TwoFluidEdges, ScalingKeepsEdgesAdmissibleAndLeavesGoodOnesAlone) {
  Flow<double, Variant::general> off, scaling;
  for (int v = 0; v < n_variables; ++v) off.p.weno[v] = scaling.p.weno[v] = {1e-6, 0.25};
  off.p.positivity = Positivity::off;
  scaling.p.positivity = Positivity::scaling;
  std::mt19937 generator(13);
  int changed = 0, far = 0;
  for (int n = 0; n < 4000; ++n) {
    const FiveCells cells = hard_cells(generator);
    const Primitive<double>& w = cells.w[2];
    const auto raw = off.edges<double>(cells), safe = scaling.edges<double>(cells);
    int count = 0;
    for (const bool upper : {false, true}) {
      const Primitive<double> edge{upper ? raw.upper : raw.lower},
          got{upper ? safe.upper : safe.lower};
      // One theta for all variables, from Gamma, which every change moves along.
      double theta = 1, span = 0;
      for (int v = 0; v < n_variables; ++v) {
        if (std::fabs(edge[v] - w[v]) > span) {
          span = std::fabs(edge[v] - w[v]);
          theta = (got[v] - w[v]) / (edge[v] - w[v]);
        }
      }
      if (span == 0) continue;
      EXPECT_GT(theta, -1e-12);
      EXPECT_LT(theta, 1 + 1e-12);
      for (int v = 0; v < n_variables; ++v) {
        EXPECT_NEAR(got[v], w[v] + theta * (edge[v] - w[v]), 1e-12 * (1 + span));
      }
      const double rounding = 1e-14;
      EXPECT_GE(got[w_rho], 1e-6 * w[w_rho] - rounding);
      EXPECT_GE(got[w_gamma], 1e-6 * w[w_gamma] - rounding);
      EXPECT_GE(stiff_pressure(got), 1e-6 * stiff_pressure(w) - rounding);
      count += theta < 1 - 1e-9;
      far += theta < 0.9;
      const bool good = edge[w_rho] > 1e-5 * w[w_rho] && edge[w_gamma] > 1e-5 * w[w_gamma] &&
                        (w[w_gamma] + 1) * std::min(edge[w_p] - w[w_p], 0.0) +
                                w[w_p] * (edge[w_gamma] - w[w_gamma]) >
                            0 &&
                        edge[w_pi] >= w[w_pi] &&
                        (edge[w_p] - w[w_p]) * (edge[w_gamma] - w[w_gamma]) >= 0;
      EXPECT_TRUE(!good || theta == 1) << theta;
    }
    EXPECT_GE(safe.fallbacks, count);
    changed += count;
  }
  EXPECT_GT(changed, 100);
  EXPECT_GT(far, 50);
}

// Kapila's K in three forms that are algebraically equal, read off a cell that is compressed.
TEST(TwoFluidSources, CompactionFollowsItsFormula) {
  Flow<double, Variant::js> flow;
  flow.p.compaction = true;
  flow.p.inverse_spacing[0] = 2;
  flow.p.gamma_g = gamma_air;
  flow.p.gamma_l = gamma_water;
  flow.p.pi_g = pi_air;
  flow.p.pi_l = pi_water;
  flow.p.p_c_l = 0.343;
  Record<double> lower{}, upper{};
  lower[r_velocity] = 0.25;
  upper[r_velocity] = -0.5;
  const double div = (-0.5 - 0.25) * 2;
  for (const double alpha : {0.0, 1e-10, 1e-3, 0.3, 0.5, 0.9, 1.0}) {
    for (const double p : {1e-4, 0.1, 3.0, -0.1}) {
      Primitive<double> w{};
      w[w_rho] = 1;
      w[w_p] = p;
      w[w_gamma] = alpha * gamma_air + (1 - alpha) * gamma_water;
      w[w_pi] = (1 - alpha) * pi_water;
      for (const int v : {int{s_gamma}, int{s_pi}}) lower[v] = upper[v] = w[v];
      Conserved<double> rate{};
      flow.add<0>(rate, lower, upper, w.values, {}, 0);
      // Stiffness rho_k c_k^2 of both fluids; the mixture's is Wood's.
      const double kg = 1.4 * p, kl = 6.12 * (p + 0.343);
      const double wood = 1 / (alpha / kg + (1 - alpha) / kl);
      const bool mixed = alpha > 1e-9 && alpha < 1 - 1e-9 && kg > 0 && kl > 0;
      const double k = mixed ? alpha * (wood / kg - 1) : 0;
      EXPECT_NEAR(rate[s_gamma], (gamma_air - gamma_water) * k * div, 1e-13) << alpha << " " << p;
      EXPECT_NEAR(rate[s_pi], (pi_air - pi_water) * k * div, 1e-13);
      flow.p.split = true;
      Conserved<double> split{};
      flow.add<0>(split, lower, upper, w.values, {}, 0);
      EXPECT_EQ(split[s_gamma], rate[s_gamma]);
      // E = (E - Pi) + Pi takes nothing from the source.
      EXPECT_NEAR(split[s_energy] + split[s_pi] + w[w_pi] * div, rate[s_energy], 1e-13);
      flow.p.split = false;
    }
  }
}

// Uniform flow through a cell, so that only the terms of the axis are left.
TEST(TwoFluidSources, AxisymmetryAddsWhatTheMetricAdds) {
  Flow<double, Variant::general> flow;
  flow.p.axisymmetric = true;
  flow.p.inverse_spacing[0] = 3;
  flow.p.inverse_spacing[1] = 4;
  flow.p.first_j = 7;
  const Vec<double, n_variables> w = {{0.9, 0.3, -0.4, 0.1, 0.2, 1.5, 0.25}};
  const double energy = 1.5 * 0.2 + 0.25 + 0.5 * 0.9 * (0.09 + 0.16 + 0.01);
  for (const bool split : {false, true}) {
    flow.p.split = split;
    const Record<double> face = flow.flux<1>(w, w);
    Conserved<double> rate{};
    flow.add<1>(rate, face, face, w, {{w[w_gamma], w[w_pi]}}, 2);
    const double s = -(-0.4) / ((7 + 2 + 0.5) / 4.0);  // -v / r
    EXPECT_NEAR(rate[s_rho], s * 0.9, 1e-15);
    EXPECT_NEAR(rate[s_mx], s * 0.9 * 0.3, 1e-15);
    EXPECT_NEAR(rate[s_my], s * 0.9 * -0.4, 1e-15);
    EXPECT_NEAR(rate[s_mz], s * 0.9 * 0.1, 1e-15);
    EXPECT_NEAR(rate[s_energy], s * (energy + 0.2), 1e-14);  // the same of E and of E - Pi
    EXPECT_EQ(rate[s_gamma], 0);
    EXPECT_EQ(rate[s_pi], 0);
    Conserved<double> along{};
    flow.add<0>(along, flow.flux<0>(w, w), flow.flux<0>(w, w), w, {{w[w_gamma], w[w_pi]}}, 2);
    for (int v = 0; v < n_variables; ++v) EXPECT_EQ(along[v], 0);
  }
}

}  // namespace flow_test
