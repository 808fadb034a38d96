#pragma once
// Where the water flows: a plane, or the panels of a cubed sphere (schemes/gnomonic.hpp,
// mesh/cubed_sphere.hpp). Velocities on the sphere are its radius times the contravariant
// components, so that they have the unit of a velocity, and cells are as long as the radius times
// their angle; the metric is that of the unit sphere then.

#include <cstdint>

#include "exec/plane.hpp"
#include "schemes/panel_tables.hpp"

namespace watersmeet::shallow_water {

template <class R>
struct PlaneGeometry {
  static constexpr bool curved = false;
};

// What of a face on the rim of a panel is known from elsewhere: the flux of water, and of momentum
// across and along the face less the pressure of the panel's own cell, all times the length of the
// face's metric, in the panel's own axes.
enum RimRecord : int { rim_mass, rim_across, rim_along, n_rim_values };

using schemes::table_lead;
using schemes::table_tail;

// The sphere as a whole.
template <class R>
struct RotatingSphere {
  R curvature = 0;               // 2/radius
  Vec<Vec<R, 3>, 6> rotation{};  // twice the rotation vector, along ea, eb and n of each panel
  bool advection = false;        // a prescribed rotation carries the water,
  Vec<Vec<R, 3>, 6> wind{};      // angular velocity times radius
};

// Of one part.
template <class R>
struct SphereGeometry : schemes::PanelTables<R>, RotatingSphere<R> {
  static constexpr bool curved = true;
  // The panel's own edges across an axis, lower and upper, as faces here.
  int rim_face[2][2] = {};
  // [panel here][side 2 axis + upper][RimRecord][rim_pitch], element 0 of the panel's cell 0.
  const R* rims = nullptr;
  std::int64_t rim_pitch = 0;
  int first[2] = {0, 0};  // cell 0 here, in the panel
  int first_panel = 0;    // of the panels here

  template <class T>
  WM_HD schemes::PanelPoint<T> centre(const exec::PlanePlace& at) const {
    return this->template centre_of<T>(at.i, at.j);
  }
  // The middle of the lower face along an axis.
  template <int axis, class T>
  WM_HD schemes::PanelPoint<T> face(const exec::PlanePlace& at) const {
    return this->template face_of<axis, T>(at.i, at.j);
  }
  WM_HD const R* wind_of(int k) const { return this->wind[first_panel + k].v; }
  // Element 0 of cell 0 here.
  WM_HD const R* rim(int side, int value, int k) const {
    return rims + ((k * 4 + side) * n_rim_values + value) * rim_pitch + first[1 - side / 2];
  }
};

}  // namespace watersmeet::shallow_water
