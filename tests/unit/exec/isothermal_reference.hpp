#pragma once
// The isothermal equations once more, one cell at a time in long double, written from the equations
// (S_ij is formed as a matrix, differences are loops over tables of weights): what the fused loops
// must match.
//
//   dl/dt   = -(u.grad) l - div u  [+ sum_a |u_a| h_a^5/60 d_a^6 l]
//   du_i/dt = -(u.grad) u_i - c^2 d_i l + nu [ lap u_i + 1/3 d_i div u + 2 S_ij d_j l ]
//             + zeta [ d_i div u + div u d_i l ] + nu_3 sum_a d_a^6 u_i + f_i
//             [+ upwinding as for l]

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "systems/isothermal/loops.hpp"

namespace watersmeet::isothermal {

using Real = long double;
using State4 = std::array<Real, 4>;

struct Reference {
  Index3 n{1, 1, 1};
  Physics physics;
  std::vector<Real> f[4];  // [k][j][i]
  std::function<std::array<Real, 3>(const Index3&)> force =
      nullptr;  // sum of body forces at a cell

  std::size_t index(Index3 c) const {
    for (std::size_t a = 0; a < 3; ++a) c[a] = ((c[a] % n[a]) + n[a]) % n[a];
    return static_cast<std::size_t>((c[2] * n[1] + c[1]) * n[0] + c[0]);
  }
  template <class Visit>
  void for_cells(Visit visit) const {
    for (std::int64_t k = 0; k < n[2]; ++k)
      for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t i = 0; i < n[0]; ++i) visit(Index3{i, j, k});
  }
  static Index3 moved(Index3 c, std::size_t a, std::int64_t m, std::size_t b = 0,
                      std::int64_t mb = 0) {
    c[a] += m;
    c[b] += mb;
    return c;
  }
  Real value(int var, const Index3& c) const { return f[var][index(c)]; }
  Real inverse_h(std::size_t a) const { return physics.inverse_spacing[a]; }

  // Any quantity differenced along an axis.
  template <class Q>
  Real first(const Q& q, const Index3& c, std::size_t a) const {
    constexpr int weight[7] = {-1, 9, -45, 0, 45, -9, 1};
    Real sum = 0;
    for (int m = -3; m <= 3; ++m) sum += weight[m + 3] * q(moved(c, a, m));
    return sum * inverse_h(a) / 60;
  }
  Real first(int var, const Index3& c, std::size_t a) const {
    return first([&](const Index3& p) { return value(var, p); }, c, a);
  }
  Real second(int var, const Index3& c, std::size_t a) const {
    constexpr int weight[7] = {2, -27, 270, -490, 270, -27, 2};
    Real sum = 0;
    for (int m = -3; m <= 3; ++m) sum += weight[m + 3] * value(var, moved(c, a, m));
    return sum * inverse_h(a) * inverse_h(a) / 180;
  }
  Real mixed(int var, const Index3& c, std::size_t a, std::size_t b) const {
    constexpr int weight[4] = {0, 270, -27, 2};
    Real sum = 0;
    for (int m = 1; m <= 3; ++m) {
      sum += weight[m] * (value(var, moved(c, a, m, b, m)) - value(var, moved(c, a, -m, b, m)) +
                          value(var, moved(c, a, -m, b, -m)) - value(var, moved(c, a, m, b, -m)));
    }
    return sum * inverse_h(a) * inverse_h(b) / 720;
  }
  Real sixth_difference(int var, const Index3& c, std::size_t a) const {
    constexpr int weight[7] = {1, -6, 15, -20, 15, -6, 1};
    Real sum = 0;
    for (int m = -3; m <= 3; ++m) sum += weight[m + 3] * value(var, moved(c, a, m));
    return sum;
  }
  Real divergence_at(const Index3& c) const {
    return first(1, c, 0) + first(2, c, 1) + first(3, c, 2);
  }

  // d_i div u by the two methods.
  Real gradient_of_divergence(Method method, const Index3& c, std::size_t i) const {
    if (method == Method::points19) {
      return first([&](const Index3& p) { return divergence_at(p); }, c, i);
    }
    Real sum = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const int var = static_cast<int>(j) + 1;
      sum += i == j ? second(var, c, i) : mixed(var, c, i, j);
    }
    return sum;
  }

  State4 right_hand_side(Method method, const Index3& c) const {
    const Real nu = physics.viscosity, zeta = physics.bulk_viscosity;
    const Real c2 = Real(physics.sound_speed) * physics.sound_speed;
    Real u[3], grad_l[3], grad_u[3][3];
    for (std::size_t j = 0; j < 3; ++j) {
      u[j] = value(static_cast<int>(j) + 1, c);
      grad_l[j] = first(0, c, j);
      for (std::size_t i = 0; i < 3; ++i) grad_u[i][j] = first(static_cast<int>(i) + 1, c, j);
    }
    const Real div = grad_u[0][0] + grad_u[1][1] + grad_u[2][2];
    State4 r{};
    for (std::size_t v = 0; v < 4; ++v) {
      const int var = static_cast<int>(v);
      const bool upwind = v == 0 ? physics.upwind_density : physics.upwind_velocity;
      for (std::size_t a = 0; a < 3; ++a) {
        const Real six = sixth_difference(var, c, a), g = inverse_h(a);
        r[v] -= u[a] * (v == 0 ? grad_l[a] : grad_u[v - 1][a]);
        if (upwind) r[v] += std::fabs(u[a]) * g / 60 * six;
        if (v > 0) r[v] += Real(physics.hyperviscosity) * std::pow(g, Real(6)) * six;
      }
    }
    r[0] -= div;
    for (std::size_t i = 0; i < 3; ++i) {
      Real laplacian = 0, strain_l = 0;
      for (std::size_t j = 0; j < 3; ++j) {
        laplacian += second(static_cast<int>(i) + 1, c, j);
        const Real s_ij = (grad_u[i][j] + grad_u[j][i]) / 2 - (i == j ? div / 3 : Real(0));
        strain_l += s_ij * grad_l[j];
      }
      const Real grad_div = gradient_of_divergence(method, c, i);
      r[i + 1] += -c2 * grad_l[i] + nu * (laplacian + grad_div / 3 + 2 * strain_l) +
                  zeta * (grad_div + div * grad_l[i]) + (force ? force(c)[i] : Real(0));
    }
    return r;
  }

  // sum_a |u_a| / h_a + c sqrt(sum 1/h^2)
  Real signal_of(const State4& q) const {
    Real sum = 0, squares = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      sum += std::fabs(q[a + 1]) * inverse_h(a);
      squares += inverse_h(a) * inverse_h(a);
    }
    return sum + physics.sound_speed * std::sqrt(squares);
  }
};

}  // namespace watersmeet::isothermal
