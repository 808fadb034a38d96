#pragma once
// Random admissible flows and area vectors, and derivatives of pointwise functions of a state.

#include <random>

#include "core/math.hpp"
#include "support/dual.hpp"
#include "systems/aerodynamics/entropy.hpp"

namespace watersmeet::aerodynamics {

constexpr Gas<double> air{1.4, 1e-10};

class RandomFlow {
 public:
  explicit RandomFlow(unsigned seed) : generator_(seed) {}

  double uniform(double a, double b) { return a + (b - a) * unit_(generator_); }
  Vec<double, 3> vector(double size) {
    return {{uniform(-size, size), uniform(-size, size), uniform(-size, size)}};
  }
  // Mach numbers from 0 to about 4 along any direction.
  Primitive<double> flow() { return {uniform(0.2, 2), vector(2), uniform(0.2, 2)}; }
  Conserved<double> state() { return conserved_of(flow(), air); }
  Area<double> area() { return vector(0.7); }

  // A state that moves along the area vector with this Mach number; the tangential part is random.
  Conserved<double> moving(double mach, const Area<double>& area) {
    Primitive<double> f = flow();
    const double length = std::sqrt(dot(area, area));
    const double c = std::sqrt(sound_speed2(f, air));
    const double change = (mach * c - dot(area, f.u) / length) / length;
    for (int m = 0; m < 3; ++m) f.u[m] += change * area[m];
    return conserved_of(f, air);
  }

 private:
  std::mt19937 generator_;
  std::uniform_real_distribution<double> unit_{0, 1};
};

using Square = double[n_variables][n_variables];

// Jacobian of f(Conserved<Dual>) -> Conserved<Dual> at w.
template <class F>
void jacobian(const F& f, const Conserved<double>& w, Square& result) {
  for (int column = 0; column < n_variables; ++column) {
    Conserved<test::Dual> x;
    for (int v = 0; v < n_variables; ++v) x[v] = {w[v], v == column ? 1.0 : 0.0};
    const Conserved<test::Dual> y = f(x);
    for (int row = 0; row < n_variables; ++row) result[row][column] = y[row].d;
  }
}

// A vector or number of doubles among dual ones.
template <int N>
Vec<test::Dual, N> constant(const Vec<double, N>& a) {
  Vec<test::Dual, N> result;
  for (int v = 0; v < N; ++v) result[v] = a[v];
  return result;
}

inline void multiply(const Square& a, const Square& b, Square& result) {
  for (int i = 0; i < n_variables; ++i) {
    for (int j = 0; j < n_variables; ++j) {
      result[i][j] = 0;
      for (int k = 0; k < n_variables; ++k) result[i][j] += a[i][k] * b[k][j];
    }
  }
}

inline double largest_difference(const Square& a, const Square& b) {
  double worst = 0;
  for (int i = 0; i < n_variables; ++i)
    for (int j = 0; j < n_variables; ++j) worst = max_or_nan(worst, std::abs(a[i][j] - b[i][j]));
  return worst;
}

inline double trace(const Square& a) {
  double sum = 0;
  for (int v = 0; v < n_variables; ++v) sum += a[v][v];
  return sum;
}

// d^2 S / dW^2 of the entropy, by which the energy of a perturbation is measured.
inline void entropy_hessian(const Conserved<double>& w, Square& result) {
  const Gas<double> gas = air;
  jacobian(
      [&](const Conserved<test::Dual>& x) { return entropy_variables(primitive_of(x, gas), gas); },
      w, result);
}

}  // namespace watersmeet::aerodynamics
