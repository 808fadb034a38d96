#pragma once
// diagnostics.hpp on a cubed sphere: sums are weighted with the area element and the height of the
// cell over that of the flat mesh with equal levels; what points along axes comes from the panels'
// components. Vectors are Cartesian, seen from the centre of the sphere.

#include <cstdint>

#include "exec/sample.hpp"
#include "systems/atmosphere/globe_flow.hpp"

namespace watersmeet::atmosphere {

enum GlobeSums : int {
  globe_mass,  // of rho'
  globe_reference_mass,
  globe_energy,  // of E'
  globe_reference_energy,
  globe_kinetic,
  globe_sums_end
};
// Of each but the speed the maximum and that of its negative.
enum GlobeMaxima : int {
  globe_max_theta,
  globe_max_minus_theta,
  globe_max_surface,  // pressure on the ground
  globe_max_minus_surface,
  globe_max_w,
  globe_max_minus_w,
  globe_max_speed,
  globe_maxima_end
};

// Names, units and components are in globe_output.cpp in the same order.
enum class GlobeQuantity : int {
  theta_perturbation,
  density_perturbation,
  pressure_perturbation,
  velocity,
  velocity_east,
  velocity_north,
  w,
  theta,
  temperature,
  density,
  pressure,
  pressure_below,
  speed,
  height,
  count
};

// ea, eb and n of each panel, by Cartesian components.
template <class R>
using PanelFrames = Vec<Vec<R, 9>, 6>;

template <class R>
struct GlobeProbe {
  GlobeGeometry<R, false> geometry;
  R gamma, gas_constant;
  PanelFrames<R> frame;

  // What is known of a cell.
  template <class T>
  struct Air {
    Place column;
    schemes::PanelPoint<T> metric;
    T radius;  // r/a of a deep atmosphere, else 1
    Reference<T> reference;
    Point<T> w;
    int panel;
  };
  template <class S>
  WM_HD Air<typename S::value_type> air(const S& s) const {
    using T = typename S::value_type;
    const Place at{s.i, s.j, s.k};
    Air<T> a;
    a.panel = geometry.panel(at);
    a.column = geometry.column_place(at);
    a.metric = geometry.template centre<T>(at);
    a.radius = geometry.relative_radius(geometry.medium.template any_height<T>(a.column));
    a.reference = geometry.deepened(geometry.medium.template any_cell<T>(a.column), a.radius);
    State<T> stored;
    for (int v = 0; v < n_variables; ++v) stored[v] = s(v, 0, 0, 0);
    a.w = primitive_on(a.metric, stored, a.reference, gamma);
    return a;
  }
  template <class T>
  WM_HD T theta_departure(const Air<T>& a) const {
    return theta_perturbation(a.w, a.reference, geometry.medium.template theta<T>(a.column), gamma);
  }
  // On the lower face of the cell, of air in balance and of one temperature over half a cell.
  template <class T>
  WM_HD T pressure_below(const Air<T>& a) const {
    const T half = (R(0.5) * geometry.medium.thickness_zeta(a.column.k)) *
                   geometry.medium.template any_thickness<T>(a.column);
    const T p = a.reference.p + a.w[w_p], rho = a.reference.rho + a.w[w_rho];
    const T gravity = geometry.medium.gravity * rcp_(a.radius * a.radius);
    return p * exp_(gravity * half * rho * rcp_(p));
  }
  template <class T>
  WM_HD T speed(const Air<T>& a) const {
    return sqrt_(R(2) * kinetic_on(a.metric, a.w));
  }
  // Upwards, along the panel's triad.
  template <class T>
  WM_HD Vec<T, 3> up(const Air<T>& a) const {
    const T inverse = rcp_(root_(a.metric.d2));
    return {{a.metric.x * inverse, a.metric.y * inverse, inverse}};
  }
  // Cartesian components; `upwards` counts w too.
  template <class T>
  WM_HD Vec<T, 3> vector(const Air<T>& a, bool upwards) const {
    Vec<T, 3> v = schemes::panel_vector(a.metric, a.w[w_u], a.w[w_v]);
    const Vec<T, 3> r = up(a);
    if (upwards) {
      for (int c = 0; c < 3; ++c) v[c] = v[c] + a.w[w_w] * r[c];
    }
    return turned(v, a.panel);
  }
  // East and north at this place; at the poles, where nothing is east, towards +y.
  template <class T>
  WM_HD Vec<T, 2> compass(const Air<T>& a) const {
    const T one = T(R(1));
    const Vec<T, 3> velocity = vector(a, false), r = turned(up(a), a.panel);
    const T off2 = r[0] * r[0] + r[1] * r[1];
    const auto off = off2 > T(R(0));
    const T inverse = select(off, rcp_(root_(select(off, off2, one))), T(R(0)));
    const T cos_lon = select(off, r[0] * inverse, one), sin_lon = r[1] * inverse;
    const T east = cos_lon * velocity[1] - sin_lon * velocity[0];
    const T outwards = cos_lon * velocity[0] + sin_lon * velocity[1];
    return {{east, sqrt_(off2) * velocity[2] - r[2] * outwards}};
  }

 private:
  template <class T>
  WM_HD Vec<T, 3> turned(const Vec<T, 3>& w, int panel) const {
    const Vec<R, 9>& f = frame[panel];
    Vec<T, 3> r;
    for (int c = 0; c < 3; ++c) r[c] = f[c] * w[0] + f[3 + c] * w[1] + f[6 + c] * w[2];
    return r;
  }
};

template <class R>
struct DiagnoseGlobe {
  static constexpr int sums = globe_sums_end, maxima = globe_maxima_end, extra_index = -1;
  GlobeProbe<R> probe;

  template <class S>
  WM_HD exec::Sample<typename S::value_type, sums, maxima> operator()(const S& s) const {
    using T = typename S::value_type;
    const auto a = probe.air(s);
    const Reference<T>& r = a.reference;
    const T part = a.metric.area() * (a.radius * a.radius) *
                   probe.geometry.medium.template any_volume<T>(a.column);
    const T rho = r.rho + a.w[w_rho], theta = probe.theta_departure(a);
    exec::Sample<T, sums, maxima> q;
    q.sum[globe_mass] = part * a.w[w_rho];
    q.sum[globe_reference_mass] = part * r.rho;
    q.sum[globe_energy] = part * s(s_energy, 0, 0, 0);
    q.sum[globe_reference_energy] = part * ((R(1) / (probe.gamma - R(1))) * r.p + r.rho * r.gz);
    q.sum[globe_kinetic] = part * rho * kinetic_on(a.metric, a.w);
    q.maximum[globe_max_theta] = theta;
    q.maximum[globe_max_minus_theta] = -theta;
    const bool lowest = a.column.k == 0;
    const T surface = lowest ? probe.pressure_below(a) : T(R(0));
    q.maximum[globe_max_surface] = lowest ? surface : T(R(-3e38));
    q.maximum[globe_max_minus_surface] = lowest ? -surface : T(R(-3e38));
    q.maximum[globe_max_w] = a.w[w_w];
    q.maximum[globe_max_minus_w] = -a.w[w_w];
    q.maximum[globe_max_speed] = probe.speed(a);
    return q;
  }
};

// Up to three components of a quantity at a cell.
template <class R>
struct EvaluateGlobe {
  static constexpr int extra_index = -1;
  GlobeQuantity quantity;
  GlobeProbe<R> probe;

  template <class S>
  WM_HD Vec<typename S::value_type, 3> operator()(const S& s) const {
    using T = typename S::value_type;
    const T none = T(R(0));
    const auto a = probe.air(s);
    const T rho = a.reference.rho + a.w[w_rho], p = a.reference.p + a.w[w_p];
    switch (quantity) {
      case GlobeQuantity::theta_perturbation:
        return {{probe.theta_departure(a), none, none}};
      case GlobeQuantity::density_perturbation:
        return {{a.w[w_rho], none, none}};
      case GlobeQuantity::pressure_perturbation:
        return {{a.w[w_p], none, none}};
      case GlobeQuantity::velocity:
        return probe.vector(a, true);
      case GlobeQuantity::velocity_east:
        return {{probe.compass(a)[0], none, none}};
      case GlobeQuantity::velocity_north:
        return {{probe.compass(a)[1], none, none}};
      case GlobeQuantity::w:
        return {{a.w[w_w], none, none}};
      case GlobeQuantity::theta:
        return {{probe.geometry.medium.template theta<T>(a.column) + probe.theta_departure(a), none,
                 none}};
      case GlobeQuantity::temperature:
        return {{p * rcp_(probe.gas_constant * rho), none, none}};
      case GlobeQuantity::density:
        return {{rho, none, none}};
      case GlobeQuantity::pressure:
        return {{p, none, none}};
      case GlobeQuantity::pressure_below:
        return {{probe.pressure_below(a), none, none}};
      case GlobeQuantity::speed:
        return {{probe.speed(a), none, none}};
      case GlobeQuantity::height:
        return {{probe.geometry.medium.template any_height<T>(a.column), none, none}};
      case GlobeQuantity::count:
        break;
    }
    return {{none, none, none}};
  }
};

}  // namespace watersmeet::atmosphere
