#pragma once
// Riemann solvers at a face with unit normal n, in departures from the reference there. Both sides
// have the same rho_r and p_r, so that a state at rest has p' and a mass flux that are exactly 0.
// un = V.n, a the speed of sound, H the total enthalpy.
//
//   lmars   the low-Mach solver of Chen et al. (2013), Mon. Weather Rev. 141, 2526: the linear
//           acoustic problem about the mean of both sides
//   ausm    AUSM+-up of Liou (2006), J. Comput. Phys. 214, 137, with a = (a_L + a_R)/2
//   hllc    Toro's three waves with the speeds min/max(un -+ a), written in differences that vanish
//           at rest
//
// Each gives the mass flux, the departure of the pressure, and the work of the pressure; the rest
// of the flux is mass times velocity and energy of the side that the mass comes from.

#include "systems/atmosphere/equations.hpp"

namespace watersmeet::atmosphere {

enum class Riemann : int { lmars, ausm, hllc };

template <class T>
struct FaceSide {
  T un, p, rho;   // p' and the whole density
  T pressure, a;  // the whole pressure, speed of sound
  T work;         // of the pressure per mass, p/rho
};

template <class T>
struct FaceFlux {
  T mass, pressure, work;
};

template <class T>
WM_HD FaceSide<T> side_of(const Primitive<T>& w, const T& un, const Reference<T>& r,
                          RealOf<T> gamma) {
  FaceSide<T> s;
  s.un = un;
  s.p = w[w_p];
  s.rho = r.rho + w[w_rho];
  s.pressure = r.p + w[w_p];
  s.work = s.pressure * rcp_(s.rho);
  s.a = root_(gamma * s.work);
  return s;
}

template <class T>
WM_HD T work_of(const T& mass, const FaceSide<T>& l, const FaceSide<T>& r) {
  return mass * select(mass >= T(RealOf<T>(0)), l.work, r.work);
}

// With rho and a the means of both sides
//   un = (un_L + un_R)/2 - (p_R - p_L)/(2 rho a),   p = (p_L + p_R)/2 - rho a (un_R - un_L)/2
template <class T>
WM_HD FaceFlux<T> lmars_flux(const FaceSide<T>& l, const FaceSide<T>& r) {
  using R = RealOf<T>;
  const T rho_a = R(0.25) * (l.rho + r.rho) * (l.a + r.a);
  const T un = R(0.5) * fma_(T(l.p - r.p), rcp_(rho_a), T(l.un + r.un));
  FaceFlux<T> f;
  f.pressure = R(0.5) * fma_(rho_a, T(l.un - r.un), T(l.p + r.p));
  f.mass = un * select(un >= T(R(0)), l.rho, r.rho);
  f.work = work_of(f.mass, l, r);
  return f;
}

namespace detail {

// Split Mach numbers M4+- and pressures P5+- of Liou (2006), equations 20 and 24, for the upper
// sign; those of the lower one are M4-(M) = -M4+(-M) and P5-(M) = P5+(-M).
template <class T>
WM_HD T mach_split(const T& m) {
  using R = RealOf<T>;
  const T plus = R(0.25) * (m + R(1)) * (m + R(1)), minus = R(-0.25) * (m - R(1)) * (m - R(1));
  const T one = T(R(1));
  return select(m >= one, m, select(m <= -one, T(R(0)), plus * (R(1) - R(2) * minus)));
}
template <class T>
WM_HD T pressure_split(const T& m, const T& alpha) {
  using R = RealOf<T>;
  const T plus = R(0.25) * (m + R(1)) * (m + R(1)), minus = R(-0.25) * (m - R(1)) * (m - R(1));
  const T one = T(R(1));
  const T inside = plus * ((R(2) - m) - R(16) * alpha * m * minus);
  return select(m >= one, one, select(m <= -one, T(R(0)), inside));
}

}  // namespace detail

// `least` is M_inf, the Mach number below which the scaling of the dissipation stops.
template <class T>
WM_HD FaceFlux<T> ausm_flux(const FaceSide<T>& l, const FaceSide<T>& r, const T& p_r,
                            RealOf<T> least) {
  using R = RealOf<T>;
  const R k_p = R(0.25), k_u = R(0.75), sigma = R(1);
  const T one = T(R(1)), none = T(R(0));
  const T a = R(0.5) * (l.a + r.a), inverse = rcp_(a);
  const T m_l = l.un * inverse, m_r = r.un * inverse;
  const T mean = R(0.5) * (m_l * m_l + m_r * m_r);
  const T m_o = root_(min_(one, max_(mean, T(least * least))));
  const T f_a = m_o * (R(2) - m_o);
  const T alpha = R(0.1875) * (R(5) * f_a * f_a - R(4));
  const T rho = R(0.5) * (l.rho + r.rho);
  const T m = (detail::mach_split(m_l) - detail::mach_split(T(-m_r))) -
              k_p * max_(R(1) - sigma * mean, none) * (r.p - l.p) * rcp_(f_a * rho * a * a);
  const T plus = detail::pressure_split(m_l, alpha), minus = detail::pressure_split(T(-m_r), alpha);
  FaceFlux<T> f;
  f.mass = a * m * select(m > none, l.rho, r.rho);
  // The third term carries the acoustic damping: without departures of the velocity it is 0.
  f.pressure = plus * l.p + minus * r.p + ((plus + minus) - R(1)) * p_r -
               k_u * (plus * minus) * (R(2) * rho) * f_a * a * (r.un - l.un);
  f.work = work_of(f.mass, l, r);
  return f;
}

// With K the side that s* points away from, and s the slower of s_K and 0,
//   s*   = (p_R - p_L + rho_L un_L (s_L - un_L) - rho_R un_R (s_R - un_R))
//          /(rho_L (s_L - un_L) - rho_R (s_R - un_R))
//   U*_K = rho_K (s_K - un_K)/(s_K - s*) (1, s*, E_K/rho_K + (s* - un_K)(s* + p_K/(rho_K (s_K - un_K))))
//   F    = F_K + s (U*_K - U_K)
// in `over` = rho*_K/rho_K - 1 and `pushed`, which are 0 at rest.
template <class T>
WM_HD FaceFlux<T> hllc_flux(const FaceSide<T>& l, const FaceSide<T>& r) {
  using R = RealOf<T>;
  const T none = T(R(0));
  const T s_l = min_(l.un - l.a, r.un - r.a), s_r = max_(l.un + l.a, r.un + r.a);
  const T q_l = l.rho * (s_l - l.un), q_r = r.rho * (s_r - r.un);  // q_l < 0 < q_r
  const T star = ((r.p - l.p) + (q_l * l.un - q_r * r.un)) * rcp_(q_l - q_r);
  const auto left = star >= none;
  const T un = select(left, l.un, r.un), rho = select(left, l.rho, r.rho);
  const T p = select(left, l.pressure, r.pressure), speed = select(left, s_l, s_r);
  const T s = select(left, min_(s_l, none), max_(s_r, none));
  const T jump = star - un;
  const T over = jump * rcp_(speed - star);  // rho*/rho - 1
  const T pushed = s * (R(1) + over) * jump;
  FaceFlux<T> f;
  f.mass = rho * un + s * rho * over;
  f.pressure = select(left, l.p, r.p) + rho * pushed;
  f.work = un * p + pushed * (rho * star + p * rcp_(speed - un));
  return f;
}

// By the solver of a case; `lmars`: known to be that one. p_r: of the reference at the face.
template <bool lmars, class T>
WM_HD FaceFlux<T> solved_flux(Riemann solver, const FaceSide<T>& l, const FaceSide<T>& r,
                              const T& p_r, RealOf<T> least_mach) {
  return lmars || solver == Riemann::lmars ? lmars_flux(l, r)
         : solver == Riemann::ausm         ? ausm_flux(l, r, p_r, least_mach)
                                           : hllc_flux(l, r);
}

// What the mass through a face brings along: the velocity of the side that it comes from, and the
// work of the pressure there. The energy of that side alone is computed.
template <class T>
struct Carried {
  Primitive<T> w;
  T work;
};
template <class T>
WM_HD Carried<T> carried_by(const FaceFlux<T>& f, const FaceSide<T>& a, const FaceSide<T>& b,
                            const Primitive<T>& l, const Primitive<T>& r) {
  const auto from_left = f.mass >= T(RealOf<T>(0));
  Carried<T> from;
  for (int v = w_u; v <= w_w; ++v) from.w[v] = select(from_left, l[v], r[v]);
  from.work = select(from_left, a.work, b.work);
  return from;
}

}  // namespace watersmeet::atmosphere
