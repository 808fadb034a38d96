#pragma once
// The mesh of a box for flow.hpp and column.hpp: flat levels, or levels that follow the terrain
// (medium.hpp). Both meshes offer
//
//   sphere, terrain, deep, equal     what is known when the loops are compiled
//   columned                         a march along z keeps column() (exec/face.hpp)
//   kept, records(split)             sizes of exec/face.hpp
//   table_place(at)                  a cell's index in the tables of the medium
//   metric(at)                       of a column
//   cell_reference(table), gravity(table), volume(...)
//   inverse_width<axis>(table), stretched(), half_aspect(), level_depth(k)
//   face<axis>(at, column)           LateralFace, or LevelFace between levels (faces.hpp)
//   beside<axis>(v, window, at), curvature<axis>(v, window, at)   what reconstruction sees
//   keep<axis>(...), close<axis>(...)    from faces' records to the rate of a cell
//
// and answer what they do not have with a constant.

#include "schemes/panel_tables.hpp"
#include "systems/atmosphere/faces.hpp"
#include "systems/atmosphere/medium.hpp"
#include "systems/atmosphere/traits.hpp"

namespace watersmeet::atmosphere {

// Values of the cells on both sides of one, along an axis.
template <class T>
struct Beside {
  T below, above;
};

template <class R, bool terrain_ = false, bool equal_ = false>
struct BoxMesh {
  static constexpr bool sphere = false, terrain = terrain_, deep = false, equal = equal_;
  static constexpr bool columned = terrain;
  static constexpr int kept = 0;
  // Split, the two cells take different momenta upwards.
  static constexpr int records(bool split) { return n_shared_records + (split ? 1 : 0); }

  Medium<R, equal> medium;
  // 0 along an axis of one cell; along z of zeta, and the mean one where levels are stretched.
  Vec<R, 3> inverse_spacing{};
  int ground = -(1 << 30), lid = -(1 << 30);  // levels whose lower face is that wall

  WM_HD bool active(int axis) const { return inverse_spacing[axis] > R(0); }
  WM_HD bool stretched() const { return medium.stretched(); }
  WM_HD Place table_place(Place at) const { return at; }
  template <class T>
  WM_HD FlatMetric metric(Place) const {
    return {};
  }
  template <class T>
  WM_HD Reference<T> cell_reference(Place at) const {
    return medium.template cell<terrain, T>(at);
  }
  template <class T>
  WM_HD T gravity(Place) const {
    return T(medium.gravity);
  }
  // One over the width of a cell of the flat mesh.
  template <int axis>
  WM_HD R inverse_width([[maybe_unused]] Place at) const {
    if constexpr (axis == 2) {
      if (stretched()) return medium.stretch_value(at.k, t_inverse);
    }
    return inverse_spacing[axis];
  }
  // Half of what divides the depth of a level by the shorter width of a cell; that depth.
  WM_HD R half_aspect() const { return R(0.5) * max_(inverse_spacing[0], inverse_spacing[1]); }
  WM_HD R level_depth(int k) const { return medium.thickness_zeta(k); }
  // The slope of the lower face of a cell, where slopes are steepest.
  template <class T>
  WM_HD Slope<T> cell_slope(Place at) const {
    return medium.template slope<terrain, T>(at);
  }
  // The signal of waves along the levels, as flow.hpp counts them for the step.
  template <class T>
  WM_HD T lateral_signal(FlatMetric, const Primitive<T>& w, const T& a, Place) const {
    T sum = T(R(0));
    for (int axis = 0; axis < 2; ++axis) {
      sum = sum + (abs_(w[w_u + axis]) + a) * inverse_spacing[axis];
    }
    return sum;
  }

  // Over terrain: what no level of a column changes.
  template <int axis, class T>
  WM_HD auto column(Place at) const {
    return medium.template column_of<axis, T>(at);
  }

  template <int axis, class T>
  struct LateralFace {
    Reference<T> reference;
    FlatMetric metric;
    T area;
    WM_HD T normal_velocity(const Primitive<T>& w) const { return w[w_u + axis]; }
    WM_HD T through() const { return area; }
    template <int records>
    WM_HD void push(Vec<T, records>& record, const T& mass, const Primitive<T>& from,
                    const T& pressure, const T&, const T&) const {
      record[r_u + axis] = fma_(mass, from[w_u + axis], pressure * area);
      record[r_v - axis] = mass * from[w_v - axis];
    }
  };
  template <int axis, class T, class Column>
  WM_HD auto face(Place at, [[maybe_unused]] const Column& column) const {
    const Reference<T> reference = [&] {
      if constexpr (terrain) {
        return medium.template face<axis, T>(at, column);
      } else {
        return medium.template face<false, axis, T>(at);
      }
    }();
    if constexpr (axis == 2) {
      LevelFace<T, FlatMetric, terrain> face{reference, {}, {T(R(0)), T(R(0))}, T(R(1))};
      if constexpr (terrain) {
        face.slope = medium.template slope<T>(at, column);
        face.area = root_(R(1) + face.slope.x * face.slope.x + face.slope.y * face.slope.y);
      }
      return face;
    } else {
      LateralFace<axis, T> face{reference, {}, T(R(1))};
      if constexpr (terrain) face.area = medium.thickness_of(column[0]);
      return face;
    }
  }
  template <int axis, int records, class T>
  WM_HD void replace(Vec<T, records>&, Place) const {}  // of a panel (panel_mesh.hpp)

  // Ghosts are cells like all others.
  template <int axis, class T, class Window>
  WM_HD Beside<T> beside(int v, const Window& window, Place) const {
    return {window(v, -1), window(v, 1)};
  }
  template <int axis, class T, class Window>
  WM_HD T curvature(int v, const Window& window, Place) const {
    return window.across(v);
  }
  template <int axis, class T>
  WM_HD Vec<T, kept> keep(const T&, const T&, Place) const {
    return {};
  }

  template <int axis, bool split, class T, int records, class Column>
  WM_HD void close(Conserved<T>& rate, const Vec<T, records>& lower, const Vec<T, records>& upper,
                   const Vec<T, kept>&, Place at, [[maybe_unused]] const Column& column) const {
    T h = T(inverse_width<axis>(at));
    if constexpr (terrain) h = h * rcp_(medium.thickness_of(column[0]));
    for (int v = 0; v < n_variables; ++v) {
      const T gain = lower[v] - upper[split && axis == 2 && v == r_w ? int(r_w_below) : v];
      // Not fused along y, so that x and y may change places to the last bit: along x it is added
      // to 0.
      rate[v] = axis == 1 ? rate[v] + gain * h : fma_(gain, h, rate[v]);
    }
  }
};

}  // namespace watersmeet::atmosphere
