#pragma once
// Pointwise diagnostics and derived quantities of the MHD system: what the time series sums and what snapshots hold.

#include "exec/sample.hpp"
#include "schemes/velocity_gradient.hpp"
#include "systems/mhd/equations.hpp"

namespace watersmeet::mhd {

// Sums over cells, in this order (the volume element is applied by the caller):
enum Sums : int {
  sum_mass,        // rho
  sum_momentum_x,  // rho u
  sum_momentum_y,
  sum_momentum_z,
  sum_ux2,  // u_x^2, u_y^2, u_z^2
  sum_uy2,
  sum_uz2,
  sum_kinetic_energy,     // rho u^2 / 2
  sum_magnetic_energy,    // B^2 / (2 mu_0)
  sum_internal_energy,    // p / (gamma - 1), 0 without an energy equation
  sum_entropy,            // rho q, likewise
  sum_dissipation,        // 2 nu rho S:S + (zeta + zeta_s) rho (div u)^2
  sum_ohmic,              // eta j^2 / mu_0
  sum_enstrophy,          // |curl u|^2 / 2
  sum_helicity,           // u . curl u
  sum_cross_helicity,     // u . B
  sum_magnetic_helicity,  // A . curl A
  sum_current_helicity,   // j . (B - B_0)
  sum_bx,                 // B
  sum_by,
  sum_bz,
  sum_b2,  // B^2
  sums_end
};
enum Maxima : int { max_speed, max_rho, max_minus_rho, max_b, max_div_b, maxima_end };
constexpr int n_sums = sums_end, n_maxima = maxima_end;

// First derivative along `b` of the first derivative along `a` of one variable, both with the stencil of first6: what a divergence of
// curl A is made of. The outermost points are 3 cells away along both axes.
template <int a, int b, class S, class R>
WM_HD typename S::value_type first_of_first(const S& s, int var, const schemes::Weights6<R>& w) {
  using T = typename S::value_type;
  T sum = T(R(0));
  for (int m = 1; m <= 3; ++m) {
    for (int n = 1; n <= 3; ++n) {
      const auto at = [&](int p, int q) {
        return s(var, (a == 0 ? p : 0) + (b == 0 ? q : 0), (a == 1 ? p : 0) + (b == 1 ? q : 0),
                 (a == 2 ? p : 0) + (b == 2 ? q : 0));
      };
      sum += w.axis[a].first[m - 1] * w.axis[b].first[n - 1] *
             ((at(m, n) - at(-m, n)) - (at(m, -n) - at(-m, -n)));
    }
  }
  return sum;
}

// The discrete divergence of curl A: d_x (d_y A_z - d_z A_y) + ...
template <class S, class R>
WM_HD typename S::value_type divergence_of_field(const S& s, const schemes::Weights6<R>& w) {
  return (first_of_first<1, 0>(s, az, w) - first_of_first<2, 0>(s, ay, w)) +
         (first_of_first<2, 1>(s, ax, w) - first_of_first<0, 1>(s, az, w)) +
         (first_of_first<0, 2>(s, ay, w) - first_of_first<1, 2>(s, ax, w));
}

template <class S, class R>
WM_HD Vec<typename S::value_type, 3> current(const S& s, const schemes::Weights6<R>& w) {
  const auto a = schemes::second_derivatives6(s, ax, w);
  Vec<typename S::value_type, 3> j;
  for (int i = 0; i < 3; ++i) j[i] = a.grad_div[i] - a.laplacian[i];
  return j;
}

template <class R, bool has_entropy, bool has_shock>
struct Diagnose {
  static constexpr int sums = n_sums, maxima = n_maxima;
  static constexpr int extra_index = has_shock ? variables_of<has_entropy> : -1;
  Coefficients<R> c;
  R rho_0, permeability;

  template <class S>
  WM_HD exec::Sample<typename S::value_type, n_sums, n_maxima> operator()(const S& s) const {
    using T = typename S::value_type;
    const Vec<T, 3> u = {{s(ux, 0, 0, 0), s(uy, 0, 0, 0), s(uz, 0, 0, 0)}};
    const Vec<T, 3> potential = {{s(ax, 0, 0, 0), s(ay, 0, 0, 0), s(az, 0, 0, 0)}};
    const Vec<T, 3> g[3] = {gradient6(s, ux, c.w), gradient6(s, uy, c.w), gradient6(s, uz, c.w)};
    const Vec<T, 3> vorticity = {{g[2][1] - g[1][2], g[0][2] - g[2][0], g[1][0] - g[0][1]}};
    const T div = g[0][0] + g[1][1] + g[2][2];
    StrainSquared<T> strain;
    strain.template add<0>(g[0]);
    strain.template add<1>(g[1]);
    strain.template add<2>(g[2]);
    const Vec<T, 3> own = curl6(s, ax, c.w), b = magnetic_field(s, c), j = current(s, c.w);
    const T rho = rho_0 * exp_(s(lnrho, 0, 0, 0));
    const T u2 = dot(u, u), b2 = dot(b, b);
    exec::Sample<T, n_sums, n_maxima> r;
    r.sum[sum_mass] = rho;
    for (int a = 0; a < 3; ++a) {
      r.sum[sum_momentum_x + a] = rho * u[a];
      r.sum[sum_ux2 + a] = sq(u[a]);
      r.sum[sum_bx + a] = b[a];
    }
    r.sum[sum_kinetic_energy] = R(0.5) * rho * u2;
    r.sum[sum_magnetic_energy] = R(0.5) / permeability * b2;
    r.sum[sum_internal_energy] = r.sum[sum_entropy] = T(R(0));
    if constexpr (has_entropy) {
      r.sum[sum_internal_energy] =
          rho * sound_speed_squared<true>(s, c) * (R(1) / (c.gamma * c.gamma_1));
      r.sum[sum_entropy] = rho * s(entropy, 0, 0, 0);
    }
    T bulk = T(c.zeta);
    if constexpr (has_shock) bulk += s(extra_index, 0, 0, 0);
    r.sum[sum_dissipation] = rho * (R(2) * c.nu * strain.of(div) + bulk * sq(div));
    r.sum[sum_ohmic] = c.eta / permeability * dot(j, j);
    r.sum[sum_enstrophy] = R(0.5) * dot(vorticity, vorticity);
    r.sum[sum_helicity] = dot(u, vorticity);
    r.sum[sum_cross_helicity] = dot(u, b);
    r.sum[sum_magnetic_helicity] = dot(potential, own);
    r.sum[sum_current_helicity] = dot(j, own);
    r.sum[sum_b2] = b2;
    r.maximum[max_speed] = sqrt_(u2);
    r.maximum[max_rho] = rho;
    r.maximum[max_minus_rho] = -rho;
    r.maximum[max_b] = sqrt_(b2);
    r.maximum[max_div_b] = abs_(divergence_of_field(s, c.w));
    return r;
  }
};

// Output quantities; names, units and components are in outputs.cpp in the same order. Those from `temperature` on need an energy equation.
enum class Quantity : int {
  rho,
  lnrho,
  velocity,
  speed,
  p,
  vorticity,
  divergence,
  vector_potential,
  magnetic_field,
  current_density,
  mach,
  alfven_speed,
  magnetic_pressure,
  dissipation,
  ohmic_dissipation,
  enstrophy,
  helicity,
  cross_helicity,
  q_criterion,
  temperature,
  entropy,
  count
};

// Up to three components of a quantity at a point.
template <class R, bool has_entropy, bool has_shock>
struct Evaluate {
  static constexpr int extra_index = Diagnose<R, has_entropy, has_shock>::extra_index;
  Diagnose<R, has_entropy, has_shock> sums;  // of which some are fields too
  R temperature_scale;                       // c_0^2 / ((gamma - 1) c_p): T_0
  Quantity quantity;

  template <class S>
  WM_HD Vec<typename S::value_type, 3> operator()(const S& s) const {
    using T = typename S::value_type;
    const T l = s(mhd::lnrho, 0, 0, 0);
    const Vec<T, 3> u = {{s(ux, 0, 0, 0), s(uy, 0, 0, 0), s(uz, 0, 0, 0)}};
    const T none = T(R(0));
    const Coefficients<R>& c = sums.c;
    const R rho_0 = sums.rho_0, permeability = sums.permeability;
    const auto field = [&](Sums sum) { return Vec<T, 3>{{sums(s).sum[sum], none, none}}; };
    switch (quantity) {
      case Quantity::rho:
        return {{rho_0 * exp_(l), none, none}};
      case Quantity::lnrho:
        return {{l, none, none}};
      case Quantity::velocity:
        return u;
      case Quantity::speed:
        return {{sqrt_(dot(u, u)), none, none}};
      case Quantity::p: {
        const R over_gamma = has_entropy ? R(1) / c.gamma : R(1);
        return {
            {rho_0 * exp_(l) * sound_speed_squared<has_entropy>(s, c) * over_gamma, none, none}};
      }
      case Quantity::divergence:
        return {{schemes::divergence6(s, ux, c.w), none, none}};
      case Quantity::vorticity:
        return curl6(s, ux, c.w);
      case Quantity::vector_potential:
        return {{s(ax, 0, 0, 0), s(ay, 0, 0, 0), s(az, 0, 0, 0)}};
      case Quantity::magnetic_field:
        return magnetic_field(s, c);
      case Quantity::current_density: {
        Vec<T, 3> j = current(s, c.w);
        for (int a = 0; a < 3; ++a) j[a] = j[a] * (R(1) / permeability);
        return j;
      }
      case Quantity::mach: {
        const T c2 = sound_speed_squared<has_entropy>(s, c);
        return {{select(c2 > none, sqrt_(dot(u, u) * rcp_(select(c2 > none, c2, T(R(1))))), none),
                 none, none}};
      }
      case Quantity::alfven_speed: {
        const Vec<T, 3> b = magnetic_field(s, c);
        return {{sqrt_(dot(b, b) * rcp_((permeability * rho_0) * exp_(l))), none, none}};
      }
      case Quantity::magnetic_pressure:
        return field(sum_magnetic_energy);
      case Quantity::dissipation:
        return field(sum_dissipation);
      case Quantity::ohmic_dissipation:
        return field(sum_ohmic);
      case Quantity::enstrophy:
        return field(sum_enstrophy);
      case Quantity::helicity:
        return field(sum_helicity);
      case Quantity::cross_helicity:
        return field(sum_cross_helicity);
      case Quantity::q_criterion: {
        const Vec<Vec<T, 3>, 3> g = {
            {gradient6(s, ux, c.w), gradient6(s, uy, c.w), gradient6(s, uz, c.w)}};
        return {{schemes::q_criterion(g), none, none}};
      }
      case Quantity::temperature:
      case Quantity::entropy:
        if constexpr (has_entropy) {
          const T q = s(mhd::entropy, 0, 0, 0);
          return {{quantity == Quantity::entropy
                       ? q
                       : temperature_scale * exp_(c.gamma * q + c.gamma_1 * l),
                   none, none}};
        }
        break;
      case Quantity::count:
        break;
    }
    return {{none, none, none}};
  }
};

}  // namespace watersmeet::mhd
