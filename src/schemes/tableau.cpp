#include "schemes/tableau.hpp"

namespace watersmeet::schemes {

std::vector<LowStorageScheme> low_storage_schemes() {
  return {
      {"rk3-williamson",
       3,
       {0.0, -5.0 / 9.0, -153.0 / 128.0},
       {1.0 / 3.0, 15.0 / 16.0, 8.0 / 15.0},
       "Williamson (1980), J. Comput. Phys. 35, 48"},
      {"rk3-cubism",
       3,
       {0.0, -17.0 / 32.0, -32.0 / 27.0},
       {1.0 / 4.0, 8.0 / 9.0, 3.0 / 4.0},
       "Williamson (1980), the set used by CUBISM-MPCF"},
      {"rk2", 2, {0.0, -1.0 / 2.0}, {1.0 / 2.0, 1.0}, "midpoint rule in 2N form"},
      {"rk4-carpenter-kennedy",
       4,
       {0.0, -567301805773.0 / 1357537059087.0, -2404267990393.0 / 2016746695238.0,
        -3550918686646.0 / 2091501179385.0, -1275806237668.0 / 842570457699.0},
       {1432997174477.0 / 9575080441755.0, 5161836677717.0 / 13612068292357.0,
        1720146321549.0 / 2090206949498.0, 3134564353537.0 / 4481467310338.0,
        2277821191437.0 / 14882151754819.0},
       "Carpenter & Kennedy (1994), NASA TM-109112"},
  };
}

std::vector<double> stage_times(const LowStorageScheme& scheme) {
  std::vector<double> times;
  double increment = 0.0, t = 0.0;
  for (std::size_t s = 0; s < scheme.alpha.size(); ++s) {
    times.push_back(t);
    increment = scheme.alpha[s] * increment + 1.0;
    t += scheme.beta[s] * increment;
  }
  return times;
}

}  // namespace watersmeet::schemes
