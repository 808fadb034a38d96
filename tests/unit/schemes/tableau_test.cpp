// Runge-Kutta schemes in 2N form: the order conditions of Butcher, evaluated on the tableau that
// the 2N coefficients imply, and observed orders on a nonlinear, time-dependent equation.
#include "schemes/tableau.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

using namespace watersmeet::schemes;

namespace {
struct Butcher {
  std::vector<std::vector<double>> a;
  std::vector<double> b, c;
};

// w_r = dt sum_{q<=r} (alpha_{q+1} ... alpha_r) k_q;  u_s = u_0 + sum_{r<s} beta_r w_r.
Butcher butcher_of(const LowStorageScheme& scheme) {
  const std::size_t stages = scheme.alpha.size();
  Butcher t;
  std::vector<double> row(stages, 0.0), increment(stages, 0.0);
  for (std::size_t s = 0; s < stages; ++s) {
    t.a.push_back(row);
    double c = 0;
    for (const double a : row) c += a;
    t.c.push_back(c);
    for (double& w : increment) w *= scheme.alpha[s];
    increment[s] += 1.0;
    for (std::size_t q = 0; q < stages; ++q) row[q] += scheme.beta[s] * increment[q];
  }
  t.b = row;
  return t;
}

// u_{s+1} = u_s + a_s (u_0 - u_s) + b_s dt k_s.
Butcher butcher_of(const SspScheme& scheme) {
  const std::size_t stages = scheme.a.size();
  Butcher t;
  std::vector<double> row(stages, 0.0);
  for (std::size_t s = 0; s < stages; ++s) {
    t.a.push_back(row);
    double c = 0;
    for (const double a : row) c += a;
    t.c.push_back(c);
    for (double& weight : row) weight *= 1 - scheme.a[s];
    row[s] += scheme.b[s];
  }
  t.b = row;
  return t;
}

double sum_b(const Butcher& t, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t s = 0; s < t.b.size(); ++s) sum += t.b[s] * x[s];
  return sum;
}
std::vector<double> apply_a(const Butcher& t, const std::vector<double>& x) {
  std::vector<double> y(x.size(), 0.0);
  for (std::size_t s = 0; s < x.size(); ++s)
    for (std::size_t q = 0; q < x.size(); ++q) y[s] += t.a[s][q] * x[q];
  return y;
}
std::vector<double> times(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> r(x.size());
  for (std::size_t s = 0; s < x.size(); ++s) r[s] = x[s] * y[s];
  return r;
}

// Largest residual of the conditions of exactly this order (trees with `order` vertices).
double residual(const Butcher& t, int order) {
  const std::vector<double> one(t.b.size(), 1.0), &c = t.c;
  const std::vector<double> c2 = times(c, c), ac = apply_a(t, c);
  std::vector<double> r;
  if (order == 1) r = {sum_b(t, one) - 1};
  if (order == 2) r = {sum_b(t, c) - 1.0 / 2};
  if (order == 3) r = {sum_b(t, c2) - 1.0 / 3, sum_b(t, ac) - 1.0 / 6};
  if (order == 4) {
    r = {sum_b(t, times(c2, c)) - 1.0 / 4, sum_b(t, times(c, ac)) - 1.0 / 8,
         sum_b(t, apply_a(t, c2)) - 1.0 / 12, sum_b(t, apply_a(t, ac)) - 1.0 / 24};
  }
  if (order == 5)
    r = {sum_b(t, times(c2, c2)) - 1.0 / 5, sum_b(t, apply_a(t, apply_a(t, ac))) - 1.0 / 120};
  double largest = 0;
  for (const double x : r) largest = std::max(largest, std::abs(x));
  return largest;
}
int order_of(const Butcher& t) {
  int order = 0;
  while (order < 5 && residual(t, order + 1) < 1e-13) ++order;
  return order;
}

// u' = u^2 cos t, u(0) = 1/2: u = 1 / (2 - sin t). Error at t = 0.8.
double error_of(const LowStorageScheme& scheme, int steps) {
  const double end = 0.8, dt = end / steps;
  const std::vector<double> stage = stage_times(scheme);
  double u = 0.5, w = 0;
  for (int n = 0; n < steps; ++n) {
    for (std::size_t s = 0; s < scheme.alpha.size(); ++s) {
      w = scheme.alpha[s] * w + dt * u * u * std::cos((n + stage[s]) * dt);
      u += scheme.beta[s] * w;
    }
  }
  return std::abs(u - 1 / (2 - std::sin(end)));
}

const LowStorageScheme circulating{
    "second order only", 3, {0, -2.0 / 3, -1}, {1.0 / 3, 1, 1.0 / 2}, ""};
}  // namespace

TEST(Tableau, OrderConditionsHoldToTheStatedOrderAndNoFurther) {
  for (const LowStorageScheme& scheme : low_storage_schemes()) {
    ASSERT_EQ(scheme.alpha.size(), scheme.beta.size());
    EXPECT_EQ(scheme.alpha[0], 0.0) << scheme.name;  // the first stage must not read old increments
    EXPECT_EQ(order_of(butcher_of(scheme)), scheme.order) << scheme.name;
  }
}

TEST(Tableau, ObservedOrderOnANonlinearTimeDependentEquation) {
  for (const LowStorageScheme& scheme : low_storage_schemes()) {
    const int steps = scheme.order == 4 ? 20 : 100;
    const double slope = std::log2(error_of(scheme, steps) / error_of(scheme, 2 * steps));
    EXPECT_NEAR(slope, scheme.order, 0.15) << scheme.name;
  }
}

TEST(Tableau, StageTimesAreTheRowSums) {
  std::map<std::string_view, std::vector<double>> known = {
      {"rk3-williamson", {0, 1.0 / 3, 3.0 / 4}},
      {"rk3-cubism", {0, 1.0 / 4, 2.0 / 3}},
      {"rk2", {0, 1.0 / 2}}};
  for (const LowStorageScheme& scheme : low_storage_schemes()) {
    const std::vector<double> t = stage_times(scheme), c = butcher_of(scheme).c;
    for (std::size_t s = 0; s < t.size(); ++s) EXPECT_NEAR(t[s], c[s], 1e-14) << scheme.name;
    if (!known.count(scheme.name)) continue;
    for (std::size_t s = 0; s < t.size(); ++s)
      EXPECT_NEAR(t[s], known[scheme.name][s], 1e-15) << scheme.name;
    known.erase(scheme.name);
  }
  EXPECT_TRUE(known.empty());
}

TEST(Tableau, TheCirculatingSetOfSecondOrderIsNotOffered) {
  // It passes every third-order condition but one: sum b c^2 = 5/18.
  const Butcher t = butcher_of(circulating);
  EXPECT_NEAR(sum_b(t, times(t.c, t.c)), 5.0 / 18, 1e-15);
  EXPECT_EQ(order_of(t), 2);
  EXPECT_NEAR(std::log2(error_of(circulating, 100) / error_of(circulating, 200)), 2.0, 0.15);
  for (const LowStorageScheme& scheme : low_storage_schemes()) {
    EXPECT_FALSE(scheme.stages() == 3 && std::abs(scheme.alpha[1] + 2.0 / 3) < 1e-9) << scheme.name;
  }
}

TEST(Tableau, StagesThatLeanOnTheBeginningHaveTheStatedOrder) {
  for (const SspScheme& scheme : ssp_schemes()) {
    ASSERT_EQ(scheme.a.size(), scheme.b.size());
    EXPECT_EQ(scheme.a[0], 0.0) << scheme.name;
    const Butcher t = butcher_of(scheme);
    EXPECT_EQ(order_of(t), scheme.order) << scheme.name;
    const std::vector<double> times = stage_times(scheme);
    double largest = 0;
    for (std::size_t s = 0; s < times.size(); ++s) {
      EXPECT_NEAR(times[s], t.c[s], 1e-15) << scheme.name;
      EXPECT_GE(scheme.a[s], 0.0);
      EXPECT_GT(scheme.b[s], 0.0);
      largest = std::max(largest, scheme.b[s] / (1 - scheme.a[s]));
    }
    EXPECT_NEAR(scheme.largest_euler, largest, 1e-15) << scheme.name;
  }
}

// 1 + z + ... up to the order are the terms of exp(z).
TEST(Tableau, AmplificationsBeginLikeTheExponential) {
  const auto compare = [](const std::vector<double>& p, int order) {
    double factorial = 1;
    for (int n = 0; n <= order; ++n) {
      EXPECT_NEAR(p[static_cast<std::size_t>(n)], 1 / factorial, 1e-13);
      factorial *= n + 1;
    }
  };
  for (const SspScheme& scheme : ssp_schemes()) compare(amplification(scheme), scheme.order);
  for (const LowStorageScheme& scheme : low_storage_schemes()) {
    compare(amplification(scheme), scheme.order);
  }
}
