#include "systems/forcing_shell.hpp"

#include <cmath>

namespace watersmeet::systems {

namespace {
void set_mean(WaveVectors& w, const double unit[3]) {
  double sum = 0;
  for (const auto& n : w.vectors) {
    sum += std::sqrt(std::pow(n[0] * unit[0], 2) + std::pow(n[1] * unit[1], 2) +
                     std::pow(n[2] * unit[2], 2));
  }
  if (!w.vectors.empty()) w.mean_wavenumber = sum / static_cast<double>(w.vectors.size());
}
}  // namespace

WaveVectors shell(double k_min, double k_max, const std::array<bool, 3>& active,
                  const double unit_wavenumber[3]) {
  WaveVectors result;
  const auto reach = static_cast<std::int32_t>(std::floor(k_max));
  const auto bound = [&](std::size_t axis) { return active[axis] ? reach : 0; };
  for (std::int32_t c = -bound(2); c <= bound(2); ++c) {
    for (std::int32_t b = -bound(1); b <= bound(1); ++b) {
      for (std::int32_t a = -bound(0); a <= bound(0); ++a) {
        const double n2 = double(a) * a + double(b) * b + double(c) * c;
        // Squares of the bounds are compared with a margin of round-off, so that sqrt(2) given in
        // decimals is inclusive.
        if (n2 > 0 && n2 >= k_min * k_min * (1 - 1e-12) && n2 <= k_max * k_max * (1 + 1e-12)) {
          result.vectors.push_back({a, b, c});
        }
      }
    }
  }
  set_mean(result, unit_wavenumber);
  return result;
}

WaveVectors listed(const std::vector<std::array<double, 3>>& numbers,
                   const double unit_wavenumber[3]) {
  WaveVectors result;
  for (const auto& n : numbers) {
    result.vectors.push_back({static_cast<std::int32_t>(std::lround(n[0])),
                              static_cast<std::int32_t>(std::lround(n[1])),
                              static_cast<std::int32_t>(std::lround(n[2]))});
  }
  set_mean(result, unit_wavenumber);
  return result;
}

}  // namespace watersmeet::systems
