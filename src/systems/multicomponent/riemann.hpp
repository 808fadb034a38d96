#pragma once
// Approximate Riemann solvers for the face records of equations.hpp: HLLC (Toro et al. 1994;
// contact speed of Batten et al. 1997; outer speeds of Einfeldt 1988, or Roe's averages), HLLC-LM
// (Fleischmann, Adami and Adams 2020), HLL and Rusanov.
//
// HLLC with the symbols of Toro (2009, section 10.4), u normal to the face, k = L or R:
//   S* = (p_R - p_L + rho_L u_L (S_L - u_L) - rho_R u_R (S_R - u_R))
//        / (rho_L (S_L - u_L) - rho_R (S_R - u_R))
//   chi_k = (S_k - u_k) / (S_k - S*)
//   U*_k = chi_k (rho, rho S*, rho v, rho w, E + (S* - u)(rho S* + p / (S - u)), Gamma, Pi)_k
//   F = F_L where 0 <= S_L,  F_L + S_L (U*_L - U_L) where S_L <= 0 <= S*,  and so on the right
//
// Below that is rearranged. With the face velocity u_f = u_k + q, q = min(s_L, 0) (chi_L - 1) or max(s_R, 0) (chi_R - 1) on
// the upwind side k and m = rho_k (s_k - u_k), the HLLC flux is
//   mass      f = rho_k u_f
//   normal    f u_k + p_k + q m
//   tangent   f v_k
//   energy    (E_k + p_k) u_f + q m s*
//   phi       phi_k u_f
// which follows from the star states by chi (s_k - s*) = s_k - u_k.

#include "systems/multicomponent/equations.hpp"

namespace watersmeet::multicomponent {

enum class Riemann : int { hllc, hllc_lm, hll, rusanov };

namespace detail {

template <class T>
struct Sound {
  T c, c2;
};
template <class T>
WM_HD Sound<T> sound_of(const Primitive<T>& w) {
  const T c2 = stiff_pressure(w) * rcp_(w[w_gamma] * w[w_rho]);
  return {root_(c2), c2};
}

template <class T>
struct OuterSpeeds {
  T left, right;
};

// Einfeldt's speeds; n is the index of the normal velocity.
template <class T>
WM_HD OuterSpeeds<T> einfeldt_speeds(const Primitive<T>& l, const Primitive<T>& r, int n) {
  using R = RealOf<T>;
  const Sound<T> left = sound_of(l), right = sound_of(r);
  const T ratio = root_(r[w_rho] * rcp_(l[w_rho]));
  const T share = rcp_(ratio + R(1));
  const T mean = fma_(ratio, r[n], l[n]) * share;
  const T jump = (r[n] - l[n]) * share;
  const T spread = root_(fma_(R(0.5) * ratio, jump * jump, fma_(ratio, right.c2, left.c2) * share));
  return {min_(mean - spread, l[n] - left.c), max_(mean + spread, r[n] + right.c)};
}

// Speeds from averages of Gamma, Pi and p/rho with Roe's weights sqrt(rho). In one gas c^2 is above
// that of Roe's averages by rho~ ([u] / sum of weights)^2 / 2: a bound of a shock's speed.
template <class T>
WM_HD OuterSpeeds<T> roe_speeds(const Primitive<T>& l, const Primitive<T>& r, int n) {
  using R = RealOf<T>;
  const T weight_l = root_(l[w_rho]), weight_r = root_(r[w_rho]);
  const T share = rcp_(weight_l + weight_r);
  const auto average = [&](const T& a, const T& b) {
    return fma_(weight_l, a, weight_r * b) * share;
  };
  const T rho = weight_l * weight_r;
  const T gamma = average(l[w_gamma], r[w_gamma]), pi = average(l[w_pi], r[w_pi]);
  const T mean = average(l[n], r[n]);
  const T jump = (r[n] - l[n]) * share;
  const T p_over_rho =
      fma_(R(0.5) * rho, jump * jump, average(l[w_p] * rcp_(l[w_rho]), r[w_p] * rcp_(r[w_rho])));
  const T inverse_gamma = rcp_(gamma);
  const T c =
      root_(fma_(pi * inverse_gamma, rcp_(rho), fma_(p_over_rho, inverse_gamma, p_over_rho)));
  return {min_(mean - c, l[n] - sound_of(l).c), max_(mean + c, r[n] + sound_of(r).c)};
}

// What is stored as energy: E, or E - Pi. n, t1, t2: normal and tangential velocities.
template <class T>
WM_HD T energy_of(const Primitive<T>& w, int n, int t1, int t2, bool split) {
  using R = RealOf<T>;
  const T u2 = fma_(w[n], w[n], fma_(w[t1], w[t1], w[t2] * w[t2]));
  const T e = fma_(w[w_gamma], w[w_p], (R(0.5) * w[w_rho]) * u2);
  return split ? e : e + w[w_pi];
}

}  // namespace detail

// The record of a face from the states on both sides. `axis` is the direction of its normal.
//
// phi_by_contact: Gamma and Pi move with the contact, s*, in place of u_f. At first order the new
// values of a cell are then means over the same pieces of the same waves, energy and phi alike. The
// admissible states of two fluids are convex: internal energy above Pi/(Gamma + 1), which is a
// convex function of the volume fraction in which Gamma and Pi are linear. Hence such means stay
// admissible where the waves of the faces of a cell do not meet. With u_f they need not near a
// vacuum.
template <int axis, class T>
WM_HD Record<T> hllc_record(const Primitive<T>& l, const Primitive<T>& r,
                            const detail::OuterSpeeds<T>& speed, bool split,
                            bool phi_by_contact = false) {
  using R = RealOf<T>;
  constexpr int n = w_u + axis, t1 = w_u + (axis + 1) % 3, t2 = w_u + (axis + 2) % 3;
  const T none = T(R(0));
  const T mass_l = l[w_rho] * (speed.left - l[n]), mass_r = r[w_rho] * (speed.right - r[n]);
  const T push = fma_(l[n], mass_l, fma_(-r[n], mass_r, r[w_p] - l[w_p]));
  const T contact = push * rcp_(mass_l - mass_r);
  const auto from_left = contact >= none;
  Primitive<T> w;
  for (int v = 0; v < n_variables; ++v) w[v] = select(from_left, l[v], r[v]);
  const T mass = select(from_left, mass_l, mass_r);
  const T outer = select(from_left, speed.left, speed.right);
  const T clipped = select(from_left, min_(outer, none), max_(outer, none));
  const T q = clipped * ((contact - w[n]) * rcp_(outer - contact));
  const T u_f = w[n] + q;
  const T qm = q * mass;
  Record<T> f;
  f[s_rho] = w[w_rho] * u_f;
  f[n] = fma_(f[s_rho], w[n], w[w_p] + qm);
  f[t1] = f[s_rho] * w[t1];
  f[t2] = f[s_rho] * w[t2];
  const T energy = detail::energy_of(w, n, t1, t2, split);
  f[s_energy] = fma_(energy + w[w_p], u_f, qm * contact);
  f[s_gamma] = w[w_gamma];
  f[s_pi] = w[w_pi];
  f[r_velocity] = u_f;
  if (phi_by_contact) {
    f[r_velocity] = contact;
    if (split) f[s_energy] = fma_(w[w_pi], u_f - contact, f[s_energy]);
  }
  return f;
}

// HLLC with less dissipation by sound where the flow through the face is slow (HLLC-LM of
// Fleischmann, Adami and Adams, J. Comput. Phys. 423, 2020). In the centred form
//   F = (F_L + F_R)/2 + (s_L (U*_L - U_L) + |s*| (U*_L - U*_R) + s_R (U*_R - U_R))/2
// the outer speeds of the dissipation are multiplied by phi = sin(pi/2 min(1, Ma/0.1)),
// Ma = max |u_k|/c_k. Beside HLLC this takes away
//   (1 - phi) (s_L (U*_L - U_L) + s_R (U*_R - U_R))/2,
// whose terms are q_k (rho, rho u + m, rho v, rho w, E + p + m s*, Gamma, Pi)_k in the notation above.
// Along a shock that follows the grid the transverse flow is slow: there HLLC's dissipation by sound
// turns ripples of the pressure into mass fluxes, which is how the carbuncle grows.
template <int axis, class T>
WM_HD Record<T> hllc_lm_record(const Primitive<T>& l, const Primitive<T>& r,
                               const detail::OuterSpeeds<T>& speed, bool split) {
  using R = RealOf<T>;
  constexpr int n = w_u + axis, t1 = w_u + (axis + 1) % 3, t2 = w_u + (axis + 2) % 3;
  const T none = T(R(0)), one = T(R(1));
  Record<T> f = hllc_record<axis>(l, r, speed, split);
  for (const int v : {int{s_gamma}, int{s_pi}}) f[v] = f[v] * f[r_velocity];  // as fluxes
  const T mach =
      max_(abs_(l[n]) * rcp_(detail::sound_of(l).c), abs_(r[n]) * rcp_(detail::sound_of(r).c));
  const T x = min_(R(10) * mach, one);
  // The sine by its Taylor polynomial of degree 9: within 4e-6, and 1 at its end.
  T phi = fma_(x * x, T(R(1.604411848e-4)), T(R(-4.681754135e-3)));
  phi = fma_(x * x, phi, T(R(7.969262625e-2)));
  phi = fma_(x * x, phi, T(R(-0.6459640975)));
  phi = min_(x * fma_(x * x, phi, T(R(1.570796327))), one);
  const T less = R(0.5) * (phi - one);
  const T mass_l = l[w_rho] * (speed.left - l[n]), mass_r = r[w_rho] * (speed.right - r[n]);
  const T contact =
      fma_(l[n], mass_l, fma_(-r[n], mass_r, r[w_p] - l[w_p])) * rcp_(mass_l - mass_r);
  const auto take = [&](const Primitive<T>& w, const T& mass, const T& outer, const T& clipped) {
    const T q = (less * clipped) * ((contact - w[n]) * rcp_(outer - contact));
    const T flow = q * w[w_rho], qm = q * mass;
    f[s_rho] = f[s_rho] + flow;
    f[n] = fma_(flow, w[n], f[n]) + qm;
    f[t1] = fma_(flow, w[t1], f[t1]);
    f[t2] = fma_(flow, w[t2], f[t2]);
    f[s_energy] =
        fma_(detail::energy_of(w, n, t1, t2, split) + w[w_p], q, f[s_energy]) + qm * contact;
    f[s_gamma] = fma_(q, w[w_gamma], f[s_gamma]);
    f[s_pi] = fma_(q, w[w_pi], f[s_pi]);
    f[r_velocity] = f[r_velocity] + q;
  };
  take(l, mass_l, speed.left, min_(speed.left, none));
  take(r, mass_r, speed.right, max_(speed.right, none));
  return f;
}

// HLL, and Rusanov with both speeds the largest: every flux is the same mean of both sides, that of
// Gamma, Pi and of the constant 1 (which is u_f) included.
template <int axis, class T>
WM_HD Record<T> hll_record(const Primitive<T>& l, const Primitive<T>& r,
                           const detail::OuterSpeeds<T>& speed, bool split) {
  using R = RealOf<T>;
  constexpr int n = w_u + axis, t1 = w_u + (axis + 1) % 3, t2 = w_u + (axis + 2) % 3;
  const T none = T(R(0));
  const T left = min_(speed.left, none), right = max_(speed.right, none);
  const T share = rcp_(right - left);
  // weight_l + weight_r = u_f
  const T weight_l = (right * (l[n] - left)) * share;
  const T weight_r = (left * (right - r[n])) * share;
  const T pressure_l = right * share, pressure_r = -(left * share);
  Record<T> f;
  f[r_velocity] = weight_l + weight_r;
  const T mass_l = l[w_rho] * weight_l, mass_r = r[w_rho] * weight_r;
  f[s_rho] = mass_l + mass_r;
  for (const int v : {n, t1, t2}) f[v] = fma_(mass_l, l[v], mass_r * r[v]);
  f[n] = f[n] + fma_(pressure_l, l[w_p], pressure_r * r[w_p]);
  const T energy_l = detail::energy_of(l, n, t1, t2, split),
          energy_r = detail::energy_of(r, n, t1, t2, split);
  f[s_energy] = fma_(energy_l, weight_l, energy_r * weight_r) +
                fma_(pressure_l * l[n], l[w_p], (pressure_r * r[n]) * r[w_p]);
  f[s_gamma] = fma_(l[w_gamma], weight_l, r[w_gamma] * weight_r);
  f[s_pi] = fma_(l[w_pi], weight_l, r[w_pi] * weight_r);
  return f;
}

}  // namespace watersmeet::multicomponent
