// The viscous force (1/rho) div(2 rho nu S + rho zeta div u I) of smooth fields against the form
// that the loops use, nu [lap u + 1/3 grad div u + 2 S.grad l] + zeta [grad div u + div u grad l].
// The stress is formed from exact gradients and differenced finely; both methods converge at order
// six.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/math.hpp"
#include "systems/isothermal/functors.hpp"

using namespace watersmeet;
using namespace watersmeet::isothermal;

namespace {
using Real = long double;
using Point = std::array<Real, 3>;
struct Wave {
  Real amplitude, k[3], phase;
};
// l, u_x, u_y, u_z
const std::vector<Wave> fields[4] = {
    {{0.3L, {1, 1, 0}, 0.2L}, {0.2L, {-1, 0, 2}, 1.1L}},
    {{0.5L, {1, 0, 1}, 0.0L}, {0.3L, {0, 2, -1}, 2.0L}, {0.2L, {2, 1, 1}, 0.4L}},
    {{0.4L, {2, 1, 0}, 0.7L}, {0.3L, {1, -1, 1}, 0.1L}},
    {{0.6L, {0, 1, 1}, 1.3L}, {0.2L, {1, 2, 2}, 2.2L}}};

Real value(int var, const Point& x) {
  Real sum = 0;
  for (const Wave& w : fields[var]) {
    sum += w.amplitude * std::cos(w.k[0] * x[0] + w.k[1] * x[1] + w.k[2] * x[2] + w.phase);
  }
  return sum;
}
Real slope(int var, const Point& x, std::size_t a) {
  Real sum = 0;
  for (const Wave& w : fields[var]) {
    sum -= w.amplitude * w.k[a] * std::sin(w.k[0] * x[0] + w.k[1] * x[1] + w.k[2] * x[2] + w.phase);
  }
  return sum;
}

constexpr Real nu = 0.7L, zeta = 0.4L;
Real stress(const Point& x, std::size_t i, std::size_t j) {
  const Real rho = std::exp(value(0, x));
  const Real div = slope(1, x, 0) + slope(2, x, 1) + slope(3, x, 2);
  const Real unit = i == j ? 1 : 0;
  const Real s = (slope(int(i) + 1, x, j) + slope(int(j) + 1, x, i)) / 2 - unit * div / 3;
  return 2 * rho * nu * s + rho * zeta * div * unit;
}
// Eighth-order differences of the stress at a fine step: error below 1e-15.
Real exact_force(const Point& x, std::size_t i) {
  constexpr Real h = 0.01L, weight[5] = {0, 4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};
  Real sum = 0;
  for (std::size_t j = 0; j < 3; ++j) {
    for (int m = 1; m <= 4; ++m) {
      Point up = x, down = x;
      up[j] += m * h;
      down[j] -= m * h;
      sum += weight[m] * (stress(up, i, j) - stress(down, i, j)) / h;
    }
  }
  return sum / std::exp(value(0, x));
}

// The fields on a grid of spacings h through x; variable 4 is the discrete divergence.
struct Grid {
  using value_type = double;
  Point x;
  const double* h;
  const schemes::Weights6<double>* w;
  double operator()(int var, int di, int dj, int dk) const {
    const Point at = {x[0] + di * h[0], x[1] + dj * h[1], x[2] + dk * h[2]};
    return var == divergence ? divergence_of_velocity(Grid{at, h, w}, *w) : double(value(var, at));
  }
};

template <Method method>
double largest_error(int n) {
  const double h[3] = {6.283185307179586 / n, 5.5 / n, 6.0 / n};
  Physics physics, inviscid;
  for (std::size_t a = 0; a < 3; ++a)
    physics.inverse_spacing[a] = inviscid.inverse_spacing[a] = 1 / h[a];
  physics.viscosity = double(nu);
  physics.bulk_viscosity = double(zeta);
  RightHandSide<double, method, Terms::plain> viscous{}, ideal{};
  viscous.c = coefficients_of<double>(physics);
  ideal.c = coefficients_of<double>(inviscid);
  double largest = 0;
  for (int p = 0; p < 40; ++p) {
    const Grid grid{{0.37L * p, 0.71L * p + 1, 1.13L * p - 2}, h, &viscous.c.w};
    const auto with = viscous(grid), without = ideal(grid);
    for (std::size_t i = 0; i < 3; ++i) {
      const int v = static_cast<int>(i) + 1;
      largest =
          max_or_nan(largest, std::abs(with[v] - without[v] - double(exact_force(grid.x, i))));
    }
  }
  return largest;
}
}  // namespace

TEST(ViscousIdentity, BothMethodsConvergeToTheStressFormAtOrderSix) {
  const double e55[3] = {largest_error<Method::points55>(24), largest_error<Method::points55>(48),
                         largest_error<Method::points55>(96)};
  const double e19[3] = {largest_error<Method::points19>(24), largest_error<Method::points19>(48),
                         largest_error<Method::points19>(96)};
  EXPECT_NEAR(std::log2(e55[0] / e55[1]), 6.0, 0.3);
  EXPECT_NEAR(std::log2(e55[1] / e55[2]), 6.0, 0.1);
  EXPECT_NEAR(std::log2(e19[0] / e19[1]), 6.0, 0.3);
  EXPECT_NEAR(std::log2(e19[1] / e19[2]), 6.0, 0.1);
  EXPECT_LT(e55[2], 1e-6);
  EXPECT_LT(e19[2], 1e-6);
}
