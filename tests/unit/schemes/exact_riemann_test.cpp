// The exact Riemann solver: star states of published and independently computed shock tubes, and
// what any solution must fulfil: the conservation laws across shocks and inside fans (by numerical
// derivatives of the fluxes, not by the solver's own formulas), mirror images, limits.
#include "schemes/exact_riemann.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/error.hpp"

using namespace watersmeet;
using namespace watersmeet::schemes;

namespace {
struct Tube {
  const char* name;
  GasState left, right;
  double p_star, u_star, rho_left_star, rho_right_star;
};

GasState shocked_water() { return shock_with_jump({1000, 0, 1e5, 6.12, 3.43e8}, 4e7, 1).behind; }

std::vector<Tube> tubes() {
  return {
      {"Sod", {1, 0, 1}, {0.125, 0, 0.1}, 0.30313018, 0.92745262, 0.42631943, 0.26557371},
      {"Lax", {0.445, 0.698, 3.528}, {0.5, 0, 0.571}, 2.4660979, 1.528723, 0.34456847, 1.3040845},
      {"gas-water",
       {1.241, 0, 2.753, 1.4, 0},
       {0.991, 0, 3.059e-4, 5.5, 1.505},
       1.8440485,
       0.49026512,
       0.93209863,
       1.1380234},
      {"water-gas",
       {1000, 0, 1e9, 4.4, 6e8},
       {50, 0, 1e5, 1.4, 0},
       14190477,
       482.61041,
       804.44463,
       288.16806},
      {"shocked water-air",
       shocked_water(),
       {1.204, 0, 1e5, 1.4, 0},
       124089.56,
       53.418434,
       999.99372,
       1.4042779}};
}

GasState mirrored(GasState s) {
  s.u = -s.u;
  return s;
}

using Conserved = std::array<double, 3>;
Conserved conserved(const GasState& s) {
  const double energy = (s.p + s.gamma * s.p_c) / (s.gamma - 1) + 0.5 * s.rho * s.u * s.u;
  return {s.rho, s.rho * s.u, energy};
}
Conserved flux(const GasState& s) {
  const Conserved q = conserved(s);
  return {q[1], q[1] * s.u + s.p, (q[2] + s.p) * s.u};
}

// Rankine-Hugoniot: F(b) - F(a) = speed (q(b) - q(a)), to `digits` of the largest term.
void expect_jump(const GasState& a, const GasState& b, double speed, double digits) {
  const Conserved qa = conserved(a), qb = conserved(b), fa = flux(a), fb = flux(b);
  for (std::size_t m = 0; m < 3; ++m) {
    const double largest = std::max({std::abs(fa[m]), std::abs(fb[m]), std::abs(speed * qa[m]),
                                     std::abs(speed * qb[m]), 1e-300});
    EXPECT_NEAR(fb[m] - fa[m], speed * (qb[m] - qa[m]), digits * largest) << "law " << m;
  }
}
// One unit of the eighth digit of the number in the table.
double eighth_digit(double value) {
  return std::pow(10.0, std::floor(std::log10(std::abs(value))) - 7);
}
}  // namespace

TEST(ExactRiemann, StarStatesOfKnownTubes) {
  for (const Tube& t : tubes()) {
    SCOPED_TRACE(t.name);
    const ExactRiemann exact(t.left, t.right);
    EXPECT_NEAR(exact.star_pressure(), t.p_star, 0.51 * eighth_digit(t.p_star));
    EXPECT_NEAR(exact.star_velocity(), t.u_star, 0.51 * eighth_digit(t.u_star));
    EXPECT_NEAR(exact.left_star().rho, t.rho_left_star, 0.51 * eighth_digit(t.rho_left_star));
    EXPECT_NEAR(exact.right_star().rho, t.rho_right_star, 0.51 * eighth_digit(t.rho_right_star));
  }
}

TEST(ExactRiemann, ShocksConserveMassMomentumAndEnergy) {
  int shocks = 0;
  for (const Tube& t : tubes()) {
    SCOPED_TRACE(t.name);
    const ExactRiemann exact(t.left, t.right);
    // u* follows from both sides; a liquid against a gas leaves its pressure the fewest digits.
    if (exact.left_wave().shock) {
      expect_jump(t.left, exact.left_star(), exact.left_wave().head, 1e-10);
      EXPECT_EQ(exact.left_wave().head, exact.left_wave().tail);
      ++shocks;
    }
    if (exact.right_wave().shock) {
      expect_jump(t.right, exact.right_star(), exact.right_wave().head, 1e-10);
      ++shocks;
    }
    expect_jump(exact.left_star(), exact.right_star(), exact.star_velocity(), 1e-13);
  }
  EXPECT_EQ(shocks, 5);
}

// A solution U(xi = x/t) of U_t + F_x = 0 obeys dF/dxi = xi dU/dxi, and keeps its entropy.
TEST(ExactRiemann, FansSolveTheEquations) {
  int fans = 0;
  for (const Tube& t : tubes()) {
    SCOPED_TRACE(t.name);
    const ExactRiemann exact(t.left, t.right);
    for (const bool left : {true, false}) {
      const ExactRiemann::Wave wave = left ? exact.left_wave() : exact.right_wave();
      if (wave.shock) continue;
      ++fans;
      const GasState outer = left ? t.left : t.right;
      const double width = wave.tail - wave.head, step = 1e-4 * width;
      for (const double part : {0.1, 0.37, 0.8}) {
        const double xi = wave.head + part * width;
        const GasState a = exact.sample(xi - step), b = exact.sample(xi + step);
        const Conserved fa = flux(a), fb = flux(b), qa = conserved(a), qb = conserved(b);
        for (std::size_t m = 0; m < 3; ++m) {
          const double change = fb[m] - fa[m];
          EXPECT_NEAR(change, xi * (qb[m] - qa[m]),
                      1e-6 * std::max(std::abs(change), std::abs(xi * (qb[m] - qa[m]))));
        }
        const double entropy =
            std::log((a.p + a.p_c) / (outer.p + outer.p_c)) - a.gamma * std::log(a.rho / outer.rho);
        EXPECT_NEAR(entropy, 0, 1e-12);
      }
      // Head and tail join the outer and the star state.
      const GasState at_head = exact.sample(wave.head + 1e-12 * width);
      const GasState at_tail = exact.sample(wave.tail - 1e-12 * width);
      const GasState star = left ? exact.left_star() : exact.right_star();
      EXPECT_NEAR(at_head.rho / outer.rho, 1, 1e-10);
      EXPECT_NEAR(at_tail.rho / star.rho, 1, 1e-9);
      EXPECT_NEAR(at_tail.u / star.u, 1, 1e-7);
    }
  }
  EXPECT_EQ(fans, 5);
}

TEST(ExactRiemann, MirrorImages) {
  for (const Tube& t : tubes()) {
    SCOPED_TRACE(t.name);
    const ExactRiemann exact(t.left, t.right), mirror(mirrored(t.right), mirrored(t.left));
    EXPECT_NEAR(mirror.star_pressure() / exact.star_pressure(), 1, 1e-11);
    EXPECT_NEAR(mirror.star_velocity() / -exact.star_velocity(), 1, 1e-11);
    EXPECT_NEAR(mirror.left_wave().head / -exact.right_wave().head, 1, 1e-12);
    EXPECT_NEAR(mirror.right_wave().tail / -exact.left_wave().tail, 1, 1e-12);
    const double c = std::max(sound_speed(t.left), sound_speed(t.right));
    for (double xi = -2.013 * c; xi < 2 * c; xi += 0.1 * c) {
      const GasState a = exact.sample(xi), b = mirror.sample(-xi);
      EXPECT_NEAR(a.rho / b.rho, 1, 1e-10);
      EXPECT_NEAR(a.u, -b.u, 1e-10 * c);
      EXPECT_NEAR((a.p + a.p_c) / (b.p + b.p_c), 1, 1e-10);
    }
  }
}

TEST(ExactRiemann, SamplesBesideEveryWave) {
  const Tube sod = tubes()[0];
  const ExactRiemann exact(sod.left, sod.right);
  EXPECT_EQ(exact.sample(-1e9).rho, 1.0);
  EXPECT_EQ(exact.sample(1e9).rho, 0.125);
  EXPECT_EQ(exact.sample(exact.star_velocity() - 1e-9).rho, exact.left_star().rho);
  EXPECT_EQ(exact.sample(exact.star_velocity() + 1e-9).rho, exact.right_star().rho);
  EXPECT_EQ(exact.sample(exact.right_wave().head - 1e-9).rho, exact.right_star().rho);
  EXPECT_EQ(exact.sample(exact.right_wave().head + 1e-9).rho, 0.125);
  // Each side keeps its own equation of state.
  const Tube strong = tubes()[3];
  const ExactRiemann two(strong.left, strong.right);
  EXPECT_EQ(two.sample(two.star_velocity() * 0.999).gamma, 4.4);
  EXPECT_EQ(two.sample(two.star_velocity() * 1.001).gamma, 1.4);
}

TEST(ExactRiemann, EqualStatesStayAndWeakWavesAreAcoustic) {
  const GasState water{1000, 3, 1e5, 6.12, 3.43e8};
  const ExactRiemann still(water, water);
  EXPECT_NEAR(still.star_pressure(), 1e5, 1e-6);
  EXPECT_NEAR(still.star_velocity(), 3, 1e-12);
  // Half of a small step in p goes each way; u* = dp / (2 rho c).
  GasState left = water;
  left.p += 2.0;
  const ExactRiemann weak(left, water);
  EXPECT_NEAR(weak.star_pressure() - 1e5, 1.0, 1e-6);
  EXPECT_NEAR(weak.star_velocity() - 3, 1.0 / (1000 * sound_speed(water)), 1e-12);
}

TEST(ExactRiemann, ReportsCavitationAndBadStates) {
  const GasState water{1000, 0, 1e5, 4.4, 6e8};
  GasState left = water, right = water;
  // A vacuum opens at u_R - u_L = 2 c_L/(g-1) + 2 c_R/(g-1).
  const double limit = 4 * sound_speed(water) / 3.4;
  right.u = 0.999 * limit;
  const ExactRiemann nearly(left, right);
  EXPECT_LT(nearly.star_pressure(), -5.9e8);
  EXPECT_GT(nearly.star_pressure(), -6e8);
  right.u = 1.001 * limit;
  try {
    ExactRiemann(left, right);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::user_input);
    EXPECT_NE(std::string(error.what()).find("cavity"), std::string::npos);
  }
  GasState gas{1.2, 0, 1e5, 1.4, 0};
  gas.u = sound_speed(gas) * 6;  // the water gives way by little: the gas alone limits it to 5 c
  EXPECT_THROW(ExactRiemann(water, gas), Error);
  EXPECT_THROW(ExactRiemann({1, 0, -1}, {1, 0, 1}), Error);
  EXPECT_THROW(ExactRiemann({1, 0, 1}, {0, 0, 1}), Error);
  EXPECT_THROW(ExactRiemann({1, NAN, 1}, {1, 0, 1}), Error);
  EXPECT_THROW(ExactRiemann({1, 0, 1, 1.0, 0}, {1, 0, 1}), Error);
}

// Water of gamma 6.12, p_c 343 MPa at rest at 1 bar; "40 MPa" as the jump and as the pressure
// behind.
TEST(Shock, OfFortyMegapascalInWater) {
  const GasState ahead{1000, 0, 1e5, 6.12, 3.43e8};
  const Shock jump = shock_with_jump(ahead, 4e7, 1);
  EXPECT_NEAR(jump.behind.rho, 1018.16388547, 0.6e-8);
  EXPECT_NEAR(jump.behind.u, 26.71317621, 0.6e-8);
  EXPECT_EQ(jump.behind.p, 4.01e7);
  EXPECT_NEAR(jump.speed, 1497.38839, 0.6e-5);
  EXPECT_NEAR(jump.mach, 1.03335226, 0.6e-8);
  EXPECT_NEAR(sound_speed(jump.behind), 1517.4799, 0.6e-4);
  const Shock behind = shock_with_jump(ahead, 4e7 - 1e5, 1);
  EXPECT_NEAR(behind.behind.rho, 1018.120582, 0.6e-6);
  EXPECT_NEAR(behind.behind.u, 26.648509, 0.6e-6);
  EXPECT_NEAR(behind.speed, 1497.269515, 0.6e-6);
  EXPECT_NEAR(behind.mach, 1.0332702, 0.6e-7);
}

// The shock of Mach 1.22 in air of the shocked helium cylinder, and the fluxes across any shock.
TEST(Shock, ByMachNumberAndDirection) {
  const Shock air = shock_with_mach({1.225, 0, 101325}, 1.22, -1);
  EXPECT_NEAR(air.behind.p / 101325, 1.5698, 0.6e-4);
  EXPECT_NEAR(air.behind.rho / 1.225, 1.3764, 0.6e-4);
  EXPECT_NEAR(air.speed, -415.2, 0.06);
  EXPECT_NEAR(air.behind.u, -113.5, 0.06);
  for (const int direction : {-1, 1}) {
    for (const double mach : {1.0001, 1.3, 8.0}) {
      const GasState ahead{900, 70, 2e6, 4.4, 6e8};
      const Shock shock = shock_with_mach(ahead, mach, direction);
      expect_jump(ahead, shock.behind, shock.speed, 1e-12);
      EXPECT_NEAR(shock.mach, mach, 1e-12 * mach);
      EXPECT_NEAR((shock.speed - 70) * direction, mach * sound_speed(ahead), 1e-9);
      EXPECT_GT((shock.behind.u - 70) * direction, 0);
      // Lax: supersonic ahead, subsonic behind.
      EXPECT_LT(std::abs(shock.speed - shock.behind.u), sound_speed(shock.behind));
    }
  }
}

TEST(Shock, RefusesExpansions) {
  const GasState ahead{1000, 0, 1e5, 6.12, 3.43e8};
  for (const double jump : {0.0, -1e5, static_cast<double>(NAN), static_cast<double>(INFINITY)})
    EXPECT_THROW(shock_with_jump(ahead, jump, 1), Error) << jump;
  for (const double mach : {1.0, 0.9, -2.0, static_cast<double>(NAN)})
    EXPECT_THROW(shock_with_mach(ahead, mach, 1), Error) << mach;
  EXPECT_THROW(shock_with_jump({1000, 0, -4e8, 6.12, 3.43e8}, 1e9, 1), Error);
}
