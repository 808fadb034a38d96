#pragma once
// Shallow water over a bed b(x, y), depth h, surface eta = h + b, velocity (u, v):
//
//   h_t    + (h u)_x                 + (h v)_y                 = 0
//   (hu)_t + (h u u + g h^2/2)_x     + (h u v)_y               = -g h b_x + f h v - c_f h u
//   (hv)_t + (h u v)_x               + (h v v + g h^2/2)_y     = -g h b_y - f h u - c_f h v
//
//   f = f_0 + beta (y - y_0),   c_f = g n^2 |u|/h^(4/3) + c_d |u|/h + r
//
// The surface is stored in place of the depth: its time derivative is the same, since the bed does
// not move; water at rest has one number everywhere, so that it stays at rest to the last bit; and
// single precision keeps waves that are low against the depth.
//
// Written without branches and, where the order of adding decides the bits, in plain sums that
// commute: a mirrored or transposed problem has the mirrored or transposed bits.

#include "core/math.hpp"
#include "core/vec.hpp"

namespace watersmeet::shallow_water {

enum Stored : int { s_eta, s_hu, s_hv, n_variables };
// What is reconstructed; the surface is the same in both.
enum Primitive : int { w_eta, w_u, w_v, w_bed, n_states };
// Where cells may be dry, an edge also tells how much water its cell may lose through it, and how
// fast water that begins in the cell or beside it may become by its waves (flow.hpp).
constexpr int e_room = n_states, e_reach = n_states + 1, n_edge_values = n_states + 2;
// What the gains of the axes add up to: time derivatives and, where cells may be dry, that speed
// and the accelerations by the slope of the cell's own surface times its depth.
constexpr int g_reach = n_variables, g_pull = n_variables + 1, n_rates = n_variables + 2;
// A face record: the flux of water; the flux of momentum across the face, less the pressure g h^2/2
// at the edge of the cell below and of the cell above; the flux of momentum along the face.
// On a sphere momentum along the face has the pressures in it too: r_along is that less the
// pressure below then, r_along_above that less the pressure above, and all are times the metric's
// length.
enum Record : int { r_mass, r_below, r_above, r_along, n_records, r_along_above = n_records };
constexpr int n_curved_records = n_records + 1;

template <class T>
using State = Vec<T, n_variables>;
template <class T>
using Point = Vec<T, n_states>;

// Depths of no more than `dry_depth` count as dry: their velocity is 0.
template <class T>
WM_HD Point<T> primitive_of(const State<T>& s, const T& bed, RealOf<T> dry_depth) {
  using R = RealOf<T>;
  const T h = s[s_eta] - bed;
  const auto wet = h > T(dry_depth);
  const T inverse = select(wet, rcp_(select(wet, h, T(R(1)))), T(R(0)));
  return {{s[s_eta], s[s_hu] * inverse, s[s_hv] * inverse, bed}};
}

template <class T>
WM_HD State<T> stored_of(const Point<T>& w) {
  const T h = w[w_eta] - w[w_bed];
  return {{w[w_eta], h * w[w_u], h * w[w_v]}};
}

template <class T>
WM_HD T depth_of(const Point<T>& w) {
  return w[w_eta] - w[w_bed];
}

template <class T>
WM_HD T speed_of(const Point<T>& w) {
  return sqrt_(w[w_u] * w[w_u] + w[w_v] * w[w_v]);
}

// The terms of the momentum of a cell, in the order of the equations above. The flux of momentum is that of a Riemann solver, which has
// the pressure in it (riemann.hpp).

// Pressure and bed slope between the edges of a cell, times its length, h the mean of both depths:
//   g h_upper^2/2 - g h_lower^2/2 + g h (b_upper - b_lower) = g h (eta_upper - eta_lower)
template <class Edge, class R>
WM_HD auto pressure_and_bed_slope(const Edge& lower, const Edge& upper, R gravity) {
  const auto depths = (upper[w_eta] - upper[w_bed]) + (lower[w_eta] - lower[w_bed]);
  return (R(0.5) * gravity) * depths * (upper[w_eta] - lower[w_eta]);
}

// Coriolis force, on the discharge.
template <class T, class R>
WM_HD Vec<T, 2> coriolis(const State<T>& s, R f) {
  return {{f * s[s_hv], -(f * s[s_hu])}};
}

// Friction: the parameters of c_f.
template <class R>
struct Friction {
  R manning = 0;  // g n^2
  R drag = 0;     // c_d
  R linear = 0;   // r
  WM_HD bool any() const { return manning > R(0) || drag > R(0) || linear > R(0); }
};

// c_f of water of depth h > 0.
template <class T>
WM_HD T friction_rate(const T& h, const T& speed, const Friction<RealOf<T>>& p) {
  const T inverse = rcp_(h);
  T per_speed = p.drag * inverse;
  if (p.manning > RealOf<T>(0)) per_speed = per_speed + p.manning * inverse * rcp_(cbrt_(h));
  return per_speed * speed + p.linear;
}

// Friction on a discharge in an Euler step of length s, implicit, z = s c_f, where all else adds `rate` to it: the rate of both.
//   hu + s (rate - c_f hu) (1 + z + z^2)/(1 + z + z^2 + z^3) = (hu + s rate (1 + z + z^2))/(1 + z + z^2 + z^3)
// is the explicit Euler step up to z^4, so that schemes of up to third order keep their order; never turns a flow around, however long the
// step; and changes nothing where `rate` and friction are in balance. It is the implicit step (hu + s rate)/(1 + z) and after it the
// correction (hu + s z rate)/(1 + z^2) of Chertock, Cui, Kurganov and Wu (2015), SIAM J. Numer. Anal. 53, 2008, in every Euler step and
// with the rate of that step.
template <class T>
struct ImplicitFriction {
  T c, share;
  WM_HD ImplicitFriction(const T& c_f, RealOf<T> step) : c(c_f) {
    using R = RealOf<T>;
    const T z = step * c, implicit = rcp_(R(1) + z);
    share = implicit + (z * implicit) * rcp_(fma_(z, z, T(R(1))));
  }
  WM_HD T operator()(const T& rate, const T& discharge) const {
    return (rate - c * discharge) * share;
  }
};

}  // namespace watersmeet::shallow_water
