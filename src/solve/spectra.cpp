#include "solve/spectra.hpp"

#include <algorithm>
#include <cmath>

namespace watersmeet::solve {

namespace {
// Signed wave number of entry i of n.
std::int64_t signed_number(std::int64_t i, std::int64_t n) { return i <= n / 2 ? i : i - n; }

// Wave numbers in units of the smallest one: of axis a, unit[a] times a whole number.
Real3 units_of(const Index3& n, const Real3& length) {
  double longest = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (n[a] > 1) longest = std::max(longest, length[a]);
  }
  Real3 unit{};
  for (std::size_t a = 0; a < 3; ++a) unit[a] = n[a] > 1 ? longest / length[a] : 0.0;
  return unit;
}
}  // namespace

double number_of_shells(const Index3& n, const Real3& length) {
  const Real3 unit = units_of(n, length);
  double largest2 = 0;
  for (std::size_t a = 0; a < 3; ++a)
    largest2 += std::pow(unit[a] * static_cast<double>(n[a] / 2), 2);
  return std::floor(std::sqrt(largest2) + 0.5) + 1;
}

ShellSpectra shell_spectra(const SpectrumInput& input, const Queue& queue) {
  const std::int64_t nx = input.n[0], ny = input.n[1], nz = input.n[2], half = nx / 2 + 1;
  const Real3 unit = units_of(input.n, input.length);
  const auto shells = static_cast<std::size_t>(number_of_shells(input.n, input.length));
  ShellSpectra result;
  for (std::size_t s = 0; s < shells; ++s) result.k.push_back(static_cast<double>(s));
  result.total.assign(shells, 0.0);
  for (std::size_t c = 0; c < input.components.size(); ++c) {
    const std::vector<double> power = queue.backend == Backend::cuda
                                          ? detail::power_cuda(input, c, queue)
                                          : detail::power_cpu(input, c, queue);
    // Every plane by itself, then the planes in order, so that threads do not change the sums.
    std::vector<double> planes(static_cast<std::size_t>(nz) * shells, 0.0);
#pragma omp parallel for num_threads(queue.threads) schedule(static)
    for (std::int64_t k = 0; k < nz; ++k) {
      double* const bins = planes.data() + static_cast<std::size_t>(k) * shells;
      const double kz = unit[2] * static_cast<double>(signed_number(k, nz));
      for (std::int64_t j = 0; j < ny; ++j) {
        const double ky = unit[1] * static_cast<double>(signed_number(j, ny));
        for (std::int64_t i = 0; i < half; ++i) {
          const double kx = unit[0] * static_cast<double>(i);
          const bool alone = i == 0 || 2 * i == nx;  // no conjugate partner in the other half
          const double energy =
              (alone ? 0.5 : 1.0) * power[static_cast<std::size_t>((k * ny + j) * half + i)];
          // Round-off must not lift the corner mode over the last shell.
          const double shell = std::floor(std::sqrt(kx * kx + ky * ky + kz * kz) + 0.5);
          bins[std::min(static_cast<std::size_t>(shell), shells - 1)] += energy;
        }
      }
    }
    std::vector<double> spectrum(shells, 0.0);
    for (std::int64_t k = 0; k < nz; ++k) {
      for (std::size_t s = 0; s < shells; ++s)
        spectrum[s] += planes[static_cast<std::size_t>(k) * shells + s];
    }
    for (std::size_t s = 0; s < shells; ++s) result.total[s] += spectrum[s];
    result.component.push_back(std::move(spectrum));
  }
  return result;
}

}  // namespace watersmeet::solve
