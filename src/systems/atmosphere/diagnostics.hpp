#pragma once
// Pointwise diagnostics and derived quantities of the atmosphere: what the time series sums and
// what snapshots hold. Sums are of values times the volume of the cell over that of a flat mesh of
// equal levels. On a sphere what points along axes comes from the panels' components; vectors are
// Cartesian there, seen from the centre.

#include "exec/sample.hpp"
#include "schemes/gnomonic.hpp"
#include "systems/atmosphere/sphere/panel_mesh.hpp"

namespace watersmeet::atmosphere {

enum Sums : int {
  sum_mass,  // of rho'
  sum_reference_mass,
  sum_energy,  // of E'
  sum_reference_energy,
  sum_kinetic,
  sphere_sums,
  sum_momentum_x = sphere_sums,  // in a box
  sum_momentum_y,
  sum_momentum_z,
  box_sums
};
// For each quantity but the speed the maximum and that of its negative.
enum Maxima : int {
  max_theta,
  max_minus_theta,
  max_pressure,  // p', on a sphere the pressure on the ground
  max_minus_pressure,
  max_w,
  max_minus_w,
  max_speed,
  sphere_maxima,
  max_u = sphere_maxima,  // in a box
  max_minus_u,
  max_front,
  box_maxima
};

// In the order of outputs().fields, with their names, units and components (outputs.cpp).
enum class Quantity : int {
  theta_perturbation,
  density_perturbation,
  pressure_perturbation,
  velocity,
  velocity_east,
  velocity_north,
  w,
  upwards,
  theta,
  temperature,
  density,
  pressure,
  pressure_below,
  speed,
  height,
  mach,
  exner
};

using schemes::PanelFrames;

// What a mesh needs besides: of a box the coordinates along x, and where the front is looked for.
template <class R, bool sphere>
struct ProbeExtra {
  const R* x = nullptr;      // of the middles of columns along x
  int surface = -(1 << 30);  // level next to the ground
  R front_theta = R(-1);     // of the front on that level
};
template <class R>
struct ProbeExtra<R, true> {
  PanelFrames<R> frame;
};

// `Mesh`: one that looks whether there is terrain, and how thick levels are.
template <class R, class Mesh>
struct Probe {
  static constexpr bool sphere = Mesh::sphere;
  Mesh mesh;
  R gamma = 0, gas_constant = 0;
  ProbeExtra<R, sphere> extra;

  // What is known of a cell.
  template <class T>
  struct Air {
    Place at, table;
    decltype(Mesh{}.template metric<T>(Place{})) metric;
    T radius;  // r/a of a deep atmosphere, else 1
    Reference<T> reference;
    Primitive<T> w;

    WM_HD T rho() const { return reference.rho + w[w_rho]; }
    WM_HD T p() const { return reference.p + w[w_p]; }
  };
  // The air of the sample's cell, or of one beside it along x.
  template <class S>
  WM_HD Air<typename S::value_type> air(const S& s, int di = 0) const {
    using T = typename S::value_type;
    Air<T> a;
    a.at = Place{s.i + di, s.j, s.k};
    a.table = mesh.table_place(a.at);
    a.metric = mesh.template metric<T>(a.at);
    a.radius = T(R(1));
    a.reference = mesh.medium.template any_cell<T>(a.table);
    if constexpr (sphere) {
      a.radius = mesh.relative_radius(mesh.medium.template any_height<T>(a.table));
      a.reference = mesh.deepened(a.reference, a.radius);
    }
    Conserved<T> stored;
    for (int v = 0; v < n_variables; ++v) stored[v] = s(v, di, 0, 0);
    a.w = primitive_of(a.metric, stored, a.reference, gamma);
    return a;
  }
  // Over that of a cell of a flat mesh of equal levels.
  template <class T>
  WM_HD T volume(const Air<T>& a) const {
    const T part = mesh.medium.template any_volume<T>(a.table);
    if constexpr (sphere) return a.metric.area() * (a.radius * a.radius) * part;
    return part;
  }
  template <class T>
  WM_HD T theta_reference(const Air<T>& a) const {
    return mesh.medium.template theta<T>(a.table);
  }
  template <class T>
  WM_HD T theta_departure(const Air<T>& a) const {
    return theta_perturbation(a.w, a.reference, theta_reference(a), gamma);
  }
  template <class T>
  WM_HD T speed(const Air<T>& a) const {
    return sqrt_(R(2) * kinetic_of(a.metric, a.w));
  }

  // In a box: where theta' of the lowest level rises through front_theta towards the next column,
  // between both in a straight line; else below every coordinate.
  template <class S>
  WM_HD typename S::value_type front(const S& s, const typename S::value_type& theta) const {
    using T = typename S::value_type;
    const T nowhere = T(R(-3e38));
    if (s.k != extra.surface) return nowhere;
    const T next = theta_departure(air(s, 1)), level = T(extra.front_theta);
    const auto found = and_(theta <= level, next > level);
    const T x = load_as<T>(extra.x + s.i), dx = load_as<T>(extra.x + s.i + 1) - x;
    const T rise = select(found, next - theta, T(R(1)));
    return select(found, x + dx * ((level - theta) * rcp_(rise)), nowhere);
  }

  // On a sphere: on the lower face of the cell, of air in balance and of one temperature over half a
  // cell.
  template <class T>
  WM_HD T pressure_below(const Air<T>& a) const {
    const T half = (R(0.5) * mesh.medium.thickness_zeta(a.table.k)) *
                   mesh.medium.template any_thickness<T>(a.table);
    const T p = a.p(), gravity = mesh.medium.gravity * rcp_(a.radius * a.radius);
    return p * exp_(gravity * half * a.rho() * rcp_(p));
  }
  // Cartesian components; `upwards` counts w too.
  template <class T>
  WM_HD Vec<T, 3> vector(const Air<T>& a, bool upwards) const {
    Vec<T, 3> v = schemes::panel_vector(a.metric, a.w[w_u], a.w[w_v]);
    const Vec<T, 3> r = up(a);
    if (upwards) {
      for (int c = 0; c < 3; ++c) v[c] = v[c] + a.w[w_w] * r[c];
    }
    return schemes::cartesian(extra.frame[mesh.panel(a.at)], v);
  }
  // East and north at this place; at the poles, where nothing is east, towards +y.
  template <class T>
  WM_HD Vec<T, 2> compass(const Air<T>& a) const {
    const Vec<T, 3> velocity = vector(a, false),
                    r = schemes::cartesian(extra.frame[mesh.panel(a.at)], up(a));
    const schemes::AboutPoles<T> about = schemes::about_poles(r, velocity);
    return {{about.east, about.distance * velocity[2] - r[2] * about.outwards}};
  }

 private:
  // Upwards, along the panel's triad.
  template <class T>
  WM_HD static Vec<T, 3> up(const Air<T>& a) {
    const T inverse = rcp_(root_(a.metric.d2));
    return {{a.metric.x * inverse, a.metric.y * inverse, inverse}};
  }
};

template <class R, class Mesh>
struct Diagnose {
  static constexpr int sums = Mesh::sphere ? int(sphere_sums) : int(box_sums),
                       maxima = Mesh::sphere ? int(sphere_maxima) : int(box_maxima),
                       extra_index = -1;
  Probe<R, Mesh> probe;

  template <class S>
  WM_HD exec::Sample<typename S::value_type, sums, maxima> operator()(const S& s) const {
    using T = typename S::value_type;
    const auto a = probe.air(s);
    const Reference<T>& r = a.reference;
    const T theta = probe.theta_departure(a), part = probe.volume(a);
    exec::Sample<T, sums, maxima> q;
    q.sum[sum_mass] = part * a.w[w_rho];
    q.sum[sum_reference_mass] = part * r.rho;
    q.sum[sum_energy] = part * s(s_energy, 0, 0, 0);
    q.sum[sum_reference_energy] = part * ((R(1) / (probe.gamma - R(1))) * r.p + r.rho * r.gz);
    q.sum[sum_kinetic] = part * a.rho() * kinetic_of(a.metric, a.w);
    const auto both = [&](int place, const T& value) {
      q.maximum[place] = value;
      q.maximum[place + 1] = -value;
    };
    both(max_theta, theta);
    both(max_w, a.w[w_w]);
    q.maximum[max_speed] = probe.speed(a);
    if constexpr (Mesh::sphere) {
      const bool lowest = a.table.k == 0;
      both(max_pressure, lowest ? probe.pressure_below(a) : T(R(0)));
      if (!lowest) q.maximum[max_pressure] = q.maximum[max_minus_pressure] = T(R(-3e38));
    } else {
      for (int v = 0; v < 3; ++v) q.sum[sum_momentum_x + v] = part * s(s_mx + v, 0, 0, 0);
      both(max_pressure, a.w[w_p]);
      both(max_u, a.w[w_u]);
      q.maximum[max_front] = probe.front(s, theta);
    }
    return q;
  }
};

// Up to three components of a quantity at a cell.
template <class R, class Mesh>
struct Evaluate {
  static constexpr int extra_index = -1;
  Quantity quantity;
  Probe<R, Mesh> probe;

  template <class S>
  WM_HD Vec<typename S::value_type, 3> operator()(const S& s) const {
    using T = typename S::value_type;
    const auto a = probe.air(s);
    if (quantity == Quantity::velocity) {
      if constexpr (Mesh::sphere) return probe.vector(a, true);
      return {{a.w[w_u], a.w[w_v], a.w[w_w]}};
    }
    const T none = T(R(0));
    return {{scalar<T>(a), none, none}};
  }

 private:
  template <class T>
  WM_HD T scalar(const typename Probe<R, Mesh>::template Air<T>& a) const {
    if constexpr (Mesh::sphere) {
      if (quantity == Quantity::velocity_east) return probe.compass(a)[0];
      if (quantity == Quantity::velocity_north) return probe.compass(a)[1];
      if (quantity == Quantity::pressure_below) return probe.pressure_below(a);
    }
    switch (quantity) {
      case Quantity::theta_perturbation:
        return probe.theta_departure(a);
      case Quantity::density_perturbation:
        return a.w[w_rho];
      case Quantity::pressure_perturbation:
        return a.w[w_p];
      case Quantity::w:
      case Quantity::upwards:
        return a.w[w_w];
      case Quantity::theta:
        return probe.theta_reference(a) + probe.theta_departure(a);
      case Quantity::temperature:
        return a.p() * rcp_(probe.gas_constant * a.rho());
      case Quantity::density:
        return a.rho();
      case Quantity::pressure:
        return a.p();
      case Quantity::speed:
        return probe.speed(a);
      case Quantity::height:
        return probe.mesh.medium.template any_height<T>(a.table);
      case Quantity::mach:
        return probe.speed(a) * sqrt_(a.rho() * rcp_(probe.gamma * a.p()));
      case Quantity::exner:  // T / theta
        return a.p() * rcp_((probe.gas_constant * a.rho()) *
                            (probe.theta_reference(a) + probe.theta_departure(a)));
      default:
        return T(R(0));
    }
  }
};

}  // namespace watersmeet::atmosphere
