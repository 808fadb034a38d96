// Linear stability of the operators with their penalties: all eigenvalues of advection along a
// line, on one block and on two that are coupled, lie in the left half of the plane, and on the
// imaginary axis where coupling and derivative are central.
//
//   dw/dt = -D w + DISS w - penalties,   a = 1
//
//   inflow               (1/h) (w_0 - g)                     at the lower end
//   upwind interface     (1/h) (w_0 - w_partner)             at the lower face alone
//   central interface    (1/(2h)) (w_0 - w_partner), below;  -(1/(2h)) (w_n - w_partner), above
//
// as penalty.hpp gives them for one wave. Blocks have different sizes and orders.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "schemes/sbp.hpp"

using namespace watersmeet;
using namespace watersmeet::schemes;

namespace {

struct Line {
  int order, n;
  Rational x1 = sbp6_accurate;
};

template <class F>
auto with_table(const Line& line, const F& f) {
  switch (scheme_order(line.order).inner) {
    case 2:
      return f(make_sbp<double, 2>());
    case 4:
      return f(make_sbp<double, 4>());
    default:
      return f(make_sbp<double, 6>(line.x1));
  }
}

double norm(const Line& line, int i) {
  return with_table(line, [&](const auto& table) { return sbp_norm(table, i, line.n); });
}

// -D + scale DISS of a line; columns by unit vectors.
Eigen::MatrixXd interior(const Line& line, double scale) {
  Eigen::MatrixXd a(line.n, line.n);
  const SchemeOrder scheme = scheme_order(line.order);
  const int q = scheme.difference;
  for (int j = 0; j < line.n; ++j) {
    const auto unit = [&](int i) { return i == j ? 1.0 : 0.0; };
    for (int i = 0; i < line.n; ++i) {
      a(i, j) = -with_table(line, [&](const auto& table) {
        return sbp_first(table, i, line.n, [&](int m) { return unit(i + m); });
      });
      // Complete stencils whose first node is i + m.
      for (int m = -q; m <= 0; ++m) {
        if (i + m < 0 || i + m + q > line.n - 1) continue;
        double difference = 0;
        for (int s = 0; s <= q; ++s) difference += difference_weight(q, s) * unit(i + m + s);
        a(i, j) -=
            scale * scheme.epsilon.value() / norm(line, i) * difference_weight(q, -m) * difference;
      }
    }
  }
  return a;
}

// Two lines one after the other; a ring when the second leads to the first, else with an inflow.
Eigen::MatrixXd coupled(const Line& a, const Line& b, double scale, bool upwind, bool ring) {
  const int n = a.n + b.n;
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
  m.topLeftCorner(a.n, a.n) = interior(a, scale);
  m.bottomRightCorner(b.n, b.n) = interior(b, scale);
  const auto join = [&](int upper, double upper_norm, int lower, double lower_norm) {
    const double share = upwind ? 1 : 0.5;
    m(lower, lower) -= share / lower_norm;
    m(lower, upper) += share / lower_norm;
    if (upwind) return;
    m(upper, upper) += share / upper_norm;
    m(upper, lower) -= share / upper_norm;
  };
  join(a.n - 1, norm(a, a.n - 1), a.n, norm(b, 0));
  if (ring) {
    join(n - 1, norm(b, b.n - 1), 0, norm(a, 0));
  } else {
    m(0, 0) -= 1 / norm(a, 0);
  }
  return m;
}

// The largest real part, of the matrix in the scale of the norm, in which central operators are
// antisymmetric and their eigenvalues exact to round-off.
double growth(Eigen::MatrixXd m, const Line& a, const Line& b) {
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < m.cols(); ++j) {
      const auto h = [&](int k) { return k < a.n ? norm(a, k) : norm(b, k - a.n); };
      m(i, j) *= std::sqrt(h(i) / h(j));
    }
  }
  return Eigen::EigenSolver<Eigen::MatrixXd>(m, false).eigenvalues().real().maxCoeff();
}

std::vector<Line> lines(int n) {
  std::vector<Line> all;
  for (int order = 1; order <= 6; ++order) all.push_back({order, n});
  all.push_back({5, n, sbp6_compatible});
  all.push_back({6, n, sbp6_compatible});
  return all;
}

}  // namespace

TEST(LinearStability, OneBlockWithInflow) {
  for (const Line& line : lines(33)) {
    Eigen::MatrixXd m = interior(line, 1);
    m(0, 0) -= 1 / norm(line, 0);
    EXPECT_LT(growth(m, line, line), -1e-3) << "order " << line.order;
  }
}

TEST(LinearStability, TwoBlocksJoinedUpwind) {
  for (const Line& a : lines(17)) {
    for (const Line& b : lines(24)) {
      EXPECT_LT(growth(coupled(a, b, 1, true, false), a, b), -1e-3)
          << "orders " << a.order << ", " << b.order;
    }
  }
}

// A constant stays on a ring: its eigenvalue is 0, no other lies to the right of it.
TEST(LinearStability, RingsOfTwoBlocks) {
  for (const Line& a : lines(17)) {
    for (const Line& b : lines(24)) {
      for (const bool upwind : {false, true}) {
        const double most = growth(coupled(a, b, upwind ? 1 : 0, upwind, true), a, b);
        EXPECT_LE(most, 1e-12) << "orders " << a.order << ", " << b.order;
        EXPECT_GE(most, -1e-12) << "orders " << a.order << ", " << b.order;
      }
    }
  }
}

// The wrong sign of a penalty must be seen.
TEST(LinearStability, APenaltyOfTheWrongSignIsUnstable) {
  const Line a{4, 17}, b{4, 24};
  Eigen::MatrixXd m = coupled(a, b, 0, false, true);
  m(a.n, a.n) += 1 / norm(b, 0);
  EXPECT_GT(growth(m, a, b), 1e-2);
}
