#pragma once
// Bounded advection of a scalar: the upwind-biased value of third order on a face (the kappa scheme
// with k = 1/3, schemes/kappa.hpp), limited as by Koren (B. Koren, A robust upwind discretization
// method for advection, diffusion and source terms, in Numerical Methods for Advection-Diffusion
// Problems, Vieweg 1993, 117-138):
//
//      away        from    |    to            flow from `from` to `to` through the face |
//        o----------o------|-----o
//
//   s_face = s_from + d,   d = a (s_to - s_from) + b (s_from - s_away),
//   0 <= d / (s_to - s_from) <= 1,   0 <= d / (s_from - s_away) <= 1
//
// and d = 0 where the two differences have different signs. With div u = 0 a step of Euler's
// method is then a convex combination of the values of neighbours,
//
//   s_new = s + dt/h^3 ( sum over inflow |Q| (1 - d/(s_to - s_from)) (s_neighbour - s)
//                      + sum over outflow |Q| d/(s - s_away) (s_away - s) ) + diffusion,
//
// if dt (sum over all faces |u|/h + diffusion's) <= 1, whatever the widths of the cells. A
// strong-stability-preserving Runge-Kutta method is a convex combination of such steps (S. Gottlieb,
// C.-W. Shu, E. Tadmor, SIAM Review 43 (2001) 89-112).
//
// The weights a and b come from tables, because the widths of cells may differ. At sides with
// conditions the tables make two exceptions. Where fluid enters, `from` is a ghost: a = 1/2 and
// b = 0 give the value on the side itself, (s_ghost + s)/2, without the second limit. Where `away` is
// a ghost, whose value may exceed the bounds, a = b = 0: first order.

#include "systems/boussinesq/equations.hpp"

namespace watersmeet::boussinesq {

// Weights of the cells -1 .. n along each axis, for flow to the next higher cell (up) and to the next
// lower one (down).
template <class R>
struct UpwindWeights {
  struct Pair {
    const R *toward = nullptr, *away = nullptr;  // a and b
  };
  Pair up[3], down[3];
};

// The increment d for toward = s_to - s_from and away = s_from - s_away. b = 0: no second limit.
template <class T>
WM_HD T limited_increment(const T& toward, const T& away, const T& a, const T& b) {
  using R = RealOf<T>;
  const T none = T(R(0)), size = abs_(toward);
  const T wanted = abs_(a * toward + b * away);
  const T limited = min_(min_(wanted, size), abs_(away));
  const T monotonic = select(toward * away > none, limited, none);
  const T d = select(b > none, monotonic, a * size);
  return select(toward > none, d, -d);
}

// The value of `var` that `velocity` carries through a face across `axis`: the lower face of the cell
// `by` cells further along it.
template <int axis, class R, class S>
WM_HD typename S::value_type limited_face_value(const UpwindWeights<R>& weights, const S& s,
                                                int var, const typename S::value_type& velocity,
                                                int by) {
  using T = typename S::value_type;
  constexpr int x = axis == 0, y = axis == 1, z = axis == 2;
  const auto at = [&](int n) { return s(var, n * x, n * y, n * z); };
  const auto weight = [&](const R* table, int cell) -> T {
    if constexpr (axis == 0) return load_as<T>(table + s.i + cell);
    return T(table[(axis == 1 ? s.j : s.k) + cell]);
  };
  const auto rises = velocity > T(R(0));
  const T below = at(by - 1), above = at(by), step = above - below;
  const T toward = select(rises, step, -step);
  const T away = select(rises, below - at(by - 2), above - at(by + 1));
  const T a =
      select(rises, weight(weights.up[axis].toward, by - 1), weight(weights.down[axis].toward, by));
  const T b =
      select(rises, weight(weights.up[axis].away, by - 1), weight(weights.down[axis].away, by));
  return select(rises, below, above) + limited_increment(toward, away, a, b);
}

// -div(u s) of the scalar `var`.
template <class R, class M, class S>
WM_HD typename S::value_type limited_advection(const UpwindWeights<R>& weights, const M& m,
                                               const S& s, int var) {
  using T = typename S::value_type;
  const auto along = [&]<int axis>() -> T {
    const auto flux = [&](int by) -> T {
      const T velocity = s(axis, by * (axis == 0), by * (axis == 1), by * (axis == 2));
      return velocity * limited_face_value<axis>(weights, s, var, velocity, by);
    };
    return (flux(1) - flux(0)) * m.template over_width<axis>(s);
  };
  return -(along.template operator()<0>() + along.template operator()<1>() +
           along.template operator()<2>());
}

}  // namespace watersmeet::boussinesq
