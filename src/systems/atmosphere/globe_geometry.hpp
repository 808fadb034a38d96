#pragma once
// Where the cells of a cubed sphere lie: six panels (schemes/gnomonic.hpp) of n x n columns, each
// with its levels, stacked into one box along z:
//
//   k = 0 ... levels - 1 | levels ... 2 levels - 1 | ...        panel = k/levels
//       panel 0            panel 1
//
// In a shallow atmosphere horizontal lengths are those on the sphere itself at any height; in a
// deep one they grow with the distance r from the centre, and gravity is g (a/r)^2. A rank has a
// rectangle of the columns of some of the panels, and counts cells and panels from its first ones.
// Velocities along the panel are the radius (a or r) times the contravariant components, so that
// they have the unit of a velocity and cells are as long as the radius times their angle; the
// metric is that of the unit sphere then. w is upwards.

#include <cstdint>

#include "schemes/panel_tables.hpp"
#include "systems/atmosphere/globe_variant.hpp"
#include "systems/atmosphere/medium.hpp"

namespace watersmeet::atmosphere {

// Rows of the tables of columns between those of two panels, beyond n.
constexpr int rows_between_panels = 2 * ghosts + 1;

// equal: levels are known to be equally thick.
template <class R, bool equal = true>
struct GlobeGeometry {
  Medium<R, equal> medium;  // asked about places of column_place() alone
  schemes::PanelTables<R> tables;
  int n = 0, levels = 1;             // levels by set_levels()
  std::uint32_t inverse_levels = 0;  // above 2^32/levels by 1 at most
  Vec<int, 2> first{};               // column 0 here, in the panel
  R curvature = 0;                   // 2/radius
  R inverse_radius = 0;              // of a deep atmosphere, else 0
  Vec<Vec<R, 3>, 6> rotation{};  // twice the rotation vector, along ea, eb and n of each panel here

  // 2 or more, and few enough that 7 of their squares are below 2^32.
  WM_HD void set_levels(int count) {
    levels = count;
    inverse_levels =
        static_cast<std::uint32_t>((std::uint64_t{1} << 32) / std::uint64_t(count)) + 1;
  }
  // k/levels by a product, which loops ask for several times a cell; levels below the ground of the
  // first panel are of it.
  WM_HD int panel(Place at) const {
    const std::uint64_t k = at.k < 0 ? 0 : static_cast<std::uint64_t>(at.k);
    return static_cast<int>((k * inverse_levels) >> 32);
  }
  WM_HD int level(Place at) const { return at.k - panel(at) * levels; }
  // In the tables of the medium, where the columns of a panel follow those of the one before.
  WM_HD Place column_place(Place at) const {
    const int q = panel(at);
    return {at.i, at.j + q * (n + rows_between_panels), at.k - q * levels};
  }
  // r/a at a height.
  template <class T>
  WM_HD T relative_radius(const T& z) const {
    return R(1) + z * inverse_radius;
  }
  // A reference at constant gravity with the potential at r.
  template <class T>
  WM_HD Reference<T> deepened(Reference<T> reference, const T& relative) const {
    reference.gz = reference.gz * rcp_(relative);
    return reference;
  }
  template <class T>
  WM_HD schemes::PanelPoint<T> centre(Place at) const {
    return tables.template centre_of<T>(at.i, at.j);
  }
  template <int axis, class T>
  WM_HD schemes::PanelPoint<T> face(Place at) const {
    return tables.template face_of<axis, T>(at.i, at.j);
  }
};

// What the loops ask about a cell and its lower faces, by its place in the tables of columns
// (GlobeGeometry::column_place).
template <class R, GlobeVariant variant>
struct GlobePlaces {
  static constexpr bool terrain = over_terrain(variant), deep = is_deep(variant);
  const GlobeGeometry<R, equal_levels(variant)>& geometry;

  template <class T>
  WM_HD Reference<T> cell_reference(Place column) const {
    const Reference<T> r = geometry.medium.template cell<terrain, T>(column);
    if constexpr (deep) return geometry.deepened(r, cell_radius<T>(column));
    return r;
  }
  template <int axis, class T>
  WM_HD Reference<T> face_reference(Place column) const {
    const Reference<T> r = geometry.medium.template face<terrain, axis, T>(column);
    if constexpr (deep) return geometry.deepened(r, face_radius<axis, T>(column));
    return r;
  }
  // r/a there.
  template <class T>
  WM_HD T cell_radius(Place column) const {
    return geometry.relative_radius(geometry.medium.template cell_height<T>(column));
  }
  template <int axis, class T>
  WM_HD T face_radius(Place column) const {
    return geometry.relative_radius(geometry.medium.template face_height<axis, T>(column));
  }
  // Of the face between levels, along the panel at its own distance from the centre.
  template <class T>
  WM_HD Slope<T> level_slope(Place column) const {
    const Slope<T> z = geometry.medium.template slope<true, T>(column);
    if constexpr (deep) {
      const T inverse = rcp_(face_radius<2, T>(column));
      return {z.x * inverse, z.y * inverse};
    }
    return z;
  }
  // Half the height of a cell over a.
  template <class T>
  WM_HD T half_level(Place column) const {
    const auto& medium = geometry.medium;
    return (R(0.5) * medium.thickness_zeta(column.k) * geometry.inverse_radius) *
           medium.template thickness<T>(c_middle, column);
  }
};

// Of a face between levels with these slopes: g^ij z_i z_j, its root, and the area over that of a
// flat one.
template <class T>
WM_HD T squared_slope(const schemes::PanelPoint<T>& m, const Slope<T>& z) {
  using R = RealOf<T>;
  return (m.g11() * (z.x * z.x) + m.g22() * (z.y * z.y)) + R(2) * m.g12() * (z.x * z.y);
}
template <class T>
WM_HD T slant(const schemes::PanelPoint<T>& m, const Slope<T>& z) {
  return sqrt_(max_(squared_slope(m, z), T(RealOf<T>(0))));
}
template <class T>
WM_HD T slanted_area(const schemes::PanelPoint<T>& m, const Slope<T>& z) {
  return root_(RealOf<T>(1) + squared_slope(m, z));
}

template <class T>
WM_HD T kinetic_on(const schemes::PanelPoint<T>& m, const Point<T>& w) {  // per mass
  return RealOf<T>(0.5) * fma_(w[w_w], w[w_w], schemes::squared_length(m, w[w_u], w[w_v]));
}

// equations.hpp with the metric of a panel.
template <class T>
WM_HD Point<T> primitive_on(const schemes::PanelPoint<T>& m, const State<T>& s,
                            const Reference<T>& r, RealOf<T> gamma) {
  using R = RealOf<T>;
  const T rho = r.rho + s[s_rho], inverse = rcp_(rho);
  Point<T> w{{s[s_rho], s[s_mx] * inverse, s[s_my] * inverse, s[s_mz] * inverse, T(R(0))}};
  w[w_p] = (gamma - R(1)) * fma_(T(-rho), kinetic_on(m, w), fma_(T(-s[s_rho]), r.gz, s[s_energy]));
  return w;
}
template <class T>
WM_HD State<T> stored_on(const schemes::PanelPoint<T>& m, const Point<T>& w, const Reference<T>& r,
                         RealOf<T> gamma) {
  using R = RealOf<T>;
  const T rho = r.rho + w[w_rho];
  return {{w[w_rho], rho * w[w_u], rho * w[w_v], rho * w[w_w],
           (R(1) / (gamma - R(1))) * w[w_p] + rho * kinetic_on(m, w) + w[w_rho] * r.gz}};
}

}  // namespace watersmeet::atmosphere
