#pragma once
// An isentropic vortex that crosses four wavy blocks, two of them re-oriented:
// [0, 10]^2, x = X + 0.3 sin(2 pi X/10) sin(2 pi Y/10), y = Y + 0.3 sin(4 pi X/10) sin(2 pi Y/10),
// blocks of (n + 1)^2 nodes.

#include <cmath>
#include <numbers>
#include <vector>

#include "support/curvilinear_reference.hpp"

namespace watersmeet::test {

inline constexpr aerodynamics::Gas<double> air{1.4, 1e-10};

inline aerodynamics::Primitive<double> vortex(const Real3& x, double t) {
  const double dx = x[0] - 4 - t, dy = x[1] - 4.5 - 0.5 * t, b = 0.3;
  const double f = std::exp((1 - dx * dx - dy * dy) / 2);
  const double far = 1 / (1.4 * 0.25), temperature = far - 0.4 / 2.8 * b * b * f * f;
  const double rho = std::pow(temperature / far, 2.5);
  return {rho, {{1 - b * dy * f, 0.5 + b * dx * f, 0}}, rho * temperature};
}

inline Real3 wavy(const Real3& lattice, int n) {
  const double h = 5.0 / n, x = lattice[0] * h, y = lattice[1] * h, k = 2 * std::numbers::pi / 10;
  return {x + 0.3 * std::sin(k * x) * std::sin(k * y),
          y + 0.3 * std::sin(2 * k * x) * std::sin(k * y), 0};
}

inline CurvilinearReference::Setup wavy_blocks(int order, int n) {
  CurvilinearReference::Setup setup;
  setup.cells = {std::vector<int>{n, n}, std::vector<int>{n, n}, std::vector<int>{0}};
  const mesh::Orientation reversed{{0, 1, 2}, {-1, -1, 1}}, rotated{{1, 0, 2}, {1, -1, 1}};
  setup.stored = {{}, reversed, {}, rotated};
  setup.order = order;
  return setup;
}

}  // namespace watersmeet::test
