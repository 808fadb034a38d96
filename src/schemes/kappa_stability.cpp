#include "schemes/kappa_stability.hpp"

#include <algorithm>
#include <complex>

namespace watersmeet::schemes {

namespace {
constexpr double pi = 3.14159265358979323846;

// Largest |amplification| of the waves of a grid that is long in cells.
double largest_amplification(double kappa, std::span<const double> polynomial, double courant) {
  constexpr int waves = 400;
  double largest = 0;
  for (int n = 1; n <= waves; ++n) {
    const std::complex<double> e = std::polar(1.0, n * pi / waves);
    const std::complex<double> face =
        (1 - kappa / 2) + 0.25 * (1 + kappa) * e - 0.25 * (1 - kappa) / e;
    const std::complex<double> z = -courant * (1.0 - 1.0 / e) * face;
    std::complex<double> sum = 0;
    for (std::size_t p = polynomial.size(); p-- > 0;) sum = sum * z + polynomial[p];
    largest = std::max(largest, std::abs(sum));
  }
  return largest;
}
}  // namespace

double kappa_stability_limit(double kappa, std::span<const double> polynomial) {
  constexpr double slack = 1e-9;  // of the longest waves rounding alone shows some growth
  const auto stable = [&](double courant) {
    return largest_amplification(kappa, polynomial, courant) <= 1 + slack;
  };
  // Up to the first Courant number that is unstable: beyond it the scheme may be stable again.
  constexpr double step = 1.0 / 64, most = 16;
  double lower = 0, upper = step;
  while (stable(upper) && upper < most) {
    lower = upper;
    upper += step;
  }
  while (upper - lower > 1e-6) {
    const double middle = 0.5 * (lower + upper);
    (stable(middle) ? lower : upper) = middle;
  }
  return lower;
}

}  // namespace watersmeet::schemes
