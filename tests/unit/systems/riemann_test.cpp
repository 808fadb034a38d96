// Riemann solvers of the two-fluid system against their definitions: star states written out,
// consistency, upwinding in supersonic flow, exact contacts, averages.
#include "systems/multicomponent/riemann.hpp"

#include <gtest/gtest.h>

#include "two_fluid_problem.hpp"

using namespace watersmeet;
using namespace watersmeet::multicomponent;

namespace {

Primitive<double> plain(const Seven& w) {
  Primitive<double> s;
  for (int v = 0; v < n_variables; ++v) s[v] = double(w[static_cast<std::size_t>(v)]);
  return s;
}

// Gas, liquid or a mixture, subsonic unless `mach` says otherwise.
Seven random_state(std::mt19937& generator, double mach = 0.5) {
  std::uniform_real_distribution<double> uniform(0, 1);
  const double a = uniform(generator) < 0.3 ? 0 : uniform(generator) < 0.5 ? 1 : uniform(generator);
  Seven w{};
  w[0] = a * 0.1 * (0.2 + uniform(generator)) + (1 - a) * (0.8 + 0.4 * uniform(generator));
  w[4] = 0.05 + uniform(generator);
  w[5] = a * gamma_air + (1 - a) * gamma_water;
  w[6] = (1 - a) * pi_water;
  const Real c = TwoFluidReference::sound(w);
  for (std::size_t d = 1; d < 4; ++d) w[d] = 2 * mach * (uniform(generator) - 0.5) * double(c);
  for (Real& x : w) x = double(x);
  return w;
}

enum class Solver { hllc, hllc_roe, hllc_lm, hll, rusanov };
constexpr Solver solvers[] = {Solver::hllc, Solver::hllc_roe, Solver::hllc_lm, Solver::hll,
                              Solver::rusanov};

template <int axis>
Record<double> record(Solver solver, const Seven& left, const Seven& right, bool split) {
  Flow<double, Variant::general> flow;
  flow.p.split = split;
  flow.p.roe_speeds = solver == Solver::hllc_roe;
  flow.p.riemann = solver == Solver::hll       ? Riemann::hll
                   : solver == Solver::hllc_lm ? Riemann::hllc_lm
                   : solver == Solver::rusanov ? Riemann::rusanov
                                               : Riemann::hllc;
  return flow.flux<axis>(plain(left).values, plain(right).values);
}
Record<double> record(Solver solver, int axis, const Seven& l, const Seven& r, bool split = false) {
  if (axis == 0) return record<0>(solver, l, r, split);
  if (axis == 1) return record<1>(solver, l, r, split);
  return record<2>(solver, l, r, split);
}
bool upwinds(Solver s) { return s == Solver::hllc || s == Solver::hllc_roe; }

// A record as fluxes of the seven conserved variables in total form.
Seven fluxes(Solver solver, const Record<double>& f, bool split) {
  Seven q;
  for (int v = 0; v < n_variables; ++v) q[static_cast<std::size_t>(v)] = f[v];
  if (upwinds(solver)) {
    q[5] *= f[r_velocity];
    q[6] *= f[r_velocity];
  }
  if (split) q[4] += q[6];
  return q;
}
void expect_close(const Seven& got, const Seven& expected, double bound, const char* what) {
  Real largest = 0;
  for (const Real x : expected) largest = std::max(largest, std::fabs(x));
  for (std::size_t v = 0; v < 7; ++v) {
    EXPECT_NEAR(double(got[v]), double(expected[v]), bound * double(largest)) << what << ", " << v;
  }
}
TwoFluidReference reference_of(Solver solver) {
  TwoFluidReference r;
  r.roe_speeds = solver == Solver::hllc_roe;
  r.riemann = solver == Solver::hll       ? Riemann::hll
              : solver == Solver::hllc_lm ? Riemann::hllc_lm
              : solver == Solver::rusanov ? Riemann::rusanov
                                          : Riemann::hllc;
  return r;
}

}  // namespace

TEST(RiemannSolvers, RandomPairsMatchTheStarStatesAndMeansWrittenOut) {
  std::mt19937 generator(1);
  for (const Solver solver : solvers) {
    const TwoFluidReference reference = reference_of(solver);
    for (int n = 0; n < 2000; ++n) {
      const double mach = n % 4 == 0 ? 3 : 0.6;
      const Seven l = random_state(generator, mach), r = random_state(generator, mach);
      const int axis = n % 3;
      const auto expected = reference.face(l, r, static_cast<std::size_t>(axis));
      // The sine of HLLC-LM is a polynomial within 4e-6 of it.
      const double bound = solver == Solver::hllc_lm ? 1e-5 : 1e-12;
      for (const bool split : {false, true}) {
        const Record<double> f = record(solver, axis, l, r, split);
        expect_close(fluxes(solver, f, split), expected.flux, bound, "flux");
        EXPECT_NEAR(f[r_velocity], double(expected.u), bound * (1 + std::fabs(double(expected.u))));
      }
    }
  }
}

TEST(RiemannSolvers, EqualStatesGiveTheirFlux) {
  std::mt19937 generator(2);
  for (const Solver solver : solvers) {
    for (int n = 0; n < 300; ++n) {
      const Seven w = random_state(generator, n % 2 ? 0.5 : 3);
      const int axis = n % 3;
      const Record<double> f = record(solver, axis, w, w);
      expect_close(fluxes(solver, f, false),
                   TwoFluidReference::flux(w, static_cast<std::size_t>(axis)), 1e-14, "flux");
      EXPECT_NEAR(f[r_velocity], double(w[static_cast<std::size_t>(1 + axis)]), 1e-13);
    }
  }
}

// Faster than every wave, the flux is that of the side the flow comes from, to the last bit of u_f.
TEST(RiemannSolvers, SupersonicFlowTakesTheUpwindFlux) {
  std::mt19937 generator(3);
  for (const Solver solver : {Solver::hllc, Solver::hllc_roe, Solver::hllc_lm, Solver::hll}) {
    for (int n = 0; n < 300; ++n) {
      const int axis = n % 3;
      const std::size_t normal = static_cast<std::size_t>(1 + axis);
      Seven l = random_state(generator), r = random_state(generator);
      const Real fast = 4 * (TwoFluidReference::sound(l) + TwoFluidReference::sound(r));
      const bool up = n % 2 == 0;
      l[normal] = double(up ? fast : -fast);
      r[normal] = double(l[normal] * 1.05L);
      const Seven& w = up ? l : r;
      const Record<double> f = record(solver, axis, l, r);
      expect_close(fluxes(solver, f, false),
                   TwoFluidReference::flux(w, static_cast<std::size_t>(axis)), 1e-14, "flux");
      if (upwinds(solver)) {
        EXPECT_EQ(f[r_velocity], double(w[normal]));
        EXPECT_EQ(f[s_gamma], double(w[5]));
        EXPECT_EQ(f[s_pi], double(w[6]));
      }
    }
  }
}

// Equal velocity and pressure: any jump of density, Gamma and Pi moves with the flow, and only
// HLLC and HLLC-LM know it.
TEST(RiemannSolvers, AnIsolatedContactIsExact) {
  std::mt19937 generator(4);
  int smeared = 0;
  for (int n = 0; n < 300; ++n) {
    const int axis = n % 3;
    const std::size_t normal = static_cast<std::size_t>(1 + axis);
    Seven l = random_state(generator), r = random_state(generator);
    r[normal] = l[normal] = n % 5 ? double(0.3L * l[normal]) : 0.0;
    r[4] = l[4];
    const Seven& w = l[normal] >= 0 ? l : r;
    const Seven exact = TwoFluidReference::flux(w, static_cast<std::size_t>(axis));
    for (const Solver solver : {Solver::hllc, Solver::hllc_roe, Solver::hllc_lm}) {
      const Record<double> f = record(solver, axis, l, r);
      expect_close(fluxes(solver, f, false), exact, 1e-13, "contact");
      EXPECT_NEAR(f[r_velocity], double(l[normal]), 1e-13);
    }
    const Record<double> f = record(Solver::hll, axis, l, r);
    smeared += std::fabs(f[s_rho] - double(exact[0])) > 1e-3;
  }
  EXPECT_GT(smeared, 100);
}

// Left and right exchanged with the normal velocity reversed: fluxes of mass, energy and the face
// velocity change sign, that of normal momentum does not.
TEST(RiemannSolvers, MirroredStatesGiveMirroredFluxes) {
  std::mt19937 generator(8);
  for (const Solver solver : solvers) {
    for (int n = 0; n < 300; ++n) {
      const int axis = n % 3;
      const std::size_t normal = static_cast<std::size_t>(1 + axis);
      const Seven l = random_state(generator), r = random_state(generator);
      Seven left = r, right = l;
      left[normal] = -r[normal];
      right[normal] = -l[normal];
      const Seven f = fluxes(solver, record(solver, axis, l, r), false);
      Seven g = fluxes(solver, record(solver, axis, left, right), false);
      for (std::size_t v = 0; v < 7; ++v) {
        if (v != normal) g[v] = -g[v];
      }
      expect_close(g, f, 1e-13, "mirror");
    }
  }
}

// A right-moving shock between states that satisfy its jump conditions. In one gas Roe's averages
// (Roe 1981) give its speed S = u~ + c exactly, c^2 = gamma <p/rho> + (gamma - 1)/2 rho~ j^2 with
// j = [u] / (sqrt rho_L + sqrt rho_R). The averages of Gamma, Pi and p/rho used here have gamma/2
// in place of (gamma - 1)/2: rho~ j^2 / 2 more.
TEST(RiemannSolvers, RoeSpeedsBoundAShockByTheKnownExcess) {
  for (const double ratio : {1.1, 2.0, 10.0}) {  // pressure ratio
    const double gamma = 1.4, rho = 1.2, p = 0.7, u = 0.2;
    const Seven ahead{rho, u, 0.1L, 0, p, 1 / (gamma - 1), 0};
    const double c = std::sqrt(gamma * p / rho);
    const double mach = std::sqrt((ratio * (gamma + 1) + gamma - 1) / (2 * gamma));
    Seven behind = ahead;
    behind[0] = rho * (ratio * (gamma + 1) + gamma - 1) / (ratio * (gamma - 1) + gamma + 1);
    behind[1] = u + (ratio - 1) * p / (rho * mach * c);
    behind[4] = ratio * p;
    const double wl = std::sqrt(double(behind[0])), wr = std::sqrt(rho);
    const double mean = (wl * double(behind[1]) + wr * u) / (wl + wr);
    const double jump = (u - double(behind[1])) / (wl + wr);
    const auto speed = multicomponent::detail::roe_speeds(plain(behind), plain(ahead), w_u);
    const double shock = u + mach * c;
    EXPECT_NEAR(sq(speed.right - mean) - wl * wr * jump * jump / 2, sq(shock - mean), 1e-12);
    EXPECT_GE(speed.right, shock);
    const auto einfeldt = multicomponent::detail::einfeldt_speeds(plain(behind), plain(ahead), w_u);
    EXPECT_GE(einfeldt.right, shock);
  }
}

TEST(RiemannSolvers, StatesConvertThereAndBack) {
  std::mt19937 generator(9);
  for (int n = 0; n < 300; ++n) {
    const Seven w = random_state(generator);
    const Seven u = TwoFluidReference::conserved(w);
    for (const bool split : {false, true}) {
      const Conserved<double> s = conserved_of(plain(w), split);
      const Primitive<double> back = primitive_of(s, split);
      for (int v = 0; v < n_variables; ++v) {
        const std::size_t q = static_cast<std::size_t>(v);
        const Real stored = split && v == s_energy ? u[4] - u[6] : u[q];
        EXPECT_NEAR(s[v], double(stored), 1e-14 * (1 + std::fabs(double(u[q]))));
        EXPECT_NEAR(back[v], double(w[q]), 2e-14 * (1 + std::fabs(double(w[q])))) << v;
      }
    }
  }
}

// Water at one bar and air at one bar and at one atmosphere: the sound speeds of the table.
TEST(RiemannSolvers, SoundSpeedsOfWaterAndAirAreThoseOfTheTable) {
  const auto c = [](double rho, double gamma, double p_c, double p) {
    Primitive<double> w{};
    w[w_rho] = rho;
    w[w_p] = p;
    w[w_gamma] = 1 / (gamma - 1);
    w[w_pi] = gamma * p_c / (gamma - 1);
    return multicomponent::detail::sound_of(w).c;
  };
  EXPECT_NEAR(c(1000, 6.12, 3.43e8, 1e5), 1449.06, 0.005);
  EXPECT_NEAR(c(1.204, 1.4, 0, 1e5), 341.00, 0.005);
  EXPECT_NEAR(c(1.204, 1.4, 0, 101325), 343.25, 0.005);
}
