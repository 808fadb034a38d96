// Dissipation along a line: conservative, never a source of energy, blind to uniform flow, complete
// stencils only; and the sensor that switches it.
#include "systems/aerodynamics/scheme/node_scheme.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "unit/aerodynamics/random_flow.hpp"

using namespace watersmeet;
using namespace watersmeet::aerodynamics;

namespace {

enum class Kind { scalar, matrix };

// H_i DISS_i at all nodes of a line, with the closures of the scheme that q belongs to.
template <int q, int inner>
std::vector<Conserved<double>> dissipate(Kind kind, const std::vector<Conserved<double>>& w,
                                         const std::vector<Area<double>>& area) {
  const int n = static_cast<int>(w.size());
  const auto table = schemes::make_sbp<double, inner>();
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<Conserved<double>> result;
  for (int i = 0; i < n; ++i) {
    const double norm = schemes::sbp_norm(table, i, n);
    const Conserved<double> d = dissipation_at<q>(i, n, 1 / norm, [&](int m) {
      const int first = i + m;
      EXPECT_TRUE(first >= 0 && first + q < n);
      const auto stencil = [&](int j) { return w[at(first + j)]; };
      const int low = first + schemes::middle_lower(q), high = first + schemes::middle_upper(q);
      Area<double> middle;
      for (int c = 0; c < 3; ++c) middle[c] = (area[at(low)][c] + area[at(high)][c]) / 2;
      if (kind == Kind::matrix) {
        return matrix_record<q>(0.1, middle, stencil, air, matrix_floors<double>());
      }
      return scalar_record<q>(0.1, spectral_radius(primitive_of(w[at(low)], air), middle, air),
                              stencil);
    });
    Conserved<double> weighted;
    for (int v = 0; v < n_variables; ++v) weighted[v] = norm * d[v];
    result.push_back(weighted);
  }
  return result;
}

template <int q, int inner>
void expect_dissipation(int n) {
  SCOPED_TRACE(testing::Message() << "q " << q << ", inner order " << inner << ", n " << n);
  RandomFlow random(static_cast<unsigned>(20 + q));
  std::vector<Area<double>> area;
  std::vector<Conserved<double>> w;
  for (int i = 0; i < n; ++i) {
    area.push_back(random.area());
    w.push_back(random.state());
  }
  for (const Kind kind : {Kind::scalar, Kind::matrix}) {
    const auto d = dissipate<q, inner>(kind, w, area);
    double magnitude = 0, energy = 0;
    for (int v = 0; v < n_variables; ++v) {
      double sum = 0;
      for (std::size_t i = 0; i < w.size(); ++i) {
        sum += d[i][v];
        magnitude = std::max(magnitude, std::abs(d[i][v]));
        energy += w[i][v] * d[i][v];
      }
      EXPECT_NEAR(sum, 0, 1e-14 * n * magnitude);
    }
    EXPECT_GT(magnitude, 0.01);
    if (kind == Kind::scalar) {
      EXPECT_LT(energy, 0);
    }
    const std::vector<Conserved<double>> uniform(static_cast<std::size_t>(n), w[0]);
    for (const Conserved<double>& none : dissipate<q, inner>(kind, uniform, area)) {
      for (int v = 0; v < n_variables; ++v) EXPECT_NEAR(none[v], 0, 1e-14);
    }
  }
}

}  // namespace

TEST(Dissipation, ConservesAndTakesEnergy) {
  for (const int n : {2, 3, 9}) expect_dissipation<1, 2>(n);
  for (const int n : {3, 4, 9}) expect_dissipation<2, 2>(n);
  for (const int n : {8, 11}) expect_dissipation<2, 4>(n);
  for (const int n : {8, 11}) expect_dissipation<3, 4>(n);
  for (const int n : {12, 13}) expect_dissipation<3, 6>(n);
  for (const int n : {12, 13}) expect_dissipation<4, 6>(n);
}

// With a state and an area that do not change, matrix dissipation takes energy in the norm of the
// entropy: w^T S'' |A| w >= 0.
TEST(Dissipation, AbsoluteJacobianIsPositiveInTheEntropyNorm) {
  RandomFlow random(31);
  for (int trial = 0; trial < 200; ++trial) {
    const Conserved<double> w = random.state();
    const Area<double> area = random.area();
    Square hessian;
    entropy_hessian(w, hessian);
    Conserved<double> d;
    for (int v = 0; v < n_variables; ++v) d[v] = random.uniform(-1, 1);
    const Conserved<double> y = absolute_jacobian(mean_at(w, air), area, d, air, {0, 0});
    double energy = 0, scale = 0;
    for (int i = 0; i < n_variables; ++i) {
      for (int j = 0; j < n_variables; ++j) {
        energy += d[i] * hessian[i][j] * y[j];
        scale += std::abs(d[i] * hessian[i][j] * y[j]);
      }
    }
    EXPECT_GT(energy, -1e-14 * scale);
  }
}

TEST(Dissipation, FirstOrderIsTheMeanOfUpwindFluxes) {
  // q = 1 with eps = 1/2 turns the inner row of D F into the difference of Rusanov fluxes.
  RandomFlow random(32);
  const Area<double> area = random.area();
  const Conserved<double> w[3] = {random.state(), random.state(), random.state()};
  const auto lambda_of = [&](int m) {
    return std::max(spectral_radius(primitive_of(w[m], air), area, air),
                    spectral_radius(primitive_of(w[m + 1], air), area, air));
  };
  const Conserved<double> d = dissipation_at<1>(1, 3, 1.0, [&](int m) {
    return scalar_record<1>(0.5, lambda_of(1 + m), [&](int j) { return w[1 + m + j]; });
  });
  const Conserved<double> up = numerical_flux(Upwinding::rusanov, w[1], w[2], area, air, 0.0);
  const Conserved<double> down = numerical_flux(Upwinding::rusanov, w[0], w[1], area, air, 0.0);
  for (int v = 0; v < n_variables; ++v) {
    const double central = (flux(w[2], primitive_of(w[2], air), area)[v] -
                            flux(w[0], primitive_of(w[0], air), area)[v]) /
                           2;
    EXPECT_NEAR(central - d[v], up[v] - down[v], 1e-12);
  }
}

// Rusanov's scheme keeps density and pressure positive under dt sum lambda <= 1 whatever the flow:
// each neighbour gives W lambda -+ F, which is a state when lambda is not below its own radius.
TEST(Dissipation, FirstOrderKeepsDensityAndPressure) {
  RandomFlow random(33);
  FlowModel<double> model;
  model.gas = air;
  const NodeScheme<double> scheme{model};
  struct Line {
    using value_type = double;
    const Conserved<double>* w;
    Area<double> along;
    const Conserved<double>& state(int m) const { return w[1 + m]; }
    const Area<double>& area(int) const { return along; }
    double value(int) const { return 0; }
  };
  int emptied_by_the_mean = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Area<double> area = random.area();
    const double length = std::sqrt(dot(area, area));
    Conserved<double> w[3];
    double radius[3];
    for (int m = 0; m < 3; ++m) {
      // Densities and pressures of many sizes; the neighbours flow away faster than sound.
      Primitive<double> f;
      f.rho = std::pow(10, random.uniform(-4, 0));
      f.p = std::pow(10, random.uniform(-6, 0));
      for (int c = 0; c < 3; ++c) f.u[c] = (m - 1) * 5 * area[c] / length + random.uniform(-1, 1);
      w[m] = conserved_of(f, air);
      radius[m] = spectral_radius(primitive_of(w[m], air), area, air);
    }
    const Conserved<double> up = flux(w[2], primitive_of(w[2], air), area);
    const Conserved<double> down = flux(w[0], primitive_of(w[0], air), area);
    const double sum = std::max(radius[0], radius[1]) + std::max(radius[1], radius[2]);
    const auto after = [&](const Conserved<double>& dissipation) {
      Conserved<double> next;
      for (int v = 0; v < n_variables; ++v) {
        next[v] = w[1][v] - (0.5 * (up[v] - down[v]) - dissipation[v]) / sum;
      }
      return next;
    };
    const Conserved<double> taken = after(scheme.dissipation<1>(Line{w + 0, area}, 1, 3, 1.0));
    EXPECT_GT(taken[s_rho], 0);
    EXPECT_GT(primitive_of(taken, air).p, 0);
    Conserved<double> mean;
    for (int v = 0; v < n_variables; ++v) {
      mean[v] = 0.25 * ((radius[1] + radius[2]) * (w[2][v] - w[1][v]) -
                        (radius[0] + radius[1]) * (w[1][v] - w[0][v]));
    }
    const Conserved<double> other = after(mean);
    emptied_by_the_mean += other[s_rho] <= 0 || primitive_of(other, air).p <= 0;
  }
  EXPECT_GT(emptied_by_the_mean, 100);  // the flows are hard enough to tell
}

TEST(Sensor, ByHand) {
  const double p[] = {1, 1, 2, 2, 2, 2};
  const auto line = [&](int i) { return [&p, i](int m) { return p[i + m]; }; };
  // Second differences 1, -1, 0, 0 at nodes 1 to 4; sums of weights 5, 7, 8, 8.
  const double widened[] = {1.0 / 5, 1.0 / 5, 1.0 / 5, 1.0 / 7, 0, 0};
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(widened_sensor_at(i, 6, line(i)), widened[i], 1e-15) << i;
  }
  EXPECT_EQ(widened_sensor_at(0, 2, line(1)), 0);
  EXPECT_EQ(widened_sensor_at(1, 2, line(2)), 0);
  // An arithmetic progression is smooth.
  EXPECT_EQ(widened_sensor_at(3, 9, [](int m) { return 4.0 + m; }), 0);
}

TEST(Sensor, SwitchesTheDissipation) {
  EXPECT_NEAR(shock_epsilon(0.2, 1.0), 0.2, 1e-16);
  EXPECT_EQ(shock_epsilon(0.2, 4.0), 0.5);
  EXPECT_NEAR(smooth_epsilon(1.0 / 12, 0.2, 1.0), 0.05, 1e-16);
  EXPECT_EQ(smooth_epsilon(1.0 / 12, 0.2, 4.0), 0);
  EXPECT_EQ(smooth_epsilon(1.0 / 12, 0.0, 1.0), 1.0 / 12);
}
