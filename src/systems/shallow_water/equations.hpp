#pragma once
// Shallow water over a bed b, depth h, surface eta = h + b, velocity (u, v), on a plane:
//
//   (1)  h_t    + (h u)_x                 + (h v)_y                 = 0
//   (2)  (hu)_t + (h u u + g h^2/2)_x     + (h u v)_y               = -g h b_x + f h v - c_f h u
//   (3)  (hv)_t + (h u v)_x               + (h v v + g h^2/2)_y     = -g h b_y - f h u - c_f h v
//
//   f = f_0 + beta (y - y_0),   c_f = g n^2 |u|/h^(4/3) + c_d |u|/h + r
//
// and on a panel of a sphere, with contravariant u^1 = u and u^2 = v, the metric g^ij, its area
// element L and its Christoffel symbols G^i_jk (schemes/gnomonic.hpp):
//
//   (4)  h_t      + (1/L) (L h u^j)_j                      = 0
//   (5)  (h u)_t  + (1/L) (L (h u u^j + g^1j g h^2/2))_j   = -g h g^1j b_j - G^1_jk h u^j u^k
//                                                            - f L (g^12 h u - g^11 h v) - c_f h u
//   (6)  (h v)_t  + (1/L) (L (h v u^j + g^2j g h^2/2))_j   = -g h g^2j b_j - G^2_jk h u^j u^k
//                                                            - f L (g^22 h u - g^12 h v) - c_f h v
//
// The pressure has no part in the Christoffel term since (L g^ij)_j = 0.
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
enum PrimitiveValue : int { w_eta, w_u, w_v, w_bed, n_states };
// Where cells may be dry, an edge also has how much water its cell may lose through it, and the
// head, half the square of the speed that water in the cell may reach (flow.hpp).
constexpr int e_room = n_states, e_head = n_states + 1, n_edge_values = n_states + 2;
// What the gains of the axes add up to: time derivatives and, where cells may be dry, the head.
constexpr int g_head = n_variables, n_rates = n_variables + 1;
// A face record: the flux of water; the flux of momentum across the face, less the pressure g h^2/2
// at the edge of the cell below and of the cell above; the flux of momentum along the face.
// On a sphere momentum along the face has the pressures in it too: r_along is that less the
// pressure below then, r_along_above that less the pressure above, and all are times the metric's
// length.
enum Record : int { r_mass, r_below, r_above, r_along, n_records, r_along_above = n_records };
constexpr int n_curved_records = n_records + 1;

template <class T>
using Conserved = Vec<T, n_variables>;
template <class T>
using Primitive = Vec<T, n_states>;

// Depths of no more than `dry_depth` count as dry: their velocity is 0.
template <class T>
WM_HD Primitive<T> primitive_of(const Conserved<T>& s, const T& bed, RealOf<T> dry_depth) {
  using R = RealOf<T>;
  const T h = s[s_eta] - bed;
  const auto wet = h > T(dry_depth);
  const T inverse = select(wet, rcp_(h), T(R(0)));
  return {{s[s_eta], s[s_hu] * inverse, s[s_hv] * inverse, bed}};
}

template <class T>
WM_HD Conserved<T> conserved_of(const Primitive<T>& w) {
  const T h = w[w_eta] - w[w_bed];
  return {{w[w_eta], h * w[w_u], h * w[w_v]}};
}

template <class T>
WM_HD T depth_of(const Primitive<T>& w) {
  return w[w_eta] - w[w_bed];
}

// 1 and 0 without arithmetic.
struct One {
  template <class X>
  friend WM_HD X operator*(const X& x, One) {
    return x;
  }
};
struct Zero {
  template <class X>
  friend WM_HD Zero operator*(Zero, const X&) {
    return {};
  }
  template <class X>
  friend WM_HD X operator+(const X& x, Zero) {
    return x;
  }
  template <class X>
  friend WM_HD X operator-(const X& x, Zero) {
    return x;
  }
};

// The metric of a plane, in the words of schemes::PanelPoint.
struct FlatMetric {
  WM_HD One area() const { return {}; }
  WM_HD One inverse_area() const { return {}; }
};
template <class T>
WM_HD T squared_length(FlatMetric, const T& u, const T& v) {
  return u * u + v * v;
}
template <class T>
WM_HD Vec<T, 2> covariant(FlatMetric, const T& u, const T& v) {
  return {{u, v}};
}
// |u|.
template <class Metric, class T>
WM_HD T speed_of(const Metric& m, const Primitive<T>& w) {
  return sqrt_(squared_length(m, w[w_u], w[w_v]));
}

// 0 where `a` is not a positive normal number.
template <class T>
WM_HD T root_of_positive(const T& a) {
  using R = RealOf<T>;
  return select(a >= T(least_normal<R>), root_(a), T(R(0)));
}

// Waves run at u +- c, c = sqrt(g h); 0 where dry.
template <class T, class G>
WM_HD T celerity_of(const T& h, const G& g) {
  return root_of_positive(T(g * h));
}

// The flux across an axis of the left-hand sides of (1) to (3). Through a face it is that of a
// Riemann solver less the pressure of either side (riemann.hpp), which is this where both sides
// are alike.
template <int axis, class T>
WM_HD Conserved<T> flux(const Primitive<T>& w, RealOf<T> g) {
  const T h = depth_of(w), through = h * w[w_u + axis];
  Conserved<T> f{{through, through * w[w_u], through * w[w_v]}};
  f[s_hu + axis] = f[s_hu + axis] + (RealOf<T>(0.5) * g) * (h * h);
  return f;
}

// The right-hand sides of (2) and (3), in their order; those of (5) and (6) are in mesh.hpp.

// Pressure and bed slope between the edges of a cell, times its length, h the mean of both depths:
//   g h_upper^2/2 - g h_lower^2/2 + g h (b_upper - b_lower) = g h (eta_upper - eta_lower)
template <class Edge, class R>
WM_HD auto pressure_and_bed_slope(const Edge& lower, const Edge& upper, R gravity) {
  const auto depths = (upper[w_eta] - upper[w_bed]) + (lower[w_eta] - lower[w_bed]);
  return (R(0.5) * gravity) * depths * (upper[w_eta] - lower[w_eta]);
}

// f h v and -f h u.
template <class T, class R>
WM_HD Vec<T, 2> coriolis_force(const Conserved<T>& s, R f) {
  return {{f * s[s_hv], -(f * s[s_hu])}};
}

// -c_f h u and -c_f h v: the parameters of c_f.
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
