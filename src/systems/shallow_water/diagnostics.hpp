#pragma once
// Pointwise diagnostics and derived quantities of shallow water: what the time series sums and what
// snapshots hold.
//
//   energy               h |u|^2/2 + g h (h/2 + b), per unit density and area
//   vorticity            zeta = v_x - u_y, by central differences of second order
//   potential vorticity  q = (zeta + f)/h, 0 where dry
//   potential enstrophy  h q^2/2

#include <cstdint>

#include "exec/sample.hpp"
#include "systems/shallow_water/flow.hpp"

namespace watersmeet::shallow_water {

// Sums over cells, in this order. The caller applies the area of a cell.
enum Sums : int {
  sum_volume,
  sum_momentum_x,
  sum_momentum_y,
  sum_kinetic,
  sum_potential,
  sum_enstrophy,
  sum_wet,  // cells
  sums_end
};
enum Maxima : int {
  max_eta,
  max_minus_eta,
  max_depth,
  max_minus_depth,
  max_speed,
  max_froude,
  maxima_end
};

// Output quantities; names, units and components are in output.cpp in the same order. Those from
// vorticity on need one valid ghost layer.
enum class Quantity : int {
  surface,
  depth,
  velocity,
  discharge,
  bed,
  speed,
  froude,
  vorticity,
  divergence,
  potential_vorticity,
  count
};

// The place of the bed among the values of the cell and reduce forms.
inline constexpr int bed_index = n_variables;

// Of a cell or a neighbour of it, as stored, and the bed there, 0 where there is none.
template <class S>
WM_HD State<typename S::value_type> stored_at(const S& s, int di, int dj) {
  State<typename S::value_type> stored;
  for (int v = 0; v < n_variables; ++v) stored[v] = s(v, di, dj, 0);
  return stored;
}
template <class S>
WM_HD typename S::value_type bed_at(const S& s, int di, int dj, bool bed) {
  using T = typename S::value_type;
  return bed ? s(bed_index, di, dj, 0) : T(RealOf<T>(0));
}

// The values of a cell and of its neighbours, from the accessor of the cell and reduce forms.
template <class R>
struct Probe {
  FlowParameters<R> p;
  bool bed;  // there is one; else it is flat at 0

  template <class S>
  WM_HD Point<typename S::value_type> point(const S& s, int di, int dj) const {
    return primitive_of(stored_at(s, di, dj), bed_at(s, di, dj, bed), p.dry_depth);
  }
  // Derivative of a component of the velocity along an axis.
  template <class S>
  WM_HD typename S::value_type slope(const S& s, int component, int axis) const {
    using T = typename S::value_type;
    const R half_inverse = R(0.5) * p.inverse_spacing[axis];
    if (!(half_inverse > R(0))) return T(R(0));
    const int di = axis == 0, dj = axis == 1;
    return (point(s, di, dj)[w_u + component] - point(s, -di, -dj)[w_u + component]) * half_inverse;
  }
  template <class S>
  WM_HD typename S::value_type vorticity(const S& s) const {
    return slope(s, 1, 0) - slope(s, 0, 1);
  }
  template <class S>
  WM_HD typename S::value_type potential_vorticity(const S& s) const {
    using T = typename S::value_type;
    const T h = depth_of(point(s, 0, 0));
    const auto wet = h > T(p.dry_depth);
    const R f = p.coriolis_first + p.coriolis_step * R(p.first_j + s.j);
    return select(wet, (vorticity(s) + f) * rcp_(select(wet, h, T(R(1)))), T(R(0)));
  }
  template <class T>
  WM_HD T froude(const Point<T>& w) const {
    const T h = depth_of(w);
    const auto wet = h > T(p.dry_depth);
    return select(wet, speed_of(w) * rcp_(root_(p.gravity * select(wet, h, T(R(1))))), T(R(0)));
  }
};

template <class R>
struct Diagnose {
  static constexpr int sums = sums_end, maxima = maxima_end, extra_index = bed_index;
  Probe<R> probe;

  template <class S>
  WM_HD exec::Sample<typename S::value_type, sums, maxima> operator()(const S& s) const {
    using T = typename S::value_type;
    const Point<T> w = probe.point(s, 0, 0);
    const T h = depth_of(w), speed = speed_of(w), q = probe.potential_vorticity(s);
    exec::Sample<T, sums, maxima> r;
    r.sum[sum_volume] = h;
    r.sum[sum_momentum_x] = s(s_hu, 0, 0, 0);
    r.sum[sum_momentum_y] = s(s_hv, 0, 0, 0);
    r.sum[sum_kinetic] = R(0.5) * h * (speed * speed);
    r.sum[sum_potential] = probe.p.gravity * h * (R(0.5) * h + w[w_bed]);
    r.sum[sum_enstrophy] = R(0.5) * h * (q * q);
    const auto wet = h > T(probe.p.dry_depth);
    r.sum[sum_wet] = select(wet, T(R(1)), T(R(0)));
    const T lowest = T(R(-3e38));  // of no cell
    r.maximum[max_eta] = select(wet, w[w_eta], lowest);
    r.maximum[max_minus_eta] = select(wet, -w[w_eta], lowest);
    r.maximum[max_depth] = h;
    r.maximum[max_minus_depth] = -h;
    r.maximum[max_speed] = speed;
    r.maximum[max_froude] = probe.froude(w);
    return r;
  }
};

// Largest signal of a state, before the first step, on a plane and on a sphere.
template <class AnyFlow>
struct MeasureSignal {
  static constexpr int sums = 0, maxima = 1, extra_index = bed_index;
  AnyFlow flow;
  bool bed;
  template <class S>
  WM_HD exec::Sample<typename S::value_type, 1, 1> operator()(const S& s) const {
    return {{}, {{flow.signal(stored_at(s, 0, 0), bed_at(s, 0, 0, bed), {s.i, s.j, s.k})}}};
  }
};

// Up to three components of a quantity at a point.
template <class R>
struct Evaluate {
  static constexpr int extra_index = bed_index;
  Quantity quantity;
  Probe<R> probe;

  template <class S>
  WM_HD Vec<typename S::value_type, 3> operator()(const S& s) const {
    using T = typename S::value_type;
    const T none = T(R(0));
    const Point<T> w = probe.point(s, 0, 0);
    switch (quantity) {
      case Quantity::surface:
        return {{w[w_eta], none, none}};
      case Quantity::depth:
        return {{depth_of(w), none, none}};
      case Quantity::velocity:
        return {{w[w_u], w[w_v], none}};
      case Quantity::discharge:
        return {{s(s_hu, 0, 0, 0), s(s_hv, 0, 0, 0), none}};
      case Quantity::bed:
        return {{w[w_bed], none, none}};
      case Quantity::speed:
        return {{speed_of(w), none, none}};
      case Quantity::froude:
        return {{probe.froude(w), none, none}};
      case Quantity::vorticity:
        return {{probe.vorticity(s), none, none}};
      case Quantity::divergence:
        return {{probe.slope(s, 0, 0) + probe.slope(s, 1, 1), none, none}};
      case Quantity::potential_vorticity:
        return {{probe.potential_vorticity(s), none, none}};
      case Quantity::count:
        break;
    }
    return {{none, none, none}};
  }
};

}  // namespace watersmeet::shallow_water
