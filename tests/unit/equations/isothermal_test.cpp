// The right-hand side of the isothermal system against equations (1) to (3) as they are written in
// its equations.hpp, on quadratic fields, of which its differences are exact.
#include <gtest/gtest.h>

#include "support/quadratic_fields.hpp"
#include "systems/isothermal/functors.hpp"

using namespace watersmeet;

namespace isothermal_test {
using test::Point3, test::Quadratic;
using namespace watersmeet::isothermal;

namespace {

constexpr double spacing[3] = {0.1, 0.2, 0.15};

// l, u and, for the 19-point method, div u around the origin.
struct Fields {
  using value_type = double;
  std::vector<Quadratic> q;
  int i = 0, j = 0, k = 0;
  std::int64_t offset = 0;

  explicit Fields(unsigned seed) {
    std::mt19937 generator(seed);
    for (int v = 0; v < n_variables; ++v) q.emplace_back(generator);
  }
  double operator()(int v, int di, int dj, int dk) const {
    const Point3 x = {di * spacing[0], dj * spacing[1], dk * spacing[2]};
    if (v < n_variables) return q[std::size_t(v)].at(x);
    double sum = 0;
    for (int a = 0; a < 3; ++a) sum += u(a).derivative(a, x);
    return sum;
  }
  const Quadratic& u(int a) const { return q[std::size_t(ux + a)]; }
};

// Equations (1) to (3) at the origin.
Vec<double, n_variables> written(const Fields& f, double c, double nu, double zeta) {
  const Point3 here{};
  const Quadratic& l = f.q[lnrho];
  double divergence = 0, carried = 0;
  for (int a = 0; a < 3; ++a) {
    divergence += f.u(a).derivative(a, here);
    carried += f.u(a).value * l.derivative(a, here);
  }
  Vec<double, n_variables> rate{};
  rate[lnrho] = -carried - divergence;
  for (int i = 0; i < 3; ++i) {
    double advected = 0, grad_div = 0, strain_l = 0;
    for (int j = 0; j < 3; ++j) {
      advected += f.u(j).value * f.u(i).derivative(j, here);
      grad_div += f.u(j).second[i][j];
      const double s = 0.5 * (f.u(i).derivative(j, here) + f.u(j).derivative(i, here)) -
                       (i == j ? divergence / 3 : 0);
      strain_l += s * l.derivative(j, here);
    }
    rate[ux + i] = -advected - c * c * l.derivative(i, here) +
                   nu * (f.u(i).laplacian() + grad_div / 3 + 2 * strain_l) +
                   zeta * (grad_div + divergence * l.derivative(i, here));
  }
  return rate;
}

template <Method method>
void compare() {
  isothermal::Case of;
  of.physics.sound_speed = 1.7;
  of.physics.viscosity = 0.3;
  of.physics.bulk_viscosity = 0.2;
  for (int a = 0; a < 3; ++a) of.physics.inverse_spacing[a] = 1 / spacing[a];
  using Rhs = isothermal::RightHandSide<double, method, Terms::plain>;
  const auto rhs = Functors<double, false>::right_hand_side<Rhs>(of);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Fields f(seed);
    const auto mine = rhs(f), expected = written(f, 1.7, 0.3, 0.2);
    for (int v = 0; v < n_variables; ++v) EXPECT_NEAR(mine[v], expected[v], 1e-11) << v;
  }
}

}  // namespace

TEST(IsothermalEquations, FiftyFivePointsAreTheEquations) { compare<Method::points55>(); }
TEST(IsothermalEquations, NineteenPointsAreTheEquations) { compare<Method::points19>(); }

}  // namespace isothermal_test
