#pragma once
// Random quadratic fields with their derivatives, of which central differences of second order or
// more take the first and second derivatives without error, for checks of right-hand sides against
// the equations as they are written.

#include <array>
#include <random>

namespace watersmeet::test {

using Point3 = std::array<double, 3>;

struct Quadratic {
  double value = 0;
  Point3 slope{};
  double second[3][3] = {};  // symmetric

  explicit Quadratic(std::mt19937& generator) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    value = uniform(generator);
    for (int a = 0; a < 3; ++a) {
      slope[std::size_t(a)] = uniform(generator);
      for (int b = 0; b <= a; ++b) second[a][b] = second[b][a] = uniform(generator);
    }
  }
  double at(const Point3& x) const {
    double sum = value;
    for (int a = 0; a < 3; ++a) {
      sum += x[std::size_t(a)] * slope[std::size_t(a)];
      for (int b = 0; b < 3; ++b) sum += 0.5 * second[a][b] * x[std::size_t(a)] * x[std::size_t(b)];
    }
    return sum;
  }
  double derivative(int axis, const Point3& x) const {
    double sum = slope[std::size_t(axis)];
    for (int b = 0; b < 3; ++b) sum += second[axis][b] * x[std::size_t(b)];
    return sum;
  }
  double laplacian() const { return second[0][0] + second[1][1] + second[2][2]; }
};

}  // namespace watersmeet::test
