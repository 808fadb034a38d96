#pragma once
// What the solver for columns (column.hpp) is told of the mesh: of a box, whose columns are one
// block of cells, and of a cubed sphere, whose panels are stacked. Both offer
//   equal                   whether levels are known to be equally thick
//   levels()                of a column
//   table_place(at)         index of a cell in the tables of the medium
//   reference<T>(table)     in the middle of a cell; if `deep` also its distance from the centre
//   metric<T>(at)           of a column: what velocities along the levels are measured with
//   primitive(metric, ...)  and kinetic(metric, w), covariant(metric, u, v)

#include "systems/atmosphere/globe_geometry.hpp"

namespace watersmeet::atmosphere {

template <class R, bool over_terrain>
struct BoxColumns {
  static constexpr bool terrain = over_terrain, deep = false, equal = false;
  struct Metric {};
  Medium<R, equal> medium;
  R gamma = R(1.4), inverse_spacing = 0;  // of zeta, the mean one
  int n_levels = 1;

  WM_HD int levels() const { return n_levels; }
  WM_HD Place table_place(Place at) const { return at; }
  template <class T>
  WM_HD Reference<T> reference(Place table) const {
    return medium.template cell<terrain, T>(table);
  }
  template <class T>
  WM_HD Metric metric(Place) const {
    return {};
  }
  template <class T>
  WM_HD Point<T> primitive(Metric, const State<T>& s, const Reference<T>& r) const {
    return primitive_of(s, r, gamma);
  }
  template <class T>
  WM_HD T kinetic(Metric, const Point<T>& w) const {
    return kinetic_of(w);
  }
  template <class T>
  WM_HD Vec<T, 2> covariant(Metric, const T& u, const T& v) const {
    return {{u, v}};
  }
};

template <class R, GlobeVariant variant>
struct GlobeColumns {
  static constexpr bool terrain = over_terrain(variant), deep = is_deep(variant),
                        equal = equal_levels(variant);
  GlobeGeometry<R, equal> geometry;
  Medium<R, equal> medium;  // that of the geometry
  R gamma = R(1.4), inverse_spacing = 0;

  WM_HD int levels() const { return geometry.levels; }
  WM_HD Place table_place(Place at) const { return geometry.column_place(at); }
  template <class T>
  WM_HD Reference<T> reference(Place table) const {
    return places().template cell_reference<T>(table);
  }
  // r/a in the middle of a cell and on its lower face.
  template <class T>
  WM_HD T cell_radius(Place table) const {
    return places().template cell_radius<T>(table);
  }
  template <class T>
  WM_HD T face_radius(Place table) const {
    return places().template face_radius<2, T>(table);
  }
  template <class T>
  WM_HD schemes::PanelPoint<T> metric(Place at) const {
    return geometry.template centre<T>(at);
  }
  template <class T>
  WM_HD Point<T> primitive(const schemes::PanelPoint<T>& m, const State<T>& s,
                           const Reference<T>& r) const {
    return primitive_on(m, s, r, gamma);
  }
  template <class T>
  WM_HD T kinetic(const schemes::PanelPoint<T>& m, const Point<T>& w) const {
    return kinetic_on(m, w);
  }
  template <class T>
  WM_HD Vec<T, 2> covariant(const schemes::PanelPoint<T>& m, const T& u, const T& v) const {
    return schemes::covariant(m, u, v);
  }

 private:
  WM_HD GlobePlaces<R, variant> places() const { return {geometry}; }
};

}  // namespace watersmeet::atmosphere
