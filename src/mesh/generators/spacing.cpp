#include "mesh/generators/spacing.hpp"

#include <cmath>

#include "core/error.hpp"

namespace watersmeet::mesh {

std::vector<double> uniform(std::int64_t n) {
  std::vector<double> x(static_cast<std::size_t>(n) + 1);
  for (std::int64_t i = 0; i <= n; ++i) {
    x[static_cast<std::size_t>(i)] = static_cast<double>(i) / static_cast<double>(n);
  }
  return x;
}

std::vector<double> stretched(std::int64_t n, double first) {
  require(n >= 1 && first > 0 && (first < 1 || n == 1), "a first spacing between 0 and 1");
  const auto cells = static_cast<double>(n);
  std::vector<double> x = uniform(n);
  if (n == 1 || std::abs(first * cells - 1) < 1e-12) return x;
  // The first spacing expm1(a / n) / expm1(a) falls as a grows; a = n ln(ratio).
  const auto spacing = [&](double a) { return std::expm1(a / cells) / std::expm1(a); };
  double low = -40 * cells, high = 700;
  if (first * cells < 1) low = 1e-13;
  if (first * cells > 1) high = -1e-13;
  for (int iteration = 0; iteration < 200; ++iteration) {
    const double a = 0.5 * (low + high);
    (spacing(a) > first ? low : high) = a;
  }
  const double a = 0.5 * (low + high);
  for (std::int64_t i = 1; i < n; ++i) {
    double& value = x[static_cast<std::size_t>(i)];
    value = std::expm1(a * value) / std::expm1(a);
  }
  return x;
}

}  // namespace watersmeet::mesh
