#pragma once
// Compressible flow of two stiffened gases without sharp interfaces (the seven-equation form of
// Wermelinger et al., PASC 2016; Johnsen and Colonius 2006):
//
//   (1)  rho_t     + div(rho u)            = 0
//   (2)  (rho u)_t + div(rho u u^T + p I)  = 0
//   (3)  E_t       + div((E + p) u)        = 0
//   (4)  phi_t     + u . grad phi          = D_phi K div u,   phi in {Gamma, Pi}
//
//   E = Gamma p + Pi + rho |u|^2 / 2,  Gamma = 1/(gamma - 1),  Pi = gamma p_c / (gamma - 1)
//   rho c^2 = ((Gamma + 1) p + Pi) / Gamma
//
// K = 0 in the model `mpcf`; in `mpcf-k` it is Kapila's compaction of the lighter fluid of a mixed
// cell (flow.hpp, compaction_of). With split energy E - Pi is stored: single precision loses p in
// Pi.
//
// Written in explicit multiply-adds: the loops of every schedule, axis and rank give the same bits.

#include "core/math.hpp"
#include "core/vec.hpp"
#include "schemes/weno.hpp"

namespace watersmeet::multicomponent {

enum Stored : int { s_rho, s_mx, s_my, s_mz, s_energy, s_gamma, s_pi, n_variables };
// What is reconstructed; Gamma and Pi are the same in both.
enum PrimitiveValue : int { w_rho, w_u, w_v, w_w, w_p, w_gamma, w_pi };
// A face record: fluxes of mass, momentum and energy, then the upwind Gamma and Pi (or, with
// averaging Riemann solvers, their fluxes), then the face velocity u_f.
constexpr int r_velocity = n_variables, n_records = n_variables + 1;

// As registers hold them.
template <class T>
using Conserved = Vec<T, n_variables>;
// A type of its own: neither passes for the other. The face form hands on its values alone.
template <class T>
struct Primitive {
  Vec<T, n_variables> values;
  WM_HD T& operator[](int v) { return values[v]; }
  WM_HD const T& operator[](int v) const { return values[v]; }
};
template <class T>
using Record = Vec<T, n_records>;

// p times Gamma rho c^2 / p ...: Gamma rho c^2 = (Gamma + 1) p + Pi, positive where p is
// admissible.
template <class T>
WM_HD T stiff_pressure(const Primitive<T>& w) {
  return fma_(w[w_gamma], w[w_p], w[w_p]) + w[w_pi];
}

template <class T>
WM_HD auto admissible(const Primitive<T>& w) {
  using R = RealOf<T>;
  const T none = T(R(0));
  return and_(and_(w[w_rho] > none, w[w_gamma] > none), stiff_pressure(w) > none);
}

template <class T>
WM_HD Primitive<T> primitive_of(const Conserved<T>& s, bool split) {
  using R = RealOf<T>;
  const T inverse_rho = rcp_(s[s_rho]);
  Primitive<T> w;
  w[w_rho] = s[s_rho];
  for (int a = 0; a < 3; ++a) w[w_u + a] = s[s_mx + a] * inverse_rho;
  const T kinetic2 = fma_(s[s_mx], w[w_u], fma_(s[s_my], w[w_v], s[s_mz] * w[w_w]));  // rho |u|^2
  T internal = fma_(T(R(-0.5)), kinetic2, s[s_energy]);
  if (!split) internal = internal - s[s_pi];
  w[w_p] = internal * rcp_(s[s_gamma]);
  w[w_gamma] = s[s_gamma];
  w[w_pi] = s[s_pi];
  return w;
}

template <class T>
WM_HD Conserved<T> conserved_of(const Primitive<T>& w, bool split) {
  using R = RealOf<T>;
  Conserved<T> s;
  s[s_rho] = w[w_rho];
  for (int a = 0; a < 3; ++a) s[s_mx + a] = w[w_rho] * w[w_u + a];
  const T kinetic2 = fma_(s[s_mx], w[w_u], fma_(s[s_my], w[w_v], s[s_mz] * w[w_w]));
  s[s_energy] = fma_(T(R(0.5)), kinetic2, w[w_gamma] * w[w_p]);
  if (!split) s[s_energy] = s[s_energy] + w[w_pi];
  s[s_gamma] = w[w_gamma];
  s[s_pi] = w[w_pi];
  return s;
}

}  // namespace watersmeet::multicomponent
