#pragma once
// Where the water flows: a plane, or the panels of a cubed sphere (schemes/gnomonic.hpp,
// mesh/cubed_sphere.hpp). Both meshes offer
//
//   active(axis), inverse_spacing      0 along an axis of one cell
//   centre<T>(place), face<axis, T>(place)   the metric there: FlatMetric or schemes::PanelPoint
//   coriolis(metric, place)            f
//   turn(rate, w, stored, place)       adds what rotation and curvature do to the momentum
//   signal(w, c, place)                of waves of celerity c
//
// and what a plane does not have it answers with a number that is compiled away. Velocities on the
// sphere are its radius times the contravariant components, so that they have the unit of a
// velocity, and cells are as long as the radius times their angle; the metric is that of the unit
// sphere then.

#include <cstdint>
#include <type_traits>

#include "exec/plane.hpp"
#include "schemes/panel_tables.hpp"
#include "systems/shallow_water/equations.hpp"

namespace watersmeet::shallow_water {

// What a face across an axis n needs: g^nn and its inverse, the skewness r = g^12/g^nn of the axes,
// and the area element L.
template <class Number, class Skewness>
struct Across {
  Number g_nn, inverse_g_nn;
  Skewness skewness;
  Number length;
};
template <int axis>
WM_HD Across<One, Zero> across(FlatMetric) {
  return {};
}
template <int axis, class T>
WM_HD Across<T, T> across(const schemes::PanelPoint<T>& m) {
  const T inverse_d2 = rcp_(m.d2), t = axis == 0 ? m.x : m.y;
  const T cos2 = axis == 0 ? m.cos2x : m.cos2y;
  return {m.d2 * cos2, inverse_d2 * (RealOf<T>(1) + t * t),
          axis == 0 ? m.x * (m.y * m.cos2y) : m.y * (m.x * m.cos2x), m.area()};
}

template <class R>
struct PlaneMesh {
  Vec<R, 2> inverse_spacing{};
  R coriolis_first = 0, coriolis_step = 0;  // f in the first row of cells, and from row to row
  std::int64_t first_j = 0;                 // of the part in the whole

  WM_HD bool active(int axis) const { return inverse_spacing[axis] > R(0); }
  template <class T>
  WM_HD FlatMetric centre(const exec::PlanePlace&) const {
    return {};
  }
  template <int axis, class T>
  WM_HD FlatMetric face(const exec::PlanePlace&) const {
    return {};
  }
  WM_HD R coriolis(FlatMetric, const exec::PlanePlace& at) const {
    return coriolis_first + coriolis_step * R(first_j + at.j);
  }
  template <class T, int rates>
  WM_HD void turn(Vec<T, rates>& rate, const Primitive<T>&, const Conserved<T>& stored,
                  const exec::PlanePlace& at) const {
    if (coriolis_first == R(0) && coriolis_step == R(0)) return;
    const Vec<T, 2> force = coriolis_force(stored, coriolis(FlatMetric{}, at));
    for (int a = 0; a < 2; ++a) rate[s_hu + a] = rate[s_hu + a] + force[a];
  }
  // (|u| + c)/dx + (|v| + c)/dy.
  template <class T>
  WM_HD T signal(const Primitive<T>& w, const T& c, const exec::PlanePlace&) const {
    T rate = T(R(0));
    for (int a = 0; a < 2; ++a) rate = rate + (abs_(w[w_u + a]) + c) * inverse_spacing[a];
    return rate;
  }
};

// What of a face on the rim of a panel is known from elsewhere: the flux of water, and of momentum
// across and along the face less the pressure of the panel's own cell, all times the length of the
// face's metric, in the panel's own axes.
enum RimRecord : int { rim_mass, rim_across, rim_along, n_rim_values };

// The panels of one part.
template <class R>
struct PanelMesh {
  schemes::PanelTables<R> tables;
  Vec<R, 2> inverse_spacing{};
  R curvature = 0;               // 2/radius
  Vec<Vec<R, 3>, 6> rotation{};  // twice the rotation vector, along ea, eb and n of each panel
  bool advection = false;        // a prescribed rotation carries the water,
  Vec<Vec<R, 3>, 6> wind{};      // angular velocity times radius
  // The panel's own edges across an axis, lower and upper, as faces here.
  Vec<Vec<int, 2>, 2> rim_face{};
  // [panel here][side 2 axis + upper][RimRecord][rim_pitch], element 0 of the panel's cell 0.
  ArrayAddress<R> rims;
  std::int64_t rim_pitch = 0;
  Vec<int, 2> first{};  // cell 0 here, in the panel
  int first_panel = 0;  // of the panels here

  // Always true. It is a question at run time because the march in double is 3 to 10 % slower where
  // the compiler knows the answer (watersmeet bench shallow_water, one H100, 418 x 418 x 6: 2.79 for
  // 3.10 Gupdates/s with 13 points).
  WM_HD bool active(int axis) const { return inverse_spacing[axis] > R(0); }
  template <class T>
  WM_HD schemes::PanelPoint<T> centre(const exec::PlanePlace& at) const {
    return tables.template centre_of<T>(at.i, at.j);
  }
  template <int axis, class T>
  WM_HD schemes::PanelPoint<T> face(const exec::PlanePlace& at) const {
    return tables.template face_of<axis, T>(at.i, at.j);
  }
  // f = 2 Omega.r, and that times d.
  template <class T>
  WM_HD T coriolis(const schemes::PanelPoint<T>& m, const exec::PlanePlace& at) const {
    return coriolis_d(m, at) * rcp_(root_(m.d2));
  }
  template <class T>
  WM_HD T coriolis_d(const schemes::PanelPoint<T>& m, const exec::PlanePlace& at) const {
    const Vec<R, 3>& omega = rotation[first_panel + at.k];
    return omega[2] + (m.x * omega[0] + m.y * omega[1]);
  }
  // The terms of equations (5) and (6): -f L (g^2i hu - g^1i hv) - G^i_jk h u^j u^k. Both parts of (5),
  // f L (g^12 hu - g^11 hv) and G^1_11 h u u + 2 G^1_12 h u v, have the factor
  // (X Y hu - (1 + Y^2) hv)/d^2 in common, those of (6) (1 + X^2) hu - X Y hv.
  template <class T, int rates>
  WM_HD void turn(Vec<T, rates>& rate, const Primitive<T>& w, const Conserved<T>& stored,
                  const exec::PlanePlace& at) const {
    const auto m = centre<T>(at);
    const T f = coriolis_d(m, at), xy = m.x * m.y, inverse_d2 = rcp_(m.d2);
    const T left = (R(1) + m.y * m.y) * stored[s_hv] - xy * stored[s_hu];
    const T right = (R(1) + m.x * m.x) * stored[s_hu] - xy * stored[s_hv];
    rate[s_hu] = rate[s_hu] + inverse_d2 * left * (f + curvature * (m.y * w[w_u]));
    rate[s_hv] = rate[s_hv] - inverse_d2 * right * (f - curvature * (m.x * w[w_v]));
  }
  // (|u| + c root g^11)/dx + (|v| + c root g^22)/dx.
  template <class T>
  WM_HD T signal(const Primitive<T>& w, const T& c, const exec::PlanePlace& at) const {
    const auto m = centre<T>(at);
    const T waves = advection ? T(R(0)) : c;
    return ((abs_(w[w_u]) + waves * root_(m.g11())) + (abs_(w[w_v]) + waves * root_(m.g22()))) *
           inverse_spacing[0];
  }
  // The prescribed velocity.
  template <class T>
  WM_HD Vec<T, 2> wind_at(const schemes::PanelPoint<T>& m, const exec::PlanePlace& at) const {
    return schemes::rotation_components(m, wind[first_panel + at.k].v);
  }
  // A value of the faces on a side, element 0 of cell 0 here.
  WM_HD const R* rim(int side, int value, int k) const {
    const R* const start = rims;
    return start + ((k * 4 + side) * n_rim_values + value) * rim_pitch + first[1 - side / 2];
  }
};

template <class R, bool sphere>
using MeshOf = std::conditional_t<sphere, PanelMesh<R>, PlaneMesh<R>>;

}  // namespace watersmeet::shallow_water
