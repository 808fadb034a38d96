#pragma once
// How far two simulations are apart.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "watersmeet/simulation.hpp"

namespace watersmeet::test {

// Largest difference of a variable over the largest of it, which counts as `least` where it is
// smaller; 1e300 where `b` is not finite.
inline double state_difference(const Simulation& a, const Simulation& b, double least) {
  double worst = 0;
  for (const std::string& name : a.variables()) {
    const std::vector<double> x = a.variable(name), y = b.variable(name);
    double size = least, largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!std::isfinite(y[i])) return 1e300;
      size = std::max(size, std::abs(x[i]));
      largest = std::max(largest, std::abs(x[i] - y[i]));
    }
    worst = std::max(worst, largest / size);
  }
  return worst;
}

// The same over the root mean square of the variable.
inline double difference_over_rms(const Simulation& a, const Simulation& b) {
  double worst = 0;
  for (const std::string& name : a.variables()) {
    const std::vector<double> x = a.variable(name), y = b.variable(name);
    double square = 0, largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!std::isfinite(y[i])) return 1e300;
      square += x[i] * x[i];
      largest = std::max(largest, std::abs(x[i] - y[i]));
    }
    worst = std::max(worst, largest / std::sqrt(square / static_cast<double>(x.size())));
  }
  return worst;
}

}  // namespace watersmeet::test
