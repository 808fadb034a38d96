#pragma once
// Compressible Euler equations with gravity, as departures from a hydrostatic reference at rest
// (reference.hpp), rho_r(z) and p_r(z) with dp_r/dz = -rho_r g:
//
//   rho = rho_r + rho',   p = p_r + p',   E = p/(gamma - 1) + rho |V|^2/2 + rho g z = E_r + E'
//
//   rho'_t     + div(rho V)               = 0
//   (rho V)_t  + div(rho V V) + grad p'   = -rho' g k + sources
//   E'_t       + div((E + p) V)           = sources
//
// With the potential g z inside E gravity brings no source of energy, so that its total is kept to
// round-off between walls. A state that is the reference is zero in every stored number: it stays
// so to the last bit, and single precision keeps departures that are small.

#include "core/math.hpp"
#include "core/vec.hpp"

namespace watersmeet::atmosphere {

enum Stored : int { s_rho, s_mx, s_my, s_mz, s_energy, n_variables };
// What is reconstructed: rho', velocity, p'.
enum Primitive : int { w_rho, w_u, w_v, w_w, w_p, n_primitives };

template <class T>
using State = Vec<T, n_variables>;
template <class T>
using Point = Vec<T, n_primitives>;

// The reference where a value stands, and the potential there.
template <class T>
struct Reference {
  T rho, p, gz;
};

// Per mass. The lateral squares are not fused, so that x and y may change places to the last bit.
template <class T>
WM_HD T kinetic_of(const Point<T>& w) {
  return RealOf<T>(0.5) * fma_(w[w_w], w[w_w], w[w_u] * w[w_u] + w[w_v] * w[w_v]);
}

template <class T>
WM_HD Point<T> primitive_of(const State<T>& s, const Reference<T>& r, RealOf<T> gamma) {
  using R = RealOf<T>;
  const T rho = r.rho + s[s_rho], inverse = rcp_(rho);
  Point<T> w{{s[s_rho], s[s_mx] * inverse, s[s_my] * inverse, s[s_mz] * inverse, T(R(0))}};
  w[w_p] = (gamma - R(1)) * fma_(T(-rho), kinetic_of(w), fma_(T(-s[s_rho]), r.gz, s[s_energy]));
  return w;
}

template <class T>
WM_HD State<T> stored_of(const Point<T>& w, const Reference<T>& r, RealOf<T> gamma) {
  using R = RealOf<T>;
  const T rho = r.rho + w[w_rho];
  return {{w[w_rho], rho * w[w_u], rho * w[w_v], rho * w[w_w],
           (R(1) / (gamma - R(1))) * w[w_p] + rho * kinetic_of(w) + w[w_rho] * r.gz}};
}

// theta - theta_r of the potential temperature theta = p_0/(R_d rho) (p/p_0)^(1/gamma): theta_r
// times what is exactly 0 in the reference state.
template <class T>
WM_HD T theta_perturbation(const Point<T>& w, const Reference<T>& r, const T& theta_r,
                           RealOf<T> gamma) {
  using R = RealOf<T>;
  const T pressure = pow_(R(1) + w[w_p] * rcp_(r.p), R(1) / gamma);
  const T density = R(1) + w[w_rho] * rcp_(r.rho);
  return theta_r * ((pressure - density) * rcp_(density));
}

}  // namespace watersmeet::atmosphere
