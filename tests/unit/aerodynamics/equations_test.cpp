// Fluxes, their Jacobian and its absolute value, entropy: identities that hold for any state,
// derivatives by dual numbers.
#include "systems/aerodynamics/equations.hpp"

#include <gtest/gtest.h>

#include "systems/aerodynamics/riemann.hpp"
#include "unit/aerodynamics/random_flow.hpp"

using namespace watersmeet;
using namespace watersmeet::aerodynamics;
using test::Dual;

namespace {

void flux_jacobian(const Conserved<double>& w, const Area<double>& area, Square& a) {
  const Gas<double> gas = air;
  jacobian([&](const Conserved<Dual>& x) { return flux(x, primitive_of(x, gas), constant(area)); },
           w, a);
}

void absolute_matrix(const Conserved<double>& w, const Area<double>& area,
                     const EigenvalueFloors<double>& floors, Square& a) {
  for (int column = 0; column < n_variables; ++column) {
    Conserved<double> unit{};
    unit[column] = 1;
    const Conserved<double> y = absolute_jacobian(mean_at(w, air), area, unit, air, floors);
    for (int row = 0; row < n_variables; ++row) a[row][column] = y[row];
  }
}

struct Eigenvalues {
  double u, c;  // U and c |S|
};
Eigenvalues eigenvalues(const Conserved<double>& w, const Area<double>& area) {
  const Primitive<double> f = primitive_of(w, air);
  return {dot(area, f.u), std::sqrt(1.4 * f.p / f.rho * dot(area, area))};
}

}  // namespace

TEST(Equations, FlowAndStateAreInverse) {
  RandomFlow random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const Primitive<double> f = random.flow();
    const Conserved<double> w = conserved_of(f, air);
    const Primitive<double> back = primitive_of(w, air);
    EXPECT_DOUBLE_EQ(back.rho, f.rho);
    EXPECT_NEAR(back.p, f.p, 1e-14);
    for (int m = 0; m < 3; ++m) EXPECT_NEAR(back.u[m], f.u[m], 1e-15);
    // H = c^2/(gamma - 1) + |u|^2/2
    const double c2 = 1.4 * f.p / f.rho;
    EXPECT_NEAR(total_enthalpy(w, back), c2 / 0.4 + dot(f.u, f.u) / 2, 1e-12);
    EXPECT_NEAR(sound_speed2(back, air), c2, 1e-12);
  }
  EXPECT_EQ(sound_speed2(Primitive<double>{1, {{0, 0, 0}}, -1}, air), 1e-10);
}

TEST(Equations, AdmissibleRefusesWhatIsNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(admissible(Primitive<double>{1, {{0, 0, 0}}, 1}, 1e-6, 1e-6));
  EXPECT_FALSE(admissible(Primitive<double>{1e-7, {{0, 0, 0}}, 1}, 1e-6, 1e-6));
  EXPECT_FALSE(admissible(Primitive<double>{1, {{0, 0, 0}}, -1}, 1e-6, 1e-6));
  EXPECT_FALSE(admissible(Primitive<double>{nan, {{0, 0, 0}}, 1}, 1e-6, 1e-6));
  EXPECT_FALSE(admissible(Primitive<double>{1, {{0, 0, 0}}, nan}, 1e-6, 1e-6));
}

TEST(Equations, FluxByHand) {
  // rho 2, u (1, 2, 3), p 0.8: E = 2 + 14 = 16, through (1, -1, 2): U = 5.
  const Primitive<double> f{2, {{1, 2, 3}}, 0.8};
  const Conserved<double> found = flux(conserved_of(f, air), f, Area<double>{{1, -1, 2}});
  const double expected[] = {10, 10.8, 19.2, 31.6, 84};
  for (int v = 0; v < n_variables; ++v) EXPECT_NEAR(found[v], expected[v], 1e-13) << v;
  EXPECT_NEAR(spectral_radius(f, Area<double>{{1, -1, 2}}, air), 5 + std::sqrt(0.56 * 6), 1e-14);
}

TEST(Equations, FluxIsHomogeneousOfDegreeOne) {
  RandomFlow random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const Conserved<double> w = random.state();
    const Area<double> area = random.area();
    Square a;
    flux_jacobian(w, area, a);
    const Conserved<double> f = flux(w, primitive_of(w, air), area);
    for (int i = 0; i < n_variables; ++i) {
      double sum = 0;
      for (int j = 0; j < n_variables; ++j) sum += a[i][j] * w[j];
      EXPECT_NEAR(sum, f[i], 1e-11) << i;
    }
  }
}

// (A - U)((A - U)^2 - c^2) = 0 and trace A = 5 U: the eigenvalues are U - c, U, U, U, U + c.
TEST(Equations, EigenvaluesOfTheJacobian) {
  RandomFlow random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const Conserved<double> w = random.state();
    const Area<double> area = random.area();
    const auto [u, c] = eigenvalues(w, area);
    Square a, shifted, square, cube, scaled;
    flux_jacobian(w, area, a);
    EXPECT_NEAR(trace(a), 5 * u, 1e-12);
    for (int i = 0; i < n_variables; ++i)
      for (int j = 0; j < n_variables; ++j) shifted[i][j] = a[i][j] - (i == j ? u : 0);
    multiply(shifted, shifted, square);
    EXPECT_NEAR(trace(square), 2 * c * c, 1e-11);
    multiply(square, shifted, cube);
    for (int i = 0; i < n_variables; ++i)
      for (int j = 0; j < n_variables; ++j) scaled[i][j] = c * c * shifted[i][j];
    EXPECT_LT(largest_difference(cube, scaled), 1e-10);
    EXPECT_NEAR(spectral_radius(primitive_of(w, air), area, air), std::abs(u) + c, 1e-13);
  }
}

// |A| is the one matrix with |A|^2 = A^2 that commutes with A and has no negative eigenvalue.
TEST(Equations, AbsoluteJacobian) {
  RandomFlow random(4);
  for (int trial = 0; trial < 100; ++trial) {
    const Conserved<double> w = random.state();
    const Area<double> area = random.area();
    const auto [u, c] = eigenvalues(w, area);
    Square a, absolute, a2, absolute2, left, right;
    flux_jacobian(w, area, a);
    absolute_matrix(w, area, {0, 0}, absolute);
    multiply(a, a, a2);
    multiply(absolute, absolute, absolute2);
    EXPECT_LT(largest_difference(a2, absolute2), 1e-10);
    multiply(a, absolute, left);
    multiply(absolute, a, right);
    EXPECT_LT(largest_difference(left, right), 1e-10);
    EXPECT_NEAR(trace(absolute), std::abs(u - c) + 3 * std::abs(u) + std::abs(u + c), 1e-11);
    // Floors of 1 lift every eigenvalue to the spectral radius: scalar dissipation.
    absolute_matrix(w, area, {1, 1}, absolute);
    for (int i = 0; i < n_variables; ++i)
      for (int j = 0; j < n_variables; ++j)
        EXPECT_NEAR(absolute[i][j], i == j ? std::abs(u) + c : 0, 1e-11);
  }
}

TEST(Equations, DegenerateFacesGiveNothing) {
  RandomFlow random(5);
  const Conserved<double> l = random.state(), r = random.state();
  for (const Upwinding upwinding : {Upwinding::roe, Upwinding::hlle, Upwinding::rusanov,
                                    Upwinding::central, Upwinding::entropy_conservative}) {
    const Conserved<double> f = numerical_flux(upwinding, l, r, Area<double>{{0, 0, 0}}, air, 0.1);
    for (int v = 0; v < n_variables; ++v) EXPECT_EQ(f[v], 0) << static_cast<int>(upwinding);
  }
}

TEST(Equations, TurnedStateInATurnedFrameHasTheTurnedFlux) {
  RandomFlow random(6);
  const double turn[3][3] = {{0.8, 0, -0.6}, {0, 1, 0}, {0.6, 0, 0.8}};
  const Conserved<double> w = random.state();
  const Area<double> area = random.area();
  Area<double> turned_area;
  for (int m = 0; m < 3; ++m) {
    turned_area[m] = turn[m][0] * area[0] + turn[m][1] * area[1] + turn[m][2] * area[2];
  }
  const Conserved<double> moved = turned(w, turn);
  const Conserved<double> f = flux(moved, primitive_of(moved, air), turned_area);
  const Conserved<double> expected = turned(flux(w, primitive_of(w, air), area), turn);
  for (int v = 0; v < n_variables; ++v) EXPECT_NEAR(f[v], expected[v], 1e-13);
}
