#pragma once
// Pointwise diagnostics and derived quantities of the atmosphere: what the time series sums and
// what snapshots hold. Sums are of values times the volume of the cell over that of a flat mesh of
// equal levels.

#include <cstdint>

#include "exec/sample.hpp"
#include "systems/atmosphere/flow.hpp"

namespace watersmeet::atmosphere {

enum Sums : int {
  sum_mass,  // of rho'
  sum_reference_mass,
  sum_energy,  // of E'
  sum_reference_energy,
  sum_kinetic,
  sum_momentum_x,
  sum_momentum_y,
  sum_momentum_z,
  sums_end
};
// Of each the maximum and that of its negative.
enum Maxima : int {
  max_theta,
  max_minus_theta,
  max_pressure,
  max_minus_pressure,
  max_u,
  max_minus_u,
  max_w,
  max_minus_w,
  max_speed,
  max_front,
  maxima_end
};

// Output quantities; names, units and components are in output.cpp in the same order.
enum class Quantity : int {
  theta_perturbation,
  density_perturbation,
  pressure_perturbation,
  velocity,
  w,
  theta,
  temperature,
  density,
  pressure,
  speed,
  height,
  count
};

template <class R>
struct Probe {
  Medium<R, false> medium;
  R gamma = 0, gas_constant = 0;
  const R* x = nullptr;      // of the middles of columns along x
  int surface = -(1 << 30);  // level next to the ground
  R front_theta = R(-1);     // of the front on that level

  template <class S>
  WM_HD Point<typename S::value_type> point(const S& s, int di) const {
    using T = typename S::value_type;
    State<T> stored;
    for (int v = 0; v < n_variables; ++v) stored[v] = s(v, di, 0, 0);
    return primitive_of(stored, medium.template any_cell<T>(Place{s.i + di, s.j, s.k}), gamma);
  }
  template <class S>
  WM_HD typename S::value_type theta(const S& s, int di) const {
    using T = typename S::value_type;
    const Place at{s.i + di, s.j, s.k};
    return theta_perturbation(point(s, di), medium.template any_cell<T>(at),
                              medium.template theta<T>(at), gamma);
  }
};

template <class R>
struct Diagnose {
  static constexpr int sums = sums_end, maxima = maxima_end, extra_index = -1;
  Probe<R> probe;

  template <class S>
  WM_HD exec::Sample<typename S::value_type, sums, maxima> operator()(const S& s) const {
    using T = typename S::value_type;
    const Place at{s.i, s.j, s.k};
    const Reference<T> r = probe.medium.template any_cell<T>(at);
    const Point<T> w = probe.point(s, 0);
    const T theta = probe.theta(s, 0), part = probe.medium.template any_volume<T>(at);
    exec::Sample<T, sums, maxima> q;
    q.sum[sum_mass] = part * w[w_rho];
    q.sum[sum_reference_mass] = part * r.rho;
    q.sum[sum_energy] = part * s(s_energy, 0, 0, 0);
    q.sum[sum_reference_energy] = part * ((R(1) / (probe.gamma - R(1))) * r.p + r.rho * r.gz);
    q.sum[sum_kinetic] = part * (r.rho + w[w_rho]) * kinetic_of(w);
    for (int v = 0; v < 3; ++v) q.sum[sum_momentum_x + v] = part * s(s_mx + v, 0, 0, 0);
    q.maximum[max_theta] = theta;
    q.maximum[max_minus_theta] = -theta;
    q.maximum[max_pressure] = w[w_p];
    q.maximum[max_minus_pressure] = -w[w_p];
    q.maximum[max_u] = w[w_u];
    q.maximum[max_minus_u] = -w[w_u];
    q.maximum[max_w] = w[w_w];
    q.maximum[max_minus_w] = -w[w_w];
    q.maximum[max_speed] = sqrt_(R(2) * kinetic_of(w));
    q.maximum[max_front] = front(s, theta);
    return q;
  }

  // Where theta' of the lowest level rises through front_theta towards the next column, between
  // both in a straight line; else below every coordinate.
  template <class S>
  WM_HD typename S::value_type front(const S& s, const typename S::value_type& theta) const {
    using T = typename S::value_type;
    const T nowhere = T(R(-3e38));
    if (s.k != probe.surface) return nowhere;
    const T next = probe.theta(s, 1), level = T(probe.front_theta);
    const auto found = and_(theta <= level, next > level);
    const T x = load_as<T>(probe.x + s.i), dx = load_as<T>(probe.x + s.i + 1) - x;
    const T rise = select(found, next - theta, T(R(1)));
    return select(found, x + dx * ((level - theta) * rcp_(rise)), nowhere);
  }
};

// Up to three components of a quantity at a cell.
template <class R>
struct Evaluate {
  static constexpr int extra_index = -1;
  Quantity quantity;
  Probe<R> probe;

  template <class S>
  WM_HD Vec<typename S::value_type, 3> operator()(const S& s) const {
    using T = typename S::value_type;
    const T none = T(R(0));
    const Place at{s.i, s.j, s.k};
    const Reference<T> r = probe.medium.template any_cell<T>(at);
    const Point<T> w = probe.point(s, 0);
    const T rho = r.rho + w[w_rho], p = r.p + w[w_p];
    switch (quantity) {
      case Quantity::theta_perturbation:
        return {{probe.theta(s, 0), none, none}};
      case Quantity::density_perturbation:
        return {{w[w_rho], none, none}};
      case Quantity::pressure_perturbation:
        return {{w[w_p], none, none}};
      case Quantity::velocity:
        return {{w[w_u], w[w_v], w[w_w]}};
      case Quantity::w:
        return {{w[w_w], none, none}};
      case Quantity::theta:
        return {{probe.medium.template theta<T>(at) + probe.theta(s, 0), none, none}};
      case Quantity::temperature:
        return {{p * rcp_(probe.gas_constant * rho), none, none}};
      case Quantity::density:
        return {{rho, none, none}};
      case Quantity::pressure:
        return {{p, none, none}};
      case Quantity::speed:
        return {{sqrt_(R(2) * kinetic_of(w)), none, none}};
      case Quantity::height:
        return {{probe.medium.template any_height<T>(at), none, none}};
      case Quantity::count:
        break;
    }
    return {{none, none, none}};
  }
};

}  // namespace watersmeet::atmosphere
