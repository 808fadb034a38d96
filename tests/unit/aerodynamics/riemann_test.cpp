// Numerical fluxes against plain formulas written out here: Roe's flux by its eigenvectors (Toro 2009, section 11.2),
// HLLE and Rusanov by their definitions; Roe's flux at single waves; the forms that reuse known numbers.
#include "systems/aerodynamics/riemann.hpp"

#include <gtest/gtest.h>

#include "random_flow.hpp"

namespace watersmeet::aerodynamics {

namespace {

using W = Conserved<double>;
using Vector = Vec<double, 3>;

// The values of one side: pressure and enthalpy from W alone, flux through the unit normal.
struct Side {
  W w, f;
  Vector u;
  double rho, p, H, U, c;
};
Side side_of(const W& w, const Vector& n) {
  Side s{w, {}, {}, w[0], 0, 0, 0, 0};
  double kinetic = 0;
  for (int m = 0; m < 3; ++m) {
    s.u[m] = w[1 + m] / w[0];
    s.U += n[m] * s.u[m];
    kinetic += 0.5 * w[1 + m] * s.u[m];
  }
  s.p = 0.4 * (w[4] - kinetic);
  s.H = (w[4] + s.p) / w[0];
  s.c = std::sqrt(1.4 * s.p / w[0]);
  s.f[0] = w[0] * s.U;
  for (int m = 0; m < 3; ++m) s.f[1 + m] = w[1 + m] * s.U + s.p * n[m];
  s.f[4] = (w[4] + s.p) * s.U;
  return s;
}

struct RoeMean {
  Vector u;
  double rho, H, U = 0, q2 = 0, c;
};
RoeMean roe_of(const Side& l, const Side& r, const Vector& n) {
  const double a = std::sqrt(l.rho), b = std::sqrt(r.rho);
  RoeMean mean;
  mean.rho = a * b;
  mean.H = (a * l.H + b * r.H) / (a + b);
  for (int m = 0; m < 3; ++m) {
    mean.u[m] = (a * l.u[m] + b * r.u[m]) / (a + b);
    mean.U += n[m] * mean.u[m];
    mean.q2 += 0.5 * mean.u[m] * mean.u[m];
  }
  mean.c = std::sqrt(0.4 * (mean.H - mean.q2));
  return mean;
}

W roe_flux(const Side& l, const Side& r, const Vector& n, double floor) {
  const RoeMean o = roe_of(l, r, n);
  const double dp = r.p - l.p, dU = r.U - l.U, least = floor * (std::abs(o.U) + o.c);
  const double strength[3] = {(dp - o.rho * o.c * dU) / (2 * o.c * o.c),
                              r.rho - l.rho - dp / (o.c * o.c),
                              (dp + o.rho * o.c * dU) / (2 * o.c * o.c)};
  W f;
  for (int v = 0; v < n_variables; ++v) f[v] = 0.5 * (l.f[v] + r.f[v]);
  for (int wave = 0; wave < 3; ++wave) {
    const double c = (wave - 1) * o.c;
    const double weight = 0.5 * std::max(std::abs(o.U + c), least) * strength[wave];
    f[0] -= weight;
    for (int m = 0; m < 3; ++m) f[1 + m] -= weight * (o.u[m] + c * n[m]);
    f[4] -= weight * (wave == 1 ? o.q2 : o.H + c * o.U);
  }
  for (int m = 0; m < 3; ++m) {
    const double shear = o.rho * (r.u[m] - l.u[m] - dU * n[m]);
    const double weight = 0.5 * std::max(std::abs(o.U), least) * shear;
    f[1 + m] -= weight;
    f[4] -= weight * o.u[m];
  }
  return f;
}

W hlle_flux_by_definition(const Side& l, const Side& r, const Vector& n) {
  const RoeMean o = roe_of(l, r, n);
  const double plus = std::max({o.U + o.c, r.U + r.c, 0.0}),
               minus = std::min({o.U - o.c, l.U - l.c, 0.0});
  W f;
  for (int v = 0; v < n_variables; ++v) {
    f[v] = (plus * l.f[v] - minus * r.f[v] + plus * minus * (r.w[v] - l.w[v])) / (plus - minus);
  }
  return f;
}

W rusanov_flux(const Side& l, const Side& r) {
  const double radius = std::max(std::abs(l.U) + l.c, std::abs(r.U) + r.c);
  W f;
  for (int v = 0; v < n_variables; ++v) {
    f[v] = 0.5 * (l.f[v] + r.f[v]) - 0.5 * radius * (r.w[v] - l.w[v]);
  }
  return f;
}

void expect_flux(const W& got, const W& expected, double length, const char* what) {
  double scale = 1;
  for (int v = 0; v < n_variables; ++v) scale = std::max(scale, std::abs(expected[v]));
  for (int v = 0; v < n_variables; ++v) {
    EXPECT_NEAR(got[v], length * expected[v], 1e-13 * scale) << what << ", " << v;
  }
}

}  // namespace

TEST(NumericalFluxes, RandomPairsMatchThePlainFormulas) {
  RandomFlow random(21);
  for (int trial = 0; trial < 1000; ++trial) {
    const Area<double> area = random.area();
    const double length = std::sqrt(dot(area, area));
    Vector n;
    for (int m = 0; m < 3; ++m) n[m] = area[m] / length;
    const W left = random.state(), right = random.state();
    const Side l = side_of(left, n), r = side_of(right, n);
    for (const double floor : {0.0, 0.2}) {
      expect_flux(numerical_flux(Upwinding::roe, left, right, area, air, floor),
                  roe_flux(l, r, n, floor), length, "Roe");
    }
    expect_flux(numerical_flux(Upwinding::hlle, left, right, area, air, 0.0),
                hlle_flux_by_definition(l, r, n), length, "HLLE");
    expect_flux(numerical_flux(Upwinding::rusanov, left, right, area, air, 0.0), rusanov_flux(l, r),
                length, "Rusanov");
  }
}

// A stationary contact and a stationary normal shock of Mach 2 (Rankine and Hugoniot): the flux of either side.
TEST(NumericalFluxes, RoeKeepsStationaryContactsAndShocks) {
  const Area<double> area{{0.6, 0, 0}};
  const auto moving = [](double rho, double u, double v, double p) {
    return conserved_of(Primitive<double>{rho, {{u, v, 0.1}}, p}, air);
  };
  const double c = std::sqrt(1.4 * 0.7 / 1.2);
  const W pairs[2][2] = {
      {moving(1.2, 0, 0.3, 0.7), moving(0.4, 0, -0.5, 0.7)},
      {moving(1.2, 2 * c, 0.3, 0.7), moving(1.2 * 8 / 3, 2 * c * 3 / 8, 0.3, 0.7 * 4.5)}};
  for (const auto& pair : pairs) {
    expect_flux(numerical_flux(Upwinding::roe, pair[0], pair[1], area, air, 0.0),
                side_of(pair[0], {{1, 0, 0}}).f, 0.6, "stationary wave");
  }
}

// The forms that take known numbers: 1/(gamma - 1), c and |S|.
TEST(NumericalFluxes, FormsWithNumbersAtHandAgreeWithTheOthers) {
  RandomFlow random(22);
  for (int trial = 0; trial < 300; ++trial) {
    const Primitive<double> f = random.flow();
    const Area<double> area = random.area();
    const W plain = conserved_of(f, air), fused = conserved_of(f, 1 / (air.gamma - 1));
    for (int v = 0; v < n_variables; ++v) EXPECT_NEAR(fused[v], plain[v], 1e-14 * plain[s_energy]);
    const double c = std::sqrt(1.4 * f.p / f.rho), length = std::sqrt(dot(area, area));
    const double radius = std::abs(dot(area, f.u)) + c * length;
    EXPECT_NEAR(spectral_radius(f, area, air), radius, 1e-14 * radius);
    EXPECT_NEAR(spectral_radius(f, c, area, length), radius, 1e-14 * radius);
  }
}

}  // namespace watersmeet::aerodynamics
