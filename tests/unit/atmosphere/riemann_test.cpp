// The Riemann solvers against what they must satisfy: the flux of equal states, the mirror image,
// the upwind flux of supersonic flow, nothing at rest, and the identities of AUSM+-up's
// polynomials.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "systems/atmosphere/riemann.hpp"

using namespace watersmeet;
using namespace watersmeet::atmosphere;

namespace {

constexpr double gas_gamma = 1.4;
const Reference<double> face{1.1, 9.0e4, 5000.0};

FaceFlux<double> flux(Riemann solver, const FaceSide<double>& l, const FaceSide<double>& r) {
  return solver == Riemann::lmars  ? lmars_flux(l, r)
         : solver == Riemann::ausm ? ausm_flux(l, r, face.p, 0.3)
                                   : hllc_flux(l, r);
}
FaceSide<double> side(double rho, double u, double p) {
  const Primitive<double> w{{rho, u, 3.0, -2.0, p}};
  return side_of(w, u, face, gas_gamma);
}
const std::vector<Riemann> solvers = {Riemann::lmars, Riemann::ausm, Riemann::hllc};

}  // namespace

TEST(AtmosphereRiemann, EqualStatesGiveTheirFlux) {
  for (const Riemann solver : solvers) {
    for (const double u : {-700.0, -20.0, 0.0, 1e-3, 15.0, 500.0}) {
      if (solver == Riemann::lmars && std::abs(u) > 300) continue;  // for flow slower than sound
      const FaceSide<double> s = side(0.02, u, 300.0);
      const FaceFlux<double> f = flux(solver, s, s);
      EXPECT_NEAR(f.mass, 1.12 * u, 1e-12 * (1 + std::abs(u)));
      EXPECT_NEAR(f.pressure, 300.0, 1e-9);
      EXPECT_NEAR(f.work, 90300.0 * u, 1e-9 * (1 + 90300 * std::abs(u)));
    }
  }
}

TEST(AtmosphereRiemann, RestIsExactlyZero) {
  for (const Riemann solver : solvers) {
    const FaceSide<double> s = side(0, 0, 0);
    const FaceFlux<double> f = flux(solver, s, s);
    EXPECT_EQ(f.mass, 0.0);
    EXPECT_EQ(f.pressure, 0.0);
    EXPECT_EQ(f.work, 0.0);
  }
}

TEST(AtmosphereRiemann, MirrorImages) {
  for (const Riemann solver : solvers) {
    const FaceSide<double> l = side(0.03, 12.0, 250.0), r = side(-0.01, -40.0, -120.0);
    const FaceFlux<double> f = flux(solver, l, r);
    const FaceFlux<double> g = flux(solver, side(-0.01, 40.0, -120.0), side(0.03, -12.0, 250.0));
    EXPECT_EQ(f.mass, -g.mass);
    EXPECT_NEAR(f.pressure, g.pressure, 1e-10 * std::abs(f.pressure));
    EXPECT_NEAR(f.work, -g.work, 1e-12 * std::abs(f.work));
  }
}

TEST(AtmosphereRiemann, SupersonicFlowIsUpwind) {
  for (const Riemann solver : {Riemann::ausm, Riemann::hllc}) {
    const FaceSide<double> l = side(0.03, 900.0, 250.0), r = side(-0.05, 880.0, -700.0);
    const FaceFlux<double> f = flux(solver, l, r);
    // The diffusion of the pressure is off where the mean Mach number is above 1.
    EXPECT_NEAR(f.mass, 1.13 * 900.0, 1e-9);
    EXPECT_NEAR(f.pressure, 250.0, 1e-7);
    EXPECT_NEAR(f.work, 90250.0 * 900.0, 1e-5);
  }
}

TEST(AtmosphereRiemann, SplitMachNumbersAndPressuresAddUp) {
  for (const double m : {-3.0, -1.0, -0.7, -0.2, 0.0, 0.1, 0.5, 0.999, 1.0, 2.0}) {
    // M4-(m) = -M4+(-m), P5-(m) = P5+(-m).
    EXPECT_NEAR(atmosphere::detail::mach_split(m) - atmosphere::detail::mach_split(-m), m,
                1e-15 + 1e-15 * std::abs(m));
    for (const double alpha : {-0.75, 0.0, 0.1875}) {
      EXPECT_NEAR(atmosphere::detail::pressure_split(m, alpha) +
                      atmosphere::detail::pressure_split(-m, alpha),
                  1.0, 1e-14);
    }
  }
  EXPECT_EQ(atmosphere::detail::pressure_split(0.0, -0.3), 0.5);
  EXPECT_EQ(atmosphere::detail::mach_split(0.0), 0.375);
}

TEST(AtmosphereRiemann, AcousticPairs) {
  // Linearised about rest lmars is the acoustic upwind scheme: un = (p_l - p_r)/(2 rho a).
  const double a = std::sqrt(gas_gamma * face.p / face.rho);
  const FaceFlux<double> f = lmars_flux(side(0, 0, 1e-3), side(0, 0, -1e-3));
  EXPECT_NEAR(f.mass / face.rho, 1e-3 / (face.rho * a), 1e-10 * 1e-3);
  const FaceFlux<double> g = lmars_flux(side(0, 1e-6, 0), side(0, -1e-6, 0));
  EXPECT_NEAR(g.pressure, face.rho * a * 1e-6, 1e-12);
}

// Toro (2009), section 10.4: F_K + S_K (U*_K - U_K), with the whole pressure.
TEST(AtmosphereRiemann, HllcIsThePlainFormula) {
  for (const auto& [l, r] : {std::pair{side(0.03, 12.0, 250.0), side(-0.01, -40.0, -120.0)},
                             std::pair{side(0.3, 200.0, 5e4), side(-0.2, 120.0, -2e4)},
                             std::pair{side(-0.4, -250.0, -3e4), side(0.2, -90.0, 2e4)},
                             std::pair{side(0.1, 600.0, 1e4), side(0.2, 500.0, 2e4)}}) {
    const double s_l = std::min(l.un - l.a, r.un - r.a), s_r = std::max(l.un + l.a, r.un + r.a);
    const double q_l = l.rho * (s_l - l.un), q_r = r.rho * (s_r - r.un);
    const double star = (r.pressure - l.pressure + q_l * l.un - q_r * r.un) / (q_l - q_r);
    const bool left = star >= 0;
    const FaceSide<double>& k = left ? l : r;
    const double s_k = left ? s_l : s_r, q_k = left ? q_l : q_r;
    // E of motion along the normal and of the gas alone: the rest is carried with the mass.
    const double energy = k.pressure / (gas_gamma - 1) + 0.5 * k.rho * k.un * k.un;
    const double rho_star = q_k / (s_k - star);
    const double energy_star =
        rho_star * (energy / k.rho + (star - k.un) * (star + k.pressure / q_k));
    const double s = left ? std::min(s_l, 0.0) : std::max(s_r, 0.0);
    const double mass = k.rho * k.un + s * (rho_star - k.rho);
    const double momentum = k.rho * k.un * k.un + k.pressure + s * (rho_star * star - k.rho * k.un);
    const double energy_flux = k.un * (energy + k.pressure) + s * (energy_star - energy);
    const FaceFlux<double> f = hllc_flux(l, r);
    EXPECT_NEAR(f.mass, mass, 1e-11 * std::abs(mass));
    EXPECT_NEAR(f.mass * k.un + f.pressure, momentum - face.p, 1e-9 * std::abs(momentum));
    EXPECT_NEAR(f.mass * energy / k.rho + f.work, energy_flux, 1e-10 * std::abs(energy_flux));
  }
}

// Means of both sides and the jumps of the acoustic problem about them.
TEST(AtmosphereRiemann, LmarsIsThePlainFormula) {
  const FaceSide<double> l = side(0.03, 12.0, 250.0), r = side(-0.01, -40.0, -120.0);
  const double rho_a = (l.rho + r.rho) / 2 * (l.a + r.a) / 2;
  const double un = (l.un + r.un) / 2 - (r.p - l.p) / (2 * rho_a);
  const double p = (l.p + r.p) / 2 - rho_a * (r.un - l.un) / 2;
  const FaceFlux<double> f = lmars_flux(l, r);
  const FaceSide<double>& from = un >= 0 ? l : r;
  EXPECT_NEAR(f.mass, from.rho * un, 1e-12 * std::abs(from.rho * un));
  EXPECT_NEAR(f.pressure, p, 1e-12 * std::abs(p));
  EXPECT_NEAR(f.work, from.pressure * un, 1e-12 * std::abs(from.pressure * un));
}
