#pragma once
// Pointwise diagnostics and derived quantities of shallow water: what the time series sums and what
// snapshots hold. With the area element L, on a plane 1, and covariant components V:
//
//   energy               h |u|^2/2 + g h (h/2 + b), per unit density and area
//   vorticity            zeta = (1/L) ((V_2)_x - (V_1)_y)
//   divergence           (1/L) ((L u)_x + (L v)_y)
//   potential vorticity  q = (zeta + f)/h, 0 where dry
//   potential enstrophy  h q^2/2
//
// Derivatives are central differences of second order. On a sphere vectors are written by their
// Cartesian components, and there are errors against a known flow.

#include <cstdint>

#include "core/table_address.hpp"
#include "exec/sample.hpp"
#include "schemes/gnomonic.hpp"
#include "systems/shallow_water/flow.hpp"

namespace watersmeet::shallow_water {

// Sums over cells, in this order, weighted with L. The caller applies the area of a cell of the
// plane, or (radius angle)^2.
enum Sums : int {
  sum_volume,
  sum_kinetic,
  sum_potential,
  sum_enstrophy,
  n_shared_sums,
  // On a plane.
  sum_momentum_x = n_shared_sums,
  sum_momentum_y,
  sum_wet,  // cells
  n_plane_sums,
  // On a sphere.
  sum_error_1 = n_shared_sums,  // |h - h_exact|
  sum_error_2,                  // its square
  sum_reference_1,              // |h_exact - background|
  sum_reference_2,
  sum_velocity_error,  // |V - V_exact|^2
  sum_velocity_reference,
  n_sphere_sums
};
enum Maxima : int {
  max_eta,
  max_minus_eta,
  max_depth,
  max_minus_depth,
  max_speed,
  max_froude,
  n_plane_maxima,
  max_error = n_plane_maxima,
  max_reference,
  n_sphere_maxima
};
constexpr int sums_of(bool sphere) { return sphere ? n_sphere_sums : n_plane_sums; }
constexpr int maxima_of(bool sphere) { return sphere ? n_sphere_maxima : n_plane_maxima; }

// Output quantities; names, units and components are in outputs.cpp in the same order, and on which
// mesh they are. Those from vorticity on need one valid ghost layer.
enum class Quantity : int {
  surface,
  depth,
  velocity,
  discharge,
  velocity_east,
  velocity_north,
  bed,
  speed,
  froude,
  vorticity,
  divergence,
  potential_vorticity,
  head,
  count
};

// The place of the bed among the values of the cell and reduce forms.
inline constexpr int bed_index = n_variables;

// The state of a cell or a neighbour of it, as stored, and the bed there, 0 where there is none.
template <class S>
WM_HD Conserved<typename S::value_type> stored_at(const S& s, int di, int dj) {
  Conserved<typename S::value_type> stored;
  for (int v = 0; v < n_variables; ++v) stored[v] = s(v, di, dj, 0);
  return stored;
}
template <class S>
WM_HD typename S::value_type bed_at(const S& s, int di, int dj, bool bed) {
  using T = typename S::value_type;
  return bed ? s(bed_index, di, dj, 0) : T(RealOf<T>(0));
}

using schemes::PanelFrames;

// A flow that is known, in a register of depth, u and v; errors are relative to what its depth is
// above that of the background.
template <class R>
struct KnownFlow {
  TableAddress<R> start;  // of the register, or null: none is known
  std::int64_t first = 0, stride_var = 0;
  R background = 0;
};

// What is asked of a sphere besides its mesh.
template <class R>
struct SphereFrame {
  PanelFrames<R> frame;
  KnownFlow<R> known;

  // Cartesian components.
  template <class T>
  WM_HD Vec<T, 3> vector(const Primitive<T>& w, const schemes::PanelPoint<T>& m, int panel) const {
    return schemes::cartesian(frame[panel], schemes::panel_vector(m, w[w_u], w[w_v]));
  }
  // East and north at this place; at the poles, where nothing is east, towards +y.
  template <class T>
  WM_HD Vec<T, 2> compass(const Primitive<T>& w, const schemes::PanelPoint<T>& m, int panel) const {
    const Vec<T, 3> velocity = vector(w, m, panel);
    const Vec<T, 3> r = schemes::cartesian(frame[panel], Vec<T, 3>{{m.x, m.y, T(R(1))}});
    const schemes::AboutPoles<T> about = schemes::about_poles(r, velocity);
    const T sine = r[2] * rcp_(root_(m.d2)), cosine = about.distance * rcp_(root_(m.d2));
    return {{about.east, cosine * velocity[2] - sine * about.outwards}};
  }
};
struct NoFrame {};

// The values of a cell and of its neighbours, from the accessor of the cell and reduce forms.
template <class R, bool sphere>
struct Probe {
  FlowParameters<R> p;
  MeshOf<R, sphere> mesh;
  bool bed;  // there is one; else it is flat at 0
  std::conditional_t<sphere, SphereFrame<R>, NoFrame> frame;

  template <class S>
  WM_HD Primitive<typename S::value_type> point(const S& s, int di, int dj) const {
    return primitive_of(stored_at(s, di, dj), bed_at(s, di, dj, bed), p.dry_depth);
  }
  template <class S>
  WM_HD auto metric(const S& s, int di, int dj) const {
    return mesh.template centre<typename S::value_type>({s.i + di, s.j + dj, s.k});
  }
  // On a sphere there are no dry cells.
  template <class T>
  WM_HD T where_wet(const T& h, const T& value, const T& otherwise) const {
    if constexpr (sphere) return value;
    return select(h > T(p.dry_depth), value, otherwise);
  }
  template <class S>
  WM_HD typename S::value_type vorticity(const S& s) const {
    const auto lowered = [&](int di, int dj, int component) {
      const auto w = point(s, di, dj);
      return covariant(metric(s, di, dj), w[w_u], w[w_v])[component];
    };
    return over_cell(s, difference<0>(s, [&](int di, int dj) { return lowered(di, dj, 1); }) -
                            difference<1>(s, [&](int di, int dj) { return lowered(di, dj, 0); }));
  }
  template <class S>
  WM_HD typename S::value_type divergence(const S& s) const {
    const auto flow = [&](int di, int dj, int variable) {
      return point(s, di, dj)[variable] * metric(s, di, dj).area();
    };
    return over_cell(s, difference<0>(s, [&](int di, int dj) { return flow(di, dj, w_u); }) +
                            difference<1>(s, [&](int di, int dj) { return flow(di, dj, w_v); }));
  }
  template <class S>
  WM_HD typename S::value_type potential_vorticity(const S& s) const {
    using T = typename S::value_type;
    const T h = depth_of(point(s, 0, 0)), one = T(R(1));
    const auto f = mesh.coriolis(metric(s, 0, 0), {s.i, s.j, s.k});
    return where_wet(h, (vorticity(s) + f) * rcp_(where_wet(h, h, one)), T(R(0)));
  }
  template <class T>
  WM_HD T froude(const Primitive<T>& w, const T& speed) const {
    const T h = depth_of(w);
    const T c = root_(p.gravity * where_wet(h, h, T(R(1))));
    return where_wet(h, speed * rcp_(c), T(R(0)));
  }

 private:
  // The change of f(di, dj) from the neighbour before to the one after; on a plane over their distance. On the
  // sphere over_cell() divides the sum by it and by the area element.
  template <int axis, class S, class F>
  WM_HD typename S::value_type difference(const S&, const F& f) const {
    constexpr int di = axis == 0, dj = axis == 1;
    if constexpr (sphere) return f(di, dj) - f(-di, -dj);
    if (!mesh.active(axis)) return typename S::value_type(R(0));
    return (f(di, dj) - f(-di, -dj)) * (R(0.5) * mesh.inverse_spacing[axis]);
  }
  template <class S, class T>
  WM_HD T over_cell(const S& s, const T& sum) const {
    if constexpr (!sphere) return sum;
    return R(0.5) * mesh.inverse_spacing[0] * metric(s, 0, 0).inverse_area() * sum;
  }
};

template <class R, bool sphere>
struct Diagnose {
  static constexpr int sums = sums_of(sphere), maxima = maxima_of(sphere);
  static constexpr int extra_index = bed_index;
  Probe<R, sphere> probe;

  template <class S>
  WM_HD exec::Sample<typename S::value_type, sums, maxima> operator()(const S& s) const {
    using T = typename S::value_type;
    const auto m = probe.metric(s, 0, 0);
    const auto area = m.area();
    const Primitive<T> w = probe.point(s, 0, 0);
    const T h = depth_of(w), speed = speed_of(m, w), q = probe.potential_vorticity(s);
    exec::Sample<T, sums, maxima> r;
    r.sum[sum_volume] = h * area;
    r.sum[sum_kinetic] = (R(0.5) * area) * h * (speed * speed);
    r.sum[sum_potential] = (probe.p.gravity * area) * h * (R(0.5) * h + w[w_bed]);
    r.sum[sum_enstrophy] = (R(0.5) * area) * h * (q * q);
    const T lowest = T(R(-3e38));  // of no cell
    r.maximum[max_eta] = probe.where_wet(h, w[w_eta], lowest);
    r.maximum[max_minus_eta] = probe.where_wet(h, T(-w[w_eta]), lowest);
    r.maximum[max_depth] = h;
    r.maximum[max_minus_depth] = -h;
    r.maximum[max_speed] = speed;
    r.maximum[max_froude] = probe.froude(w, speed);
    if constexpr (sphere) {
      add_errors(s, w, m, r);
    } else {
      r.sum[sum_momentum_x] = s(s_hu, 0, 0, 0);
      r.sum[sum_momentum_y] = s(s_hv, 0, 0, 0);
      r.sum[sum_wet] = probe.where_wet(h, T(R(1)), T(R(0)));
    }
    return r;
  }

 private:
  template <class S, class T>
  WM_HD void add_errors(const S& s, const Primitive<T>& w, const schemes::PanelPoint<T>& m,
                        exec::Sample<T, sums, maxima>& r) const {
    T error = T(R(0)), size = T(R(0)), off2 = T(R(0)), speed2 = T(R(0));
    const KnownFlow<R>& known = probe.frame.known;
    if (known.start) {
      const auto exact = [&](int v) {
        return load_as<T>(known.start + (known.first + v * known.stride_var) + s.offset);
      };
      error = abs_(depth_of(w) - exact(0));
      size = abs_(exact(0) - known.background);
      off2 = squared_length(m, T(w[w_u] - exact(1)), T(w[w_v] - exact(2)));
      speed2 = squared_length(m, T(exact(1)), T(exact(2)));
    }
    const T area = m.area();
    r.sum[sum_error_1] = area * error;
    r.sum[sum_error_2] = area * (error * error);
    r.sum[sum_reference_1] = area * size;
    r.sum[sum_reference_2] = area * (size * size);
    r.sum[sum_velocity_error] = area * off2;
    r.sum[sum_velocity_reference] = area * speed2;
    r.maximum[max_error] = error;
    r.maximum[max_reference] = size;
  }
};

// Largest signal of a state, before the first step.
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
template <class R, bool sphere>
struct Evaluate {
  static constexpr int extra_index = bed_index;
  Quantity quantity;
  Probe<R, sphere> probe;

  template <class S>
  WM_HD Vec<typename S::value_type, 3> operator()(const S& s) const {
    using T = typename S::value_type;
    const Primitive<T> w = probe.point(s, 0, 0);
    const auto m = probe.metric(s, 0, 0);
    const auto one = [](const T& value) { return Vec<T, 3>{{value, T(R(0)), T(R(0))}}; };
    if constexpr (sphere) {
      const int panel = probe.mesh.first_panel + s.k;
      if (quantity == Quantity::velocity) return probe.frame.vector(w, m, panel);
      if (quantity == Quantity::velocity_east) return one(probe.frame.compass(w, m, panel)[0]);
      if (quantity == Quantity::velocity_north) return one(probe.frame.compass(w, m, panel)[1]);
    } else {
      if (quantity == Quantity::velocity) return {{w[w_u], w[w_v], T(R(0))}};
      if (quantity == Quantity::discharge) {
        return {{s(s_hu, 0, 0, 0), s(s_hv, 0, 0, 0), T(R(0))}};
      }
    }
    switch (quantity) {
      case Quantity::surface:
        return one(w[w_eta]);
      case Quantity::depth:
        return one(depth_of(w));
      case Quantity::bed:
        return one(w[w_bed]);
      case Quantity::speed:
        return one(speed_of(m, w));
      case Quantity::froude:
        return one(probe.froude(w, speed_of(m, w)));
      case Quantity::vorticity:
        return one(probe.vorticity(s));
      case Quantity::divergence:
        return one(probe.divergence(s));
      case Quantity::potential_vorticity:
        return one(probe.potential_vorticity(s));
      case Quantity::head: {
        const T speed = speed_of(m, w);
        return one(w[w_eta] + speed * speed * (R(0.5) / probe.p.gravity));
      }
      default:
        return one(T(R(0)));
    }
  }
};

}  // namespace watersmeet::shallow_water
