// Summation-by-parts operators: everything that defines them in exact fractions, then what the
// tables of numbers made from them do: derivatives, spectral radii, dissipation, thin lines.
#include "schemes/sbp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/rounded.hpp"

using namespace watersmeet::schemes;

namespace {

constexpr Rational members[] = {sbp6_accurate, sbp6_compatible, {64, 100}, {3, 4}};

Rational power(int base, int exponent) {
  Rational result = 1;
  for (int e = 0; e < exponent; ++e) result = result * Rational(base);
  return result;
}

// Q x^q = q H x^(q-1) in every row: the end rows for q up to order / 2, the inner ones up to order.
template <int order>
void expect_exact_operator(Rational x1, int n) {
  SCOPED_TRACE(testing::Message() << "order " << order << ", n = " << n << ", x1 = " << x1.value());
  constexpr int accuracy = order / 2;
  const SbpExact<order> s = sbp_exact<order>(x1);
  const auto fails_from = [&](int i) {
    for (int degree = 0; degree <= order + 1; ++degree) {
      Rational sum;
      for (int j = 0; j < n; ++j) sum = sum + s.q(i, j, n) * power(j, degree);
      const Rational exact = degree == 0 ? Rational() : Rational(degree) * power(i, degree - 1);
      if (sum != s.h(i, n) * exact) return degree;
    }
    return order + 2;
  };
  for (int i = 0; i < n; ++i) {
    EXPECT_GT(s.h(i, n).num, 0);
    for (int j = 0; j < n; ++j) {
      const Rational end = i != j ? 0 : i == 0 ? -1 : i == n - 1 ? 1 : 0;
      EXPECT_EQ(s.q(i, j, n) + s.q(j, i, n), end) << i << ", " << j;
      EXPECT_EQ(s.q(n - 1 - i, n - 1 - j, n), -s.q(i, j, n)) << i << ", " << j;
    }
    const bool inner = i >= s.rows && n - 1 - i >= s.rows;
    if (inner) {
      EXPECT_EQ(fails_from(i), order + 1) << i;
    } else {
      EXPECT_GT(fails_from(i), accuracy) << i;
    }
  }
  EXPECT_EQ(fails_from(0), accuracy + 1);
  // H is a quadrature of degree order - 1.
  for (int degree = 0; degree <= order; ++degree) {
    Rational sum;
    for (int i = 0; i < n; ++i) sum = sum + s.h(i, n) * power(i, degree);
    EXPECT_EQ(sum == power(n - 1, degree + 1) / Rational(degree + 1), degree < order) << degree;
  }
}

using Matrix = std::vector<std::vector<double>>;

template <int order>
Matrix derivative_matrix(int n, Rational x1 = sbp6_accurate) {
  const auto table = make_sbp<double, order>(x1);
  Matrix d(static_cast<std::size_t>(n), std::vector<double>(static_cast<std::size_t>(n)));
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      d[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
          sbp_first(table, i, n, [&](int m) { return i + m == j ? 1.0 : 0.0; });
    }
  }
  return d;
}

// lim |A^m|^(1/m) along m = 2^k (Gelfand).
double spectral_radius(Matrix a) {
  const std::size_t n = a.size();
  double logarithm = 0, weight = 1;
  for (int k = 0; k < 30; ++k) {
    double largest = 0;
    for (const auto& row : a)
      for (const double v : row) largest = std::max(largest, std::abs(v));
    logarithm += weight * std::log(largest);
    weight /= 2;
    Matrix square(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t m = 0; m < n; ++m) square[i][m] += a[i][j] / largest * (a[j][m] / largest);
    a = square;
  }
  return std::exp(logarithm);
}

// Every entry of D, and no read beyond the ends of the line.
template <int order>
void expect_table_matches(int n, Rational x1) {
  const SbpExact<order> s = sbp_exact<order>(x1);
  const Matrix d = derivative_matrix<order>(n, x1);
  const auto table = make_sbp<double, order>(x1);
  for (int i = 0; i < n; ++i) {
    EXPECT_EQ(sbp_norm(table, i, n), s.h(i, n).value());
    for (int j = 0; j < n; ++j) {
      EXPECT_EQ(d[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)],
                (s.q(i, j, n) / s.h(i, n)).value())
          << order << ": " << i << ", " << j;
    }
    sbp_first(table, i, n, [&](int m) {
      EXPECT_TRUE(i + m >= 0 && i + m < n) << order << ": node " << i << " of " << n;
      return 0.0;
    });
  }
}

}  // namespace

TEST(Sbp, DefinesTheOperatorsInExactFractions) {
  for (const int n : {2, 3, 7}) expect_exact_operator<2>({}, n);
  for (const int n : {8, 9, 21}) expect_exact_operator<4>({}, n);
  for (const Rational x1 : members) {
    for (const int n : {12, 13, 21}) expect_exact_operator<6>(x1, n);
  }
}

TEST(Sbp, TablesAreTheExactNumbers) {
  for (const int n : {2, 3, 5}) expect_table_matches<2>(n, {});
  for (const int n : {8, 9, 13}) expect_table_matches<4>(n, {});
  for (const Rational x1 : members) {
    for (const int n : {12, 15, 19}) expect_table_matches<6>(n, x1);
  }
  static_assert(make_sbp<double, 4>().closure[0][1] == 59.0 / 34.0);
  static_assert(make_sbp<float, 6>().norm[0] == 13649.0f / 43200.0f);
}

// The tables of loops in single precision are made of those in double.
TEST(Sbp, RoundedTablesHaveEveryNumber) {
  const auto wide = make_sbp<double, 6>();
  const auto narrow = watersmeet::rounded_to<Sbp<float, 6>>(wide);
  for (int i = 0; i < narrow.rows; ++i) {
    EXPECT_EQ(narrow.norm[i], static_cast<float>(wide.norm[i]));
    for (int j = 0; j < narrow.columns; ++j) {
      EXPECT_EQ(narrow.closure[i][j], static_cast<float>(wide.closure[i][j]));
    }
  }
  for (int m = 0; m < narrow.radius; ++m) {
    EXPECT_EQ(narrow.central[m], static_cast<float>(wide.central[m]));
  }
}

TEST(Sbp, FirstRowOfTheDefaultMember) {
  // Rounded from the fractions of the family at x1 = 70057/99900, evaluated in Python.
  const double expected[] = {-1.5825335189391163, 2.0333786787006805,  -0.1415128587448904,
                             -0.4503983065782465, 0.10448806928402503, 0.03657793627754797};
  for (std::size_t j = 0; j < 6; ++j) {
    EXPECT_DOUBLE_EQ((make_sbp<double, 6>().closure[0][j]), expected[j]);
  }
}

// Error of the derivatives of x^4 and x^5 on [0, 1] with 21 nodes in the H norm, and spectral
// radius of D with a penalty 1/H_0 at the inflow end; computed independently in numpy from the
// exact coefficients, seven figures kept.
TEST(Sbp, ErrorAndSpectralRadiusOfTheFamily) {
  struct Row {
    Rational x1;
    double error4, error5, radius;
  };
  const Row rows[] = {{{64, 100}, 1.139004e-3, 3.570265e-3, 2.636018},
                      {sbp6_compatible, 8.414703e-4, 2.647243e-3, 1.804052},
                      {{68, 100}, 6.010050e-4, 1.905613e-3, 1.547542},
                      {sbp6_accurate, 4.505465e-4, 1.447115e-3, 1.540963},
                      {{72, 100}, 5.088128e-4, 1.625846e-3, 1.596667},
                      {{75, 100}, 8.540134e-4, 2.689986e-3, 2.723697}};
  constexpr int n = 21;
  for (const Row& row : rows) {
    const auto table = make_sbp<double, 6>(row.x1);
    const auto error_of = [&](int q) {
      double sum = 0;
      for (int i = 0; i < n; ++i) {
        const double found = sbp_first(
            table, i, n, [&](int m) { return std::pow((i + m) / (n - 1.0), q) * (n - 1.0); });
        const double exact = q * std::pow(i / (n - 1.0), q - 1);
        sum += sbp_norm(table, i, n) / (n - 1.0) * (found - exact) * (found - exact);
      }
      return std::sqrt(sum);
    };
    EXPECT_NEAR(error_of(4) / row.error4, 1, 1e-6) << row.x1.value();
    EXPECT_NEAR(error_of(5) / row.error5, 1, 1e-6) << row.x1.value();
    Matrix d = derivative_matrix<6>(n, row.x1);
    d[0][0] += 1 / table.norm[0];
    EXPECT_NEAR(spectral_radius(d) / row.radius, 1, 1e-6) << row.x1.value();
  }
}

// Turning the line round must give the same bits with the other sign.
TEST(Sbp, ReversalChangesOnlyTheSign) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  constexpr int n = 17;
  std::vector<double> f(n);
  for (double& v : f) v = uniform(generator);
  const auto expect_reversal = [&](const auto& table) {
    for (int i = 0; i < n; ++i) {
      const double there =
          sbp_first(table, i, n, [&](int m) { return f[static_cast<std::size_t>(i + m)]; });
      const double turned =
          sbp_first(table, n - 1 - i, n, [&](int m) { return f[static_cast<std::size_t>(i - m)]; });
      EXPECT_EQ(there, -turned) << i;
    }
  };
  expect_reversal(make_sbp<double, 2>());
  expect_reversal(make_sbp<double, 4>());
  expect_reversal(make_sbp<double, 6>());
}

TEST(SchemeOrder, DissipationMakesTheUpwindBiasedScheme) {
  // Inner rows of D w + (dissipation of unit wave speed) for w_t + w_x = 0 must be exact to degree
  // 2q - 1 on orders 1, 3, 5 and keep the degree of D on 2, 4, 6.
  for (int order = 1; order <= 6; ++order) {
    const SchemeOrder s = scheme_order(order);
    const int q = s.difference, reach = 8;
    const auto derivative = [&](int degree) {
      const auto f = [&](int m) { return power(m, degree); };
      Rational sum;
      const auto central = [&](const auto& exact) {
        for (int m = 1; m <= exact.radius; ++m) sum = sum + exact.central[m - 1] * (f(m) - f(-m));
      };
      if (s.inner == 2) central(sbp_exact<2>());
      if (s.inner == 4) central(sbp_exact<4>());
      if (s.inner == 6) central(sbp_exact<6>());
      for (int m = -q; m <= 0; ++m) {
        Rational difference;
        for (int j = 0; j <= q; ++j)
          difference = difference + Rational(difference_weight(q, j)) * f(m + j);
        sum = sum + Rational(difference_weight(q, -m)) * s.epsilon * difference;
      }
      return sum;
    };
    int exact_to = 0;
    while (exact_to + 1 < reach && derivative(exact_to + 1) == Rational(exact_to == 0 ? 1 : 0)) {
      ++exact_to;
    }
    EXPECT_EQ(exact_to, order) << "order " << order;
    // Upwind-biased: the node furthest downstream is not used.
    if (order % 2 == 1) {
      const auto unit = [&](int m) { return Rational(m == q ? 1 : 0); };
      Rational weight;
      if (s.inner == 2) weight = sbp_exact<2>().q(5, 5 + q, 40);
      if (s.inner == 4) weight = sbp_exact<4>().q(9, 9 + q, 40);
      if (s.inner == 6) weight = sbp_exact<6>().q(15, 15 + q, 40);
      weight = weight + Rational(difference_weight(q, 0)) * s.epsilon *
                            Rational(difference_weight(q, q)) * unit(q);
      EXPECT_EQ(weight, Rational()) << "order " << order;
    }
    EXPECT_EQ(order_for(order, s.minimum), order);
    EXPECT_LT(order_for(order, s.minimum - 1), order);
  }
}

TEST(SchemeOrder, ThinLinesGetLowerOrders) {
  const int allowed[] = {0, 0, 1, 2, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6};
  for (int n = 1; n <= 13; ++n) {
    for (int requested = 1; requested <= 6; ++requested) {
      const int order = order_for(requested, n);
      EXPECT_EQ(order, std::min(requested, allowed[n])) << n;
      if (order > 0) {
        EXPECT_LE(scheme_order(order).minimum, n);
      }
    }
  }
}

TEST(SchemeOrder, UndividedDifferences) {
  const auto cube = [](int m) { return static_cast<double>(m * m * m); };
  EXPECT_EQ(undivided<1>(cube), 1);
  EXPECT_EQ(undivided<2>(cube), 6);
  EXPECT_EQ(undivided<3>(cube), 6);
  EXPECT_EQ(undivided<4>(cube), 0);
  EXPECT_EQ(undivided<4>([](int m) { return 1.0 * m * m * m * m; }), 24);
}
