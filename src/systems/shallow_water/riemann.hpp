#pragma once
// Riemann solvers of shallow water at a face: what flows from its left to its right state. With
// c = sqrt(g h):
//
//   osher       two rarefactions, c* = (c_l + c_r)/2 + (u_l - u_r)/4,
//               u* = (u_l + u_r)/2 + c_l - c_r, sampled at the face: the star state, a sonic
//               point of either fan, an outer state, or dry (Osher and Solomon 1982; Toro 2001,
//               Shock-capturing methods for free-surface shallow flows, chapter 10)
//   hllc        outer speeds min(u_l - c_l, u* - c*) and max(u_r + c_r, u* + c*) around two mean
//               states that differ in the velocity along the face alone (Toro 2001, chapter 10)
//   linearised  acoustic: h* = h + h (u_l - u_r)/(2 c), u* = u + g (h_l - h_r)/(2 c) with the mean
//               depth and velocity; for smooth flow that is neither dry nor fast
//
// All give the flux of momentum less the pressure of either side, in products of differences: zero
// to the last bit in water at rest, and without the cancellation of two large pressures in waves
// that are low against the depth. Gravity is one number on a plane and varies from face to face on
// a panel of a sphere (flow.hpp).

#include "systems/shallow_water/equations.hpp"

namespace watersmeet::shallow_water {

enum class Riemann : int { osher, hllc, linearised };

// Both sides of a face: depths >= 0, velocities across it.
template <class T>
struct FaceSides {
  T h_left, h_right, u_left, u_right;
};
// The flux of water and of momentum across the face, the latter less g h^2/2 of either side.
template <class T>
struct FaceFlux {
  T mass, below, above;
};

namespace detail {

// Found by its argument's namespace for the masks of packs.
WM_HD bool all_of(bool mask) { return mask; }

template <class T>
struct Star {
  T c_left, c_right;      // of the sides
  T half_rise;            // (c_right - c_left) / 2, accurate where both are nearly the same
  T quarter_convergence;  // (u_left - u_right) / 4
  T c, u;                 // between the two waves; c is 0 where the bed falls dry
};

template <class T, class G>
WM_HD Star<T> star_of(const FaceSides<T>& s, const G& g) {
  using R = RealOf<T>;
  Star<T> r;
  r.c_left = celerity_of(s.h_left, g);
  r.c_right = celerity_of(s.h_right, g);
  const T sum = r.c_left + r.c_right;
  r.half_rise = select(sum > T(R(0)), (R(0.5) * g) * (s.h_right - s.h_left) * rcp_(sum), T(R(0)));
  r.quarter_convergence = R(0.25) * (s.u_left - s.u_right);
  r.c = max_zero(fma_(T(R(0.5)), sum, r.quarter_convergence));
  r.u = fma_(T(R(-2)), r.half_rise, R(0.5) * (s.u_left + s.u_right));
  return r;
}

// Beyond a dry side the water runs out at u + 2 c: with that as the velocity of the dry side the
// formulas of two wet ones hold.
template <class T>
WM_HD FaceSides<T> with_dry_velocities(const FaceSides<T>& s, RealOf<T> g) {
  using R = RealOf<T>;
  const T none = T(R(0));
  FaceSides<T> r = s;
  r.u_left = select(s.h_left > none, s.u_left, s.u_right - R(2) * celerity_of(s.h_right, g));
  r.u_right = select(s.h_right > none, s.u_right, s.u_left + R(2) * celerity_of(s.h_left, g));
  const auto both = and_(not_(s.h_left > none), not_(s.h_right > none));
  r.u_left = select(both, none, r.u_left);
  r.u_right = select(both, none, r.u_right);
  return r;
}

// The flux of the state c, u at the face; over: c less that of a side.
template <class T, class G>
WM_HD FaceFlux<T> osher_flux_at(const T& c, const T& u, const T& c_left, const T& c_right,
                                const T& over_left, const T& over_right, const G& inverse_g) {
  using R = RealOf<T>;
  const T c2 = c * c;
  const T mass = (inverse_g * c2) * u;
  const auto momentum_over = [&](const T& over, const T& side) {
    const T pressure = (R(0.5) * inverse_g) * ((over * (c + side)) * fma_(side, side, c2));
    return fma_(mass, u, pressure);
  };
  return {mass, momentum_over(over_left, c_left), momentum_over(over_right, c_right)};
}

// At any state.
template <class T, class G>
WM_HD FaceFlux<T> sampled_osher_flux(const FaceSides<T>& s, const G& g, const G& inverse_g) {
  using R = RealOf<T>;
  const T none = T(R(0)), third = T(R(1) / R(3));
  const Star<T> star = star_of(s, g);
  const T &c_l = star.c_left, &c_r = star.c_right;
  const auto to_right = s.u_left - c_l >= none, to_left = s.u_right + c_r <= none;
  const auto collide = and_(to_right, to_left);  // two bores: the star state stands between them
  const auto sonic_left = and_(star.u >= none, star.u - star.c > none);
  const auto sonic_right = and_(star.u < none, star.u + star.c < none);
  T c = star.c, u = star.u;
  const T fan_left = max_zero(third * (s.u_left + R(2) * c_l));
  const T fan_right = max_zero(third * (R(2) * c_r - s.u_right));
  c = select(sonic_left, fan_left, select(sonic_right, fan_right, c));
  u = select(sonic_left, fan_left, select(sonic_right, -fan_right, u));
  const auto left = and_(to_right, not_(collide)), right = and_(to_left, not_(collide));
  c = select(left, c_l, select(right, c_r, c));
  u = select(left, s.u_left, select(right, s.u_right, u));
  // c of the face less that of either side: from the differences where it is the star's.
  const auto sampled = or_(or_(left, right), or_(sonic_left, sonic_right));
  const auto away = or_(sampled, not_(star.c > none));
  const T over_left = select(away, c - c_l, star.quarter_convergence + star.half_rise);
  const T over_right = select(away, c - c_r, star.quarter_convergence - star.half_rise);
  return osher_flux_at(c, u, c_l, c_r, over_left, over_right, inverse_g);
}

}  // namespace detail

// Nearly everywhere the water is wet on both sides and slower than its waves, and the face has the
// star state. Where that holds in all lanes the sampling is left out. It would give the same bits,
// so that what the neighbours in a pack are does not show; states that are not numbers go the long
// way.
template <class T, class G>
WM_HD FaceFlux<T> osher_flux(const FaceSides<T>& s, const G& g, const G& inverse_g) {
  using R = RealOf<T>;
  using detail::all_of;
  const T c_l = root_(g * s.h_left), c_r = root_(g * s.h_right);
  const T sum = c_l + c_r;
  const T half_rise = (R(0.5) * g) * (s.h_right - s.h_left) * rcp_(sum);
  const T quarter_convergence = R(0.25) * (s.u_left - s.u_right);
  const T c = fma_(T(R(0.5)), sum, quarter_convergence);
  const T u = fma_(T(R(-2)), half_rise, R(0.5) * (s.u_left + s.u_right));
  const auto wet = and_(min_(s.h_left, s.h_right) > T(R(0)), c > T(R(0)));
  const auto slow = and_(and_(s.u_left < c_l, -s.u_right < c_r), abs_(u) <= c);
  if (all_of(and_(wet, slow))) {
    return detail::osher_flux_at(c, u, c_l, c_r, quarter_convergence + half_rise,
                                 quarter_convergence - half_rise, inverse_g);
  }
  return detail::sampled_osher_flux(s, g, inverse_g);
}

template <class T>
WM_HD FaceFlux<T> osher_flux(const FaceSides<T>& s, RealOf<T> g) {
  return osher_flux(s, g, RealOf<T>(1) / g);
}

template <class T, class G>
WM_HD FaceFlux<T> hllc_flux(const FaceSides<T>& s, const G& g) {
  using R = RealOf<T>;
  const T none = T(R(0));
  const detail::Star<T> star = detail::star_of(s, g);
  const T slowest = min_zero(min_(s.u_left - star.c_left, star.u - star.c));
  const T fastest = max_zero(max_(s.u_right + star.c_right, star.u + star.c));
  const T spread = fastest - slowest;
  const T inverse = select(spread >= T(least_normal<R>), rcp_(spread), none);
  const T q_l = s.h_left * s.u_left, q_r = s.h_right * s.u_right, both = fastest * slowest;
  const T rise = s.h_right - s.h_left;
  const T pressure_rise = (R(0.5) * g) * (rise * (s.h_right + s.h_left));
  const T mass = ((fastest * q_l - slowest * q_r) + both * rise) * inverse;
  const T carried = (fastest * (q_l * s.u_left) - slowest * (q_r * s.u_right)) + both * (q_r - q_l);
  return {mass, (carried - slowest * pressure_rise) * inverse,
          (carried - fastest * pressure_rise) * inverse};
}

template <class T, class G>
WM_HD FaceFlux<T> linearised_flux(const FaceSides<T>& s, const G& g) {
  using R = RealOf<T>;
  const T mean = R(0.5) * (s.h_left + s.h_right);
  const T half_over_c = R(0.5) * rcp_(root_(g * mean));
  const T half_rise = R(0.5) * (s.h_right - s.h_left);
  const T heap = (mean * half_over_c) * (s.u_left - s.u_right);  // h* - mean depth
  const T u = R(0.5) * (s.u_left + s.u_right) - (R(2) * g * half_over_c) * half_rise;
  const T h = mean + heap, mass = h * u, carried = mass * u;
  return {mass, carried + (R(0.5) * g) * ((heap + half_rise) * (h + s.h_left)),
          carried + (R(0.5) * g) * ((heap - half_rise) * (h + s.h_right))};
}

}  // namespace watersmeet::shallow_water
