#pragma once
// Entropy of the perfect gas and a two-point flux that conserves it:
//
//   S = -rho s / (gamma - 1),  s = ln(p / rho^gamma)            (convex in W)
//   v = dS/dW = ( (gamma - s)/(gamma - 1) - rho |u|^2/(2p), rho u / p, -rho / p )
//   psi(N) = v . F(N) - (entropy flux through N) = rho u . N
//
// A symmetric two-point flux with (v_r - v_l) . F = psi_r - psi_l conserves S exactly. This one
// (Ranocha 2018, thesis, and 2020, Springer LNCSE 134) also keeps pressure equilibrium and the
// kinetic energy balance; {a}: arithmetic mean, {a}_log: logarithmic mean,
//
//   F = ( {rho}_log {U}, F_rho {u} + {p} N,
//         F_rho ( u_l . u_r / 2 + 1 / ((gamma - 1) {rho/p}_log) ) + (p_l U_r + p_r U_l)/2 )
//
// U = u . N, with the mean of the area vectors of both nodes as N.

#include "systems/aerodynamics/equations.hpp"

namespace watersmeet::aerodynamics {

template <class T>
WM_HD T specific_entropy(const Primitive<T>& f, const Gas<RealOf<T>>& gas) {
  return log_(f.p) - gas.gamma * log_(f.rho);
}

template <class T>
WM_HD T entropy_density(const Primitive<T>& f, const Gas<RealOf<T>>& gas) {
  using R = RealOf<T>;
  return -(R(1) / (gas.gamma - R(1))) * (f.rho * specific_entropy(f, gas));
}

template <class T>
WM_HD Conserved<T> entropy_variables(const Primitive<T>& f, const Gas<RealOf<T>>& gas) {
  using R = RealOf<T>;
  const T beta = f.rho * rcp_(f.p);
  Conserved<T> v;
  v[s_rho] = (R(1) / (gas.gamma - R(1))) * (gas.gamma - specific_entropy(f, gas)) -
             R(0.5) * (beta * dot(f.u, f.u));
  for (int m = 0; m < 3; ++m) v[s_mx + m] = beta * f.u[m];
  v[s_energy] = -beta;
  return v;
}

template <class T>
WM_HD T entropy_potential(const Primitive<T>& f, const Area<T>& area) {
  return f.rho * dot(area, f.u);
}

// (a - b)/(ln a - ln b) of positive numbers; a and b can change places without changing a bit.
// Near a = b by the series of artanh in x = (a - b)/(a + b) (Ismail and Roe 2009). The switch at
// x = 0.1 keeps five units in the last place on its other side, where ln(a/b) > 0.2; the first
// term left out is x^16/17 < 6e-18.
template <class T>
WM_HD T logarithmic_mean(const T& a, const T& b) {
  using R = RealOf<T>;
  const T sum = a + b, difference = a - b;
  const T x = difference * rcp_(sum), x2 = x * x;
  T series = T(R(1.0 / 15.0));
  WM_UNROLL
  for (int k = 13; k > 0; k -= 2) series = series * x2 + R(1) / R(k);
  const auto close = x2 < T(R(1e-2));
  // Any ratio above 1 does in the branch that is not taken.
  const T ratio = select(close, T(R(2)), max_(a, b) * rcp_(min_(a, b)));
  return select(close, R(0.5) * sum * rcp_(series), abs_(difference) * rcp_(log_(ratio)));
}

template <class T>
WM_HD Conserved<T> entropy_conservative_flux(const Primitive<T>& l, const Primitive<T>& r,
                                             const Area<T>& area, const Gas<RealOf<T>>& gas) {
  using R = RealOf<T>;
  const T ul = dot(area, l.u), ur = dot(area, r.u);
  const T mass = logarithmic_mean(l.rho, r.rho) * (R(0.5) * (ul + ur));
  const T p = R(0.5) * (l.p + r.p);
  const T inner = rcp_((gas.gamma - R(1)) * logarithmic_mean(l.rho * rcp_(l.p), r.rho * rcp_(r.p)));
  Conserved<T> f;
  f[s_rho] = mass;
  for (int m = 0; m < 3; ++m) f[s_mx + m] = mass * (R(0.5) * (l.u[m] + r.u[m])) + p * area[m];
  f[s_energy] = mass * (R(0.5) * dot(l.u, r.u) + inner) + R(0.5) * (l.p * ur + r.p * ul);
  return f;
}

}  // namespace watersmeet::aerodynamics
