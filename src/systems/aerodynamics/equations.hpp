#pragma once
// Compressible flow of a perfect gas on curvilinear blocks:
//
//   (1)  V dW/dt + sum_k D_k F_k = dissipation + penalties,   W = (rho, rho u, E)
//   (2)  F(S) = ( rho U, rho u U + p S, (E + p) U ),  U = S . u,  through an area vector S
//   (3)  p = (gamma - 1) (E - rho |u|^2 / 2),  c^2 = gamma p / rho,  H = (E + p) / rho
//
// dissipation.hpp and penalty.hpp have the terms on the right of (1), riemann.hpp and entropy.hpp
// fluxes from two states.
//
// S and V are the metrics of mesh/metrics.hpp. The eigenvalues of dF/dW are U - c |S|, U (three
// times) and U + c |S|.

#include <limits>

#include "core/math.hpp"
#include "core/vec.hpp"

namespace watersmeet::aerodynamics {

enum Stored : int { s_rho, s_mx, s_my, s_mz, s_energy, n_variables };

// W, as registers hold it.
template <class T>
using Conserved = Vec<T, n_variables>;
template <class T>
using Area = Vec<T, 3>;  // an area vector, not of length 1

template <class R>
struct Gas {
  R gamma;
  // Floor of c^2: lets a run continue until its positivity check reaches the node.
  R smallest_c2;
};

// a . b in three instructions. Exactly odd in each.
template <class T>
WM_HD T fused_dot(const Vec<T, 3>& a, const Vec<T, 3>& b) {
  return fma_(a[2], b[2], fma_(a[1], b[1], a[0] * b[0]));
}

// A type of its own: neither passes for the other.
template <class T>
struct Primitive {
  T rho;
  Vec<T, 3> u;
  T p;
};

template <class T>
WM_HD Primitive<T> primitive_of(const Conserved<T>& w, const Gas<RealOf<T>>& gas) {
  using R = RealOf<T>;
  const T inverse_rho = rcp_(w[s_rho]);
  const Vec<T, 3> momentum{{w[s_mx], w[s_my], w[s_mz]}};
  Primitive<T> f;
  f.rho = w[s_rho];
  for (int m = 0; m < 3; ++m) f.u[m] = momentum[m] * inverse_rho;
  f.p = (gas.gamma - R(1)) * fma_(T(R(-0.5)), fused_dot(momentum, f.u), w[s_energy]);
  return f;
}

template <class T>
WM_HD Conserved<T> conserved_of(const Primitive<T>& f, const Gas<RealOf<T>>& gas) {
  using R = RealOf<T>;
  Conserved<T> w;
  w[s_rho] = f.rho;
  for (int m = 0; m < 3; ++m) w[s_mx + m] = f.rho * f.u[m];
  w[s_energy] = f.p * (R(1) / (gas.gamma - R(1))) + R(0.5) * f.rho * dot(f.u, f.u);
  return w;
}

// The same with 1/(gamma - 1) at hand; its last bits are others.
template <class T>
WM_HD Conserved<T> conserved_of(const Primitive<T>& f, RealOf<T> inverse_gamma1) {
  using R = RealOf<T>;
  Conserved<T> w;
  w[s_rho] = f.rho;
  for (int m = 0; m < 3; ++m) w[s_mx + m] = f.rho * f.u[m];
  w[s_energy] = fma_(f.p, T(inverse_gamma1), R(0.5) * f.rho * fused_dot(f.u, f.u));
  return w;
}

template <class T>
WM_HD T sound_speed2(const Primitive<T>& f, const Gas<RealOf<T>>& gas) {
  return max_(gas.gamma * f.p * rcp_(f.rho), T(gas.smallest_c2));
}

// H = c^2 / (gamma - 1) + |u|^2 / 2, without the floor of c^2.
template <class T>
WM_HD T total_enthalpy(const Conserved<T>& w, const Primitive<T>& f) {
  return (w[s_energy] + f.p) * rcp_(f.rho);
}

// Density and pressure above their floors. False also where one of them is not a number.
template <class T>
WM_HD auto admissible(const Primitive<T>& f, RealOf<T> smallest_rho, RealOf<T> smallest_p) {
  return and_(f.rho > T(smallest_rho), f.p > T(smallest_p));
}

// (2), with W beside its primitive values. Exactly odd in the area vector.
template <class T>
WM_HD Conserved<T> flux(const Conserved<T>& w, const Primitive<T>& f, const Area<T>& area) {
  const T u = fused_dot(area, f.u);
  Conserved<T> result;
  result[s_rho] = w[s_rho] * u;
  for (int m = 0; m < 3; ++m) result[s_mx + m] = fma_(w[s_mx + m], u, f.p * area[m]);
  result[s_energy] = (w[s_energy] + f.p) * u;
  return result;
}

// Largest |eigenvalue|, |U| + c |S|: what limits the time step and scales the dissipation. Exactly
// zero where an area vanishes; the root is taken of positive numbers there too.
template <class T>
WM_HD T spectral_radius(const Primitive<T>& f, const T& sound2, const Area<T>& area) {
  using R = RealOf<T>;
  const T square = sound2 * fused_dot(area, area);
  const T least = T(std::numeric_limits<R>::min());
  const T sound = select(square > least, root_(max_(square, least)), T(R(0)));
  return abs_(fused_dot(area, f.u)) + sound;
}
template <class T>
WM_HD T spectral_radius(const Primitive<T>& f, const Area<T>& area, const Gas<RealOf<T>>& gas) {
  return spectral_radius(f, sound_speed2(f, gas), area);
}

// The same with c and |S| at hand; its last bits are others.
template <class T>
WM_HD T spectral_radius(const Primitive<T>& f, const T& sound, const Area<T>& area,
                        const T& length) {
  return fma_(sound, length, abs_(fused_dot(area, f.u)));
}

// The vector components of a state in a turned frame, as a rotationally periodic interface needs
// it: row m of `turn` holds the new component m.
template <class T>
WM_HD Conserved<T> turned(const Conserved<T>& w, const RealOf<T> (&turn)[3][3]) {
  Conserved<T> result = w;
  for (int m = 0; m < 3; ++m) {
    result[s_mx + m] = turn[m][0] * w[s_mx] + turn[m][1] * w[s_my] + turn[m][2] * w[s_mz];
  }
  return result;
}

}  // namespace watersmeet::aerodynamics
