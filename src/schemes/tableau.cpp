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

std::vector<SspScheme> ssp_schemes() {
  return {
      {"ssp-rk3",
       3,
       {0.0, 3.0 / 4.0, 1.0 / 3.0},
       {1.0, 1.0 / 4.0, 2.0 / 3.0},
       1.0,
       "Shu & Osher (1988), J. Comput. Phys. 77, 439"},
      {"ssp-rk2",
       2,
       {0.0, 1.0 / 2.0},
       {1.0, 1.0 / 2.0},
       1.0,
       "Heun's method; Shu & Osher (1988), J. Comput. Phys. 77, 439"},
      {"ssp-rk43",
       3,
       {0.0, 0.0, 2.0 / 3.0, 0.0},
       {1.0 / 2.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 2.0},
       1.0 / 2.0,
       "Spiteri & Ruuth (2002), SIAM J. Numer. Anal. 40, 469: four stages, third order"},
  };
}

namespace {
using Polynomial = std::vector<double>;

// p + factor * z^shift * q
void add_to(Polynomial& p, double factor, const Polynomial& q, std::size_t shift) {
  if (p.size() < q.size() + shift) p.resize(q.size() + shift, 0.0);
  for (std::size_t n = 0; n < q.size(); ++n) p[n + shift] += factor * q[n];
}
}  // namespace

std::vector<double> amplification(const LowStorageScheme& scheme) {
  Polynomial u = {1.0}, w;
  for (std::size_t s = 0; s < scheme.alpha.size(); ++s) {
    Polynomial next;
    add_to(next, scheme.alpha[s], w, 0);
    add_to(next, 1.0, u, 1);
    w = next;
    add_to(u, scheme.beta[s], w, 0);
  }
  return u;
}

std::vector<double> amplification(const SspScheme& scheme) {
  Polynomial u = {1.0};
  for (std::size_t s = 0; s < scheme.a.size(); ++s) {
    Polynomial next = {scheme.a[s]};
    add_to(next, 1.0 - scheme.a[s], u, 0);
    add_to(next, scheme.b[s], u, 1);
    u = next;
  }
  return u;
}

std::vector<double> stage_times(const SspScheme& scheme) {
  std::vector<double> times;
  double t = 0.0;
  for (std::size_t s = 0; s < scheme.a.size(); ++s) {
    times.push_back(t);
    t = (1.0 - scheme.a[s]) * t + scheme.b[s];
  }
  return times;
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
