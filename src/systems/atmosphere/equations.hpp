#pragma once
// Compressible Euler equations with gravity, as departures from a hydrostatic reference at rest
// (reference.hpp), rho_r(z) and p_r(z) with dp_r/dz = -rho_r g:
//
//   rho = rho_r + rho',   p = p_r + p',   E = p/(gamma - 1) + rho |V|^2/2 + rho g z = E_r + E'
//
//   (1)  rho'_t     + div(rho V)               = 0
//   (2)  (rho V)_t  + div(rho V V) + grad p'   = -rho' g k + sources
//   (3)  E'_t       + div((E + p) V)           = sources
//
// With the potential g z inside E gravity brings no source of energy, so that its total is kept to
// round-off between walls. A state that is the reference is zero in every stored number: it stays
// so to the last bit, and single precision keeps departures that are small. sources.hpp has the
// right-hand sides, riemann.hpp the fluxes through a face.
//
// Squares of velocities along the levels are taken with the metric of a mesh: FlatMetric of a box,
// schemes::PanelPoint of a panel, whose u and v are contravariant.

#include "core/math.hpp"
#include "core/vec.hpp"

namespace watersmeet::atmosphere {

enum Stored : int { s_rho, s_mx, s_my, s_mz, s_energy, n_variables };
// What is reconstructed: rho', velocity, p'.
enum PrimitiveValue : int { w_rho, w_u, w_v, w_w, w_p, n_primitives };

// As registers hold them.
template <class T>
using Conserved = Vec<T, n_variables>;
// A type of its own: neither passes for the other.
template <class T>
struct Primitive {
  T v[n_primitives];
  WM_HD T& operator[](int i) { return v[i]; }
  WM_HD const T& operator[](int i) const { return v[i]; }
};
// The first values of an edge (flow.hpp).
template <class T, int values>
WM_HD Primitive<T> primitive_part(const Vec<T, values>& edge) {
  Primitive<T> w;
  for (int v = 0; v < n_primitives; ++v) w[v] = edge[v];
  return w;
}

// The reference where a value stands, and the potential there.
template <class T>
struct Reference {
  T rho, p, gz;
};

// Slope of a level, z_x and z_y.
template <class T>
struct Slope {
  T x, y;
};

// The metric of a box.
struct FlatMetric {};
template <class T>
WM_HD T squared_length(FlatMetric, const T& u, const T& v) {
  return u * u + v * v;
}
template <class T>
WM_HD Vec<T, 2> covariant(FlatMetric, const T& u, const T& v) {
  return {{u, v}};
}
// g^ij z_j, and g^ij z_i z_j.
template <class T>
WM_HD Slope<T> raised(FlatMetric, const Slope<T>& z) {
  return z;
}
template <class T>
WM_HD T squared_slope(FlatMetric, const Slope<T>& z) {
  return z.x * z.x + z.y * z.y;
}

// |V|^2/2. The lateral squares are not fused, so that x and y may change places to the last bit.
template <class Metric, class T>
WM_HD T kinetic_of(const Metric& m, const Primitive<T>& w) {
  return RealOf<T>(0.5) * fma_(w[w_w], w[w_w], squared_length(m, w[w_u], w[w_v]));
}

template <class Metric, class T>
WM_HD Primitive<T> primitive_of(const Metric& m, const Conserved<T>& s, const Reference<T>& r,
                                RealOf<T> gamma) {
  using R = RealOf<T>;
  const T rho = r.rho + s[s_rho], inverse = rcp_(rho);
  Primitive<T> w{{s[s_rho], s[s_mx] * inverse, s[s_my] * inverse, s[s_mz] * inverse, T(R(0))}};
  w[w_p] = (gamma - R(1)) * fma_(T(-rho), kinetic_of(m, w), fma_(T(-s[s_rho]), r.gz, s[s_energy]));
  return w;
}

template <class Metric, class T>
WM_HD Conserved<T> conserved_of(const Metric& m, const Primitive<T>& w, const Reference<T>& r,
                                RealOf<T> gamma) {
  using R = RealOf<T>;
  const T rho = r.rho + w[w_rho];
  return {{w[w_rho], rho * w[w_u], rho * w[w_v], rho * w[w_w],
           (R(1) / (gamma - R(1))) * w[w_p] + rho * kinetic_of(m, w) + w[w_rho] * r.gz}};
}

// E/rho from p/rho, |V|^2/2 and g z.
template <class T>
WM_HD T specific_energy(const T& work, const T& kinetic, const T& gz, RealOf<T> gamma) {
  using R = RealOf<T>;
  return fma_(T(R(1) / (gamma - R(1))), work, kinetic + gz);
}

// Speed of sound; not a number where rho or p is not positive.
template <class T>
WM_HD T sound_speed(const Primitive<T>& w, const Reference<T>& r, RealOf<T> gamma) {
  using R = RealOf<T>;
  const T rho = r.rho + w[w_rho], pressure = r.p + w[w_p];
  const auto good = and_(rho > T(R(0)), pressure > T(R(0)));
  const T a = root_(gamma * select(good, pressure, T(R(1))) * rcp_(select(good, rho, T(R(1)))));
  return select(good, a, root_(T(R(-1))));
}

// theta - theta_r of the potential temperature theta = p_0/(R_d rho) (p/p_0)^(1/gamma): theta_r
// times what is exactly 0 in the reference state.
template <class T>
WM_HD T theta_perturbation(const Primitive<T>& w, const Reference<T>& r, const T& theta_r,
                           RealOf<T> gamma) {
  using R = RealOf<T>;
  const T pressure = pow_(R(1) + w[w_p] * rcp_(r.p), R(1) / gamma);
  const T density = R(1) + w[w_rho] * rcp_(r.rho);
  return theta_r * ((pressure - density) * rcp_(density));
}

}  // namespace watersmeet::atmosphere
