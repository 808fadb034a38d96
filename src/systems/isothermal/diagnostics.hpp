#pragma once
// Pointwise diagnostics and derived quantities of the isothermal system: the terms of the sums of the
// time series, and the fields of snapshots. Units are in outputs.cpp.

#include "exec/sample.hpp"
#include "schemes/velocity_gradient.hpp"
#include "systems/isothermal/equations.hpp"

namespace watersmeet::isothermal {

// Sums over cells, in this order (the volume element is applied by the caller):
enum Sums : int {
  sum_mass,        // rho
  sum_momentum_x,  // rho u
  sum_momentum_y,
  sum_momentum_z,
  sum_ux2,  // u_x^2, u_y^2, u_z^2
  sum_uy2,
  sum_uz2,
  sum_kinetic_energy,         // rho u^2 / 2
  sum_dissipation,            // 2 nu rho S:S + (zeta + zeta_s) rho (div u)^2
  sum_enstrophy,              // |curl u|^2 / 2
  sum_helicity,               // u . curl u
  sum_acceleration_work,      // rho u . f of the body acceleration, 0 without one
  sum_numerical_dissipation,  // -rho u . (upwinding and hyperviscosity of u), 0 without them
  sums_end
};
enum Maxima : int { max_speed, max_rho, max_minus_rho, maxima_end };
constexpr int n_sums = sums_end, n_maxima = maxima_end;

template <class R, bool has_shock>
struct Diagnose {
  static constexpr int sums = n_sums, maxima = n_maxima;
  static constexpr int extra_index = has_shock ? int(shock_viscosity) : -1;
  schemes::Weights6<R> w;
  R rho_0, nu, zeta;
  ExtendedCoefficients<R> e;
  bool numerical = false;  // upwinding of the velocity, or hyperviscosity

  template <class S>
  WM_HD exec::Sample<typename S::value_type, n_sums, n_maxima> operator()(const S& s) const {
    using T = typename S::value_type;
    const Vec<T, 3> u = {{s(ux, 0, 0, 0), s(uy, 0, 0, 0), s(uz, 0, 0, 0)}};
    const Vec<T, 3> g[3] = {gradient6(s, ux, w), gradient6(s, uy, w), gradient6(s, uz, w)};
    const T rho = rho_0 * exp_(s(lnrho, 0, 0, 0));
    const T div = g[0][0] + g[1][1] + g[2][2];
    const T sxy = g[0][1] + g[1][0], sxz = g[0][2] + g[2][0], syz = g[1][2] + g[2][1];
    // S is the traceless rate of strain:
    // S:S = sum_i (d_i u_i)^2 + 1/2 sum_{i<j} (d_j u_i + d_i u_j)^2 - (div u)^2 / 3
    const T strain = sq(g[0][0]) + sq(g[1][1]) + sq(g[2][2]) +
                     R(0.5) * (sq(sxy) + sq(sxz) + sq(syz)) - R(1.0 / 3.0) * sq(div);
    const Vec<T, 3> vorticity = {{g[2][1] - g[1][2], g[0][2] - g[2][0], g[1][0] - g[0][1]}};
    const T u2 = dot(u, u);
    exec::Sample<T, n_sums, n_maxima> r;
    r.sum[sum_mass] = rho;
    r.sum[sum_momentum_x] = rho * u[0];
    r.sum[sum_momentum_y] = rho * u[1];
    r.sum[sum_momentum_z] = rho * u[2];
    r.sum[sum_ux2] = sq(u[0]);
    r.sum[sum_uy2] = sq(u[1]);
    r.sum[sum_uz2] = sq(u[2]);
    r.sum[sum_kinetic_energy] = R(0.5) * rho * u2;
    T bulk = T(zeta);
    if constexpr (has_shock) bulk += s(shock_viscosity, 0, 0, 0);
    r.sum[sum_dissipation] = rho * (R(2) * nu * strain + bulk * sq(div));
    r.sum[sum_enstrophy] = R(0.5) * dot(vorticity, vorticity);
    r.sum[sum_helicity] = dot(u, vorticity);
    r.sum[sum_acceleration_work] = T(R(0));
    if (e.acceleration) {
      for (int a = 0; a < 3; ++a) {
        r.sum[sum_acceleration_work] +=
            rho * u[a] * load_as<T>(e.acceleration + a * e.acceleration_stride + s.offset);
      }
    }
    r.sum[sum_numerical_dissipation] = T(R(0));
    if (numerical) {
      for (int a = 0; a < 3; ++a) {
        r.sum[sum_numerical_dissipation] -= rho * u[a] * sixth_order_damping(s, ux + a, u, e);
      }
    }
    r.maximum[max_speed] = sqrt_(u2);
    r.maximum[max_rho] = rho;
    r.maximum[max_minus_rho] = -rho;
    return r;
  }
};

// Output quantities; names, units and components are in outputs.cpp in the same order.
enum class Quantity : int {
  rho,
  lnrho,
  velocity,
  speed,
  pressure,
  vorticity,
  divergence,
  mach,
  dissipation,
  enstrophy,
  helicity,
  q_criterion,
  count
};

// Up to three components of a quantity at a point.
template <class R, bool has_shock>
struct Evaluate {
  static constexpr int extra_index = Diagnose<R, has_shock>::extra_index;
  Diagnose<R, has_shock> sums;  // some of its terms are fields too
  R sound_speed_squared;
  R inverse_sound_speed;  // 0 without sound
  Quantity quantity;

  template <class S>
  WM_HD Vec<typename S::value_type, 3> operator()(const S& s) const {
    using T = typename S::value_type;
    const T l = s(lnrho, 0, 0, 0);
    const Vec<T, 3> u = {{s(ux, 0, 0, 0), s(uy, 0, 0, 0), s(uz, 0, 0, 0)}};
    const T none = T(R(0));
    const schemes::Weights6<R>& w = sums.w;
    const R rho_0 = sums.rho_0;
    switch (quantity) {
      case Quantity::rho:
        return {{rho_0 * exp_(l), none, none}};
      case Quantity::lnrho:
        return {{l, none, none}};
      case Quantity::velocity:
        return u;
      case Quantity::speed:
        return {{sqrt_(dot(u, u)), none, none}};
      case Quantity::pressure:
        return {{sound_speed_squared * rho_0 * exp_(l), none, none}};
      case Quantity::divergence:
        return {{divergence_of_velocity(s, w), none, none}};
      case Quantity::vorticity:
        return schemes::curl6(s, ux, w);
      case Quantity::mach:
        return {{sqrt_(dot(u, u)) * inverse_sound_speed, none, none}};
      case Quantity::dissipation:
        return {{sums(s).sum[sum_dissipation], none, none}};
      case Quantity::enstrophy:
        return {{sums(s).sum[sum_enstrophy], none, none}};
      case Quantity::helicity:
        return {{sums(s).sum[sum_helicity], none, none}};
      case Quantity::q_criterion: {
        const Vec<Vec<T, 3>, 3> g = {
            {gradient6(s, ux, w), gradient6(s, uy, w), gradient6(s, uz, w)}};
        return {{schemes::q_criterion(g), none, none}};
      }
      case Quantity::count:
        break;
    }
    return {{none, none, none}};
  }
};

}  // namespace watersmeet::isothermal
