#pragma once
// Sets of forcing wave vectors.

#include <array>
#include <cstdint>
#include <vector>

namespace watersmeet::systems {

struct WaveVectors {
  std::vector<std::array<std::int32_t, 3>> vectors;
  double mean_wavenumber = 0;  // mean of |k|, k_a = n_a unit_a
};

// All integer vectors n != 0 with k_min <= |n| <= k_max, both +n and -n, zero along axes that are
// not `active`.
WaveVectors shell(double k_min, double k_max, const std::array<bool, 3>& active,
                  const double unit_wavenumber[3]);
WaveVectors listed(const std::vector<std::array<double, 3>>& numbers,
                   const double unit_wavenumber[3]);

}  // namespace watersmeet::systems
