#include "schemes/kappa_stability.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>

namespace watersmeet::schemes {

namespace {
using Complex = std::complex<double>;
// Rounding alone can lift the amplification of the longest waves above 1.
constexpr double slack = 1e-9;

// A wave whose phase changes by `angle` from cell to cell, and, for a Courant number, dt times its
// eigenvalue.
struct Wave {
  Complex difference, face;

  Wave(double kappa, double angle) {
    const Complex e = std::polar(1.0, angle);
    face = (1 - kappa / 2) + 0.25 * (1 + kappa) * e - 0.25 * (1 - kappa) / e;
    difference = 1.0 - 1.0 / e;
  }
  Complex operator()(double courant) const { return -courant * difference * face; }
};

// Phases evenly spaced up to that of the shortest wave, two cells long.
std::vector<Wave> all_waves(double kappa, int number) {
  std::vector<Wave> waves;
  for (int n = 1; n <= number; ++n) waves.emplace_back(kappa, n * std::numbers::pi / number);
  return waves;
}

double amplification(std::span<const double> polynomial, const Complex& z) {
  Complex sum = 0;
  for (std::size_t p = polynomial.size(); p-- > 0;) sum = sum * z + polynomial[p];
  return std::abs(sum);
}

// The end of the stable interval that begins at 0, to 1e-6: a scheme may be stable again beyond it.
// Intervals shorter than `step` may be missed.
template <class Stable>
double first_limit(double step, double most, const Stable& stable) {
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
}  // namespace

double kappa_stability_limit(double kappa, std::span<const double> polynomial) {
  const std::vector<Wave> waves = all_waves(kappa, 400);
  return first_limit(1.0 / 64, 16, [&](double courant) {
    return std::all_of(waves.begin(), waves.end(), [&](const Wave& wave) {
      return !(amplification(polynomial, wave(courant)) > 1 + slack);
    });
  });
}

double longest_source_step(std::span<const double> polynomial, const SourceRates& rates,
                           const StepContent& content) {
  if (!rates.any()) return std::numeric_limits<double>::infinity();
  constexpr int parts = 8;
  constexpr double growth = 1e-3;  // accepted per radian of turning (see the header)
  const std::vector<Wave> waves = all_waves(content.kappa, content.courant > 0 ? 64 : 0);
  std::vector<Complex> flow = {0.0};
  for (int part = 1; part <= parts; ++part) {
    const double share = double(part) / parts;
    if (content.diffusion > 0) flow.emplace_back(-content.diffusion * share);
    for (const Wave& wave : waves) flow.push_back(wave(content.courant * share));
  }
  std::vector<double> decays = {0}, turns = {0};
  if (rates.decay > 0) decays.insert(decays.end(), {0.5, 1});
  if (rates.turning > 0) turns.insert(turns.end(), {0.5, 1});
  // The step in units of the sum of both rates.
  const double sum = rates.decay + rates.turning;
  const double limit = first_limit(1.0 / 16, 16, [&](double step) {
    const double dt = step / sum;
    for (const double decay : decays) {
      for (const double turn : turns) {
        const double turned = turn * rates.turning * dt;
        const double most = 1 + slack + growth * turned;
        for (const Complex& z : flow) {
          // omega of the header: half of it from the flow, the other half from waves as fast.
          const double half = 0.5 * std::abs(z.imag());
          const Complex both(z.real() - decay * rates.decay * dt, half + std::hypot(half, turned));
          if (amplification(polynomial, both) > most) return false;
        }
      }
    }
    return true;
  });
  return limit / sum;
}

}  // namespace watersmeet::schemes
