#pragma once
// diagnostics.hpp on a cubed sphere: sums are weighted with the area element L, what points along
// axes comes from covariant components, and there are errors against a known flow.
//
//   vorticity   zeta = (1/L)((V.e2)_alpha - (V.e1)_beta)
//   divergence  (1/L)((L u)_alpha + (L v)_beta)
//
// both by central differences of second order. Quantities that are vectors are Cartesian.

#include <cstdint>

#include "core/table_address.hpp"
#include "systems/shallow_water/diagnostics.hpp"

namespace watersmeet::shallow_water {

// Sums over cells; the caller applies (radius angle)^2.
enum SphereSums : int {
  sphere_volume,
  sphere_kinetic,
  sphere_potential,
  sphere_enstrophy,
  sphere_error_1,      // |h - h_exact|
  sphere_error_2,      // its square
  sphere_reference_1,  // |h_exact - background|
  sphere_reference_2,
  sphere_velocity_error,  // |V - V_exact|^2
  sphere_velocity_reference,
  sphere_sums_end
};
enum SphereMaxima : int {
  sphere_max_eta,
  sphere_max_minus_eta,
  sphere_max_depth,
  sphere_max_minus_depth,
  sphere_max_speed,
  sphere_max_froude,
  sphere_max_error,
  sphere_max_reference,
  sphere_maxima_end
};

// Names, units and components are in sphere_output.cpp in the same order. Those from vorticity on
// need one valid ghost layer.
enum class SphereQuantity : int {
  surface,
  depth,
  velocity,
  velocity_east,
  velocity_north,
  bed,
  speed,
  froude,
  vorticity,
  divergence,
  potential_vorticity,
  count
};

// ea, eb and n of each panel, by Cartesian components.
template <class R>
using PanelFrames = Vec<Vec<R, 9>, 6>;

// A flow that is known, in a register of depth, u and v; errors are relative to what its depth is above that of the background.
template <class R>
struct KnownFlow {
  TableAddress<R> start;  // of the register, or null: none is known
  std::int64_t first = 0, stride_var = 0;
  R background = 0;
};

template <class R>
struct SphereProbe {
  FlowParameters<R> p;
  SphereGeometry<R> geometry;
  PanelFrames<R> frame;
  KnownFlow<R> known;
  bool bed;  // there is one; else it is flat at 0

  template <class S>
  WM_HD Point<typename S::value_type> point(const S& s, int di, int dj) const {
    return primitive_of(stored_at(s, di, dj), bed_at(s, di, dj, bed), R(0));
  }
  template <class S>
  WM_HD schemes::PanelPoint<typename S::value_type> place(const S& s, int di, int dj) const {
    return geometry.template centre<typename S::value_type>({s.i + di, s.j + dj, s.k});
  }
  template <class S>
  WM_HD typename S::value_type vorticity(const S& s) const {
    const auto lowered = [&](int di, int dj, int component) {
      const auto w = point(s, di, dj);
      return schemes::covariant(place(s, di, dj), w[w_u], w[w_v])[component];
    };
    const auto turn =
        (lowered(1, 0, 1) - lowered(-1, 0, 1)) - (lowered(0, 1, 0) - lowered(0, -1, 0));
    return half_inverse() * place(s, 0, 0).inverse_area() * turn;
  }
  template <class S>
  WM_HD typename S::value_type divergence(const S& s) const {
    const auto flow = [&](int di, int dj, int variable) {
      return place(s, di, dj).area() * point(s, di, dj)[variable];
    };
    const auto out = (flow(1, 0, w_u) - flow(-1, 0, w_u)) + (flow(0, 1, w_v) - flow(0, -1, w_v));
    return half_inverse() * place(s, 0, 0).inverse_area() * out;
  }
  template <class S>
  WM_HD typename S::value_type potential_vorticity(const S& s) const {
    const auto m = place(s, 0, 0);
    const Vec<R, 3>& rotation = geometry.rotation[geometry.first_panel + s.k];
    const auto f = (rotation[2] + (m.x * rotation[0] + m.y * rotation[1])) * rcp_(root_(m.d2));
    return (vorticity(s) + f) * rcp_(depth_of(point(s, 0, 0)));
  }
  template <class T>
  WM_HD T speed(const Point<T>& w, const schemes::PanelPoint<T>& m) const {
    return sqrt_(schemes::squared_length(m, w[w_u], w[w_v]));
  }
  // Cartesian components.
  template <class T>
  WM_HD Vec<T, 3> vector(const Point<T>& w, const schemes::PanelPoint<T>& m, int k) const {
    return turned(schemes::panel_vector(m, w[w_u], w[w_v]), k);
  }
  // East and north at this place; at the poles, where nothing is east, towards +y.
  template <class T>
  WM_HD Vec<T, 2> compass(const Point<T>& w, const schemes::PanelPoint<T>& m, int k) const {
    const T one = T(R(1));
    const Vec<T, 3> velocity = vector(w, m, k), r = turned(Vec<T, 3>{{m.x, m.y, one}}, k);
    const T off2 = r[0] * r[0] + r[1] * r[1];
    const auto off = off2 > T(R(0));
    const T inverse = select(off, rcp_(root_(select(off, off2, one))), T(R(0)));
    const T cos_lon = select(off, r[0] * inverse, one), sin_lon = r[1] * inverse;
    const T east = cos_lon * velocity[1] - sin_lon * velocity[0];
    const T outwards = cos_lon * velocity[0] + sin_lon * velocity[1];
    const T sine = r[2] * rcp_(root_(m.d2)), cosine = sqrt_(off2) * rcp_(root_(m.d2));
    return {{east, cosine * velocity[2] - sine * outwards}};
  }

 private:
  WM_HD R half_inverse() const { return R(0.5) * p.inverse_spacing[0]; }
  template <class T>
  WM_HD Vec<T, 3> turned(const Vec<T, 3>& w, int k) const {
    const Vec<R, 9>& f = frame[geometry.first_panel + k];
    Vec<T, 3> r;
    for (int c = 0; c < 3; ++c) r[c] = f[c] * w[0] + f[3 + c] * w[1] + f[6 + c] * w[2];
    return r;
  }
};

template <class R>
struct DiagnoseSphere {
  static constexpr int sums = sphere_sums_end, maxima = sphere_maxima_end;
  static constexpr int extra_index = bed_index;
  SphereProbe<R> probe;

  template <class S>
  WM_HD exec::Sample<typename S::value_type, sums, maxima> operator()(const S& s) const {
    using T = typename S::value_type;
    const auto m = probe.place(s, 0, 0);
    const Point<T> w = probe.point(s, 0, 0);
    const T area = m.area(), h = depth_of(w), speed = probe.speed(w, m);
    const T q = probe.potential_vorticity(s);
    exec::Sample<T, sums, maxima> r;
    r.sum[sphere_volume] = area * h;
    r.sum[sphere_kinetic] = (R(0.5) * area) * h * (speed * speed);
    r.sum[sphere_potential] = (probe.p.gravity * area) * h * (R(0.5) * h + w[w_bed]);
    r.sum[sphere_enstrophy] = (R(0.5) * area) * h * (q * q);
    r.maximum[sphere_max_eta] = w[w_eta];
    r.maximum[sphere_max_minus_eta] = -w[w_eta];
    r.maximum[sphere_max_depth] = h;
    r.maximum[sphere_max_minus_depth] = -h;
    r.maximum[sphere_max_speed] = speed;
    r.maximum[sphere_max_froude] = speed * rcp_(root_(probe.p.gravity * h));
    T error = T(R(0)), size = T(R(0)), off2 = T(R(0)), speed2 = T(R(0));
    const KnownFlow<R>& known = probe.known;
    if (known.start) {
      const auto exact = [&](int v) {
        return load_as<T>(known.start + (known.first + v * known.stride_var) + s.offset);
      };
      error = abs_(h - exact(0));
      size = abs_(exact(0) - known.background);
      off2 = schemes::squared_length(m, w[w_u] - exact(1), w[w_v] - exact(2));
      speed2 = schemes::squared_length(m, exact(1), exact(2));
    }
    r.sum[sphere_error_1] = area * error;
    r.sum[sphere_error_2] = area * (error * error);
    r.sum[sphere_reference_1] = area * size;
    r.sum[sphere_reference_2] = area * (size * size);
    r.sum[sphere_velocity_error] = area * off2;
    r.sum[sphere_velocity_reference] = area * speed2;
    r.maximum[sphere_max_error] = error;
    r.maximum[sphere_max_reference] = size;
    return r;
  }
};

template <class R>
struct EvaluateSphere {
  static constexpr int extra_index = bed_index;
  SphereQuantity quantity;
  SphereProbe<R> probe;

  template <class S>
  WM_HD Vec<typename S::value_type, 3> operator()(const S& s) const {
    using T = typename S::value_type;
    const T none = T(R(0));
    const Point<T> w = probe.point(s, 0, 0);
    const auto m = probe.place(s, 0, 0);
    switch (quantity) {
      case SphereQuantity::surface:
        return {{w[w_eta], none, none}};
      case SphereQuantity::depth:
        return {{depth_of(w), none, none}};
      case SphereQuantity::velocity:
        return probe.vector(w, m, s.k);
      case SphereQuantity::velocity_east:
        return {{probe.compass(w, m, s.k)[0], none, none}};
      case SphereQuantity::velocity_north:
        return {{probe.compass(w, m, s.k)[1], none, none}};
      case SphereQuantity::bed:
        return {{w[w_bed], none, none}};
      case SphereQuantity::speed:
        return {{probe.speed(w, m), none, none}};
      case SphereQuantity::froude:
        return {{probe.speed(w, m) * rcp_(root_(probe.p.gravity * depth_of(w))), none, none}};
      case SphereQuantity::vorticity:
        return {{probe.vorticity(s), none, none}};
      case SphereQuantity::divergence:
        return {{probe.divergence(s), none, none}};
      case SphereQuantity::potential_vorticity:
        return {{probe.potential_vorticity(s), none, none}};
      case SphereQuantity::count:
        break;
    }
    return {{none, none, none}};
  }
};

}  // namespace watersmeet::shallow_water
