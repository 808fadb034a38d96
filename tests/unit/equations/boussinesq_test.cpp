// The right-hand side of the Boussinesq system, without the pressure, against equations (1) and (2)
// as they are written in its equations.hpp, on smooth fields and small cells.
#include <gtest/gtest.h>

#include "support/quadratic_fields.hpp"
#include "systems/boussinesq/equations.hpp"

using namespace watersmeet;
using test::Point3, test::Quadratic;
using namespace watersmeet::boussinesq;

namespace {

constexpr int variables = 5, scalars = 2;
// Errors of second order are below the square of a cell.
constexpr double h[3] = {1e-3, 2e-3, 1.5e-3}, tolerance = 2e-5;

// Where a variable of the cell (di, dj, dk) stands: velocities on low faces, the rest at centres.
Point3 place_of(int v, int di, int dj, int dk) {
  const int at[3] = {di, dj, dk};
  Point3 x{};
  for (int a = 0; a < 3; ++a) x[std::size_t(a)] = (at[a] + (v == a ? 0 : 0.5)) * h[a];
  return x;
}

struct Fields {
  using value_type = double;
  std::vector<Quadratic> q;
  int i = 0, j = 0, k = 0;
  std::int64_t offset = 0;

  explicit Fields(unsigned seed) {
    std::mt19937 generator(seed);
    for (int v = 0; v < variables; ++v) q.emplace_back(generator);
  }
  double operator()(int v, int di, int dj, int dk) const {
    return q[std::size_t(v)].at(place_of(v, di, dj, dk));
  }
};

// -div(u q) + diffusivity lap q where variable v of the cell stands.
double transported(const Fields& f, int v, double diffusivity) {
  const Point3 x = place_of(v, 0, 0, 0);
  const Quadratic& q = f.q[std::size_t(v)];
  double sum = diffusivity * q.laplacian();
  for (int a = 0; a < 3; ++a) {
    const Quadratic& u = f.q[std::size_t(a)];
    sum -= u.at(x) * q.derivative(a, x) + q.at(x) * u.derivative(a, x);
  }
  return sum;
}

}  // namespace

TEST(BoussinesqEquations, TheRightHandSideIsTheEquations) {
  const double inverse[3] = {1 / h[2], 1 / h[2], 1 / h[2]};
  RightHandSide<double, variables, Advection::centred> rhs{};
  rhs.m = {1 / h[0], 1 / h[1], inverse + 1, inverse + 1};
  rhs.advanced = advanced_faces<double>({false, false, false});
  Coefficients<double>& c = rhs.c;
  c.viscosity = 0.3;
  c.diffusivity = {{0.2, 0.7, 0}};
  c.buoyancy = {{{{0.1, -0.4, 0}}, {{0.6, 0.2, 0}}, {{1.3, -0.8, 0}}}};
  c.acceleration = {{0.5, -0.2, 0.9}};
  c.source = {{0.25, -0.6, 0}};
  c.rotating = true;
  c.coriolis = {{0.4, -1.1, 0.7}};
  const double beta = 0.8, y0 = 1.5, planetary[2] = {beta * (0 - y0), beta * (h[1] - y0)};
  c.planetary = {planetary};
  c.drag = 0.35;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Fields f(seed);
    const auto mine = rhs(f);
    for (int a = 0; a < 3; ++a) {
      const Point3 x = place_of(a, 0, 0, 0);
      const int b = (a + 1) % 3, d = (a + 2) % 3;
      const auto at = [&](int v) { return f.q[std::size_t(v)].at(x); };
      double expected = transported(f, a, c.viscosity) + c.acceleration[a] -
                        (c.coriolis[b] * at(d) - c.coriolis[d] * at(b)) - c.drag * at(a);
      const double f_beta = beta * (x[1] - y0);
      if (a == 0) expected += f_beta * at(1);
      if (a == 1) expected -= f_beta * at(0);
      for (int n = 0; n < scalars; ++n) expected += c.buoyancy[a][n] * at(first_scalar + n);
      EXPECT_NEAR(mine[a], expected, tolerance) << a;
    }
    for (int n = 0; n < scalars; ++n) {
      EXPECT_NEAR(mine[first_scalar + n],
                  transported(f, first_scalar + n, c.diffusivity[n]) + c.source[n], tolerance)
          << n;
    }
  }
}

// The second difference of z^2 is 2 where w stands, whatever the widths of the cells below and above.
TEST(BoussinesqEquations, FrictionOfWOnUnequalLevelsIsExactForParabolas) {
  const double width[3] = {0.4, 0.7, 1.1}, faces[4] = {-0.4, 0, 0.7, 1.8};  // of cells -1, 0, 1
  const double inverse_width[3] = {1 / width[0], 1 / width[1], 1 / width[2]};
  const double inverse_distance[3] = {0, 2 / (width[0] + width[1]), 2 / (width[1] + width[2])};
  RightHandSide<double, variables, Advection::centred> rhs{};
  rhs.m = {1, 1, inverse_width + 1, inverse_distance + 1};
  rhs.advanced = advanced_faces<double>({false, false, false});
  rhs.c.viscosity = 1;
  constexpr double small = 1e-9;  // advection is of its square
  struct Column {
    using value_type = double;
    const double* faces;
    int i = 0, j = 0, k = 0;
    std::int64_t offset = 0;
    double operator()(int v, int, int, int dk) const {
      const double z = faces[dk + 1] - 0.2;
      return v == velocity_z ? small * z * z : 0;
    }
  };
  EXPECT_NEAR(rhs(Column{faces})[velocity_z] / small, 2, 1e-7);
}

// The same along x and y, where cells may differ too.
TEST(BoussinesqEquations, FrictionAcrossUnequalCellsIsExactForParabolas) {
  const double width[3] = {0.4, 0.7, 1.1}, faces[4] = {-0.4, 0, 0.7, 1.8};  // of cells -1, 0, 1
  const double inverse_width[3] = {1 / width[0], 1 / width[1], 1 / width[2]};
  const double inverse_distance[3] = {0, 2 / (width[0] + width[1]), 2 / (width[1] + width[2])};
  RightHandSide<double, variables, Advection::centred, StretchedMetrics<double>> rhs{};
  for (int a = 0; a < 3; ++a) {
    rhs.m.inverse_width[a] = inverse_width + 1;
    rhs.m.inverse_distance[a] = inverse_distance + 1;
  }
  rhs.advanced = advanced_faces<double>({false, false, false});
  rhs.c.viscosity = 1;
  constexpr double small = 1e-9;  // advection is of its square
  struct Row {
    using value_type = double;
    const double* faces;
    int axis, i = 0, j = 0, k = 0;
    std::int64_t offset = 0;
    double operator()(int v, int di, int dj, int dk) const {
      const double x = faces[(axis == 0 ? di : axis == 1 ? dj : dk) + 1] - 0.2;
      return v == axis ? small * x * x : 0;
    }
  };
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(rhs(Row{faces, axis})[axis] / small, 2, 1e-7) << axis;
}

// Where all cells are equal both metrics are the same equations.
TEST(BoussinesqEquations, EqualCellsByTablesAreEqualCells) {
  double inverse[3][3];
  for (int a = 0; a < 3; ++a) inverse[a][0] = inverse[a][1] = inverse[a][2] = 1 / h[a];
  RightHandSide<double, variables, Advection::upwind> uniform{};
  RightHandSide<double, variables, Advection::upwind, StretchedMetrics<double>> tables{};
  uniform.m = {1 / h[0], 1 / h[1], inverse[2] + 1, inverse[2] + 1};
  for (int a = 0; a < 3; ++a)
    tables.m.inverse_width[a] = tables.m.inverse_distance[a] = inverse[a] + 1;
  uniform.advanced = tables.advanced = advanced_faces<double>({false, false, false});
  uniform.c.viscosity = tables.c.viscosity = 0.3;
  uniform.c.diffusivity = tables.c.diffusivity = {{0.2, 0.7, 0}};
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Fields f(seed);
    const auto one = uniform(f), other = tables(f);
    for (int v = 0; v < variables; ++v) EXPECT_NEAR(one[v], other[v], 1e-6) << v;
  }
}
