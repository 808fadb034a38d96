#pragma once
// The mesh of a cubed sphere, for what box_mesh.hpp has for a box: six panels (schemes/gnomonic.hpp)
// of n x n columns, each with its levels, stacked into one box along z:
//
//   k = 0 ... levels - 1 | levels ... 2 levels - 1 | ...        panel = k/levels
//       panel 0            panel 1
//
// In a shallow atmosphere horizontal lengths are those on the sphere itself at any height; in a
// deep one they grow with the distance r from the centre, and gravity is g (a/r)^2. A rank has a
// rectangle of the columns of some of the panels, and counts cells and panels from its first ones.
// Velocities along the panel are the radius (a or r) times the contravariant components, so that
// they have the unit of a velocity and cells are as long as the radius times their angle; the
// metric is that of the unit sphere then. w is upwards. flow.hpp has the equations in them.
//
// The pressure at a lateral face acts through what it differs from that of each cell's own edge,
// g^in L (p* - p_own), and the cell adds the difference of its own two edges with the metric in its
// middle: (L g^ij)_j = 0 in the continuum, so that nothing else is left of the pressure, and every
// term is 0 where p' is. At rest every number stays exactly 0 over any terrain.

#include <cstdint>

#include "systems/atmosphere/box_mesh.hpp"
#include "systems/atmosphere/sphere/between_walls.hpp"

namespace watersmeet::atmosphere {

// Rows of the tables of columns between those of two panels, beyond n.
constexpr int rows_between_panels = 2 * ghosts + 1;

// Values of a face on the rim of a panel, known from edges.hpp: in the panel's own axes, momentum less the
// pressure of the panel's own cell.
enum RimRecord : int { rim_mass, rim_across, rim_along, rim_w, rim_energy, n_rim_values };

// As those of FlatMetric.
template <class T>
WM_HD Slope<T> raised(const schemes::PanelPoint<T>& m, const Slope<T>& z) {
  return {m.g11() * z.x + m.g12() * z.y, m.g12() * z.x + m.g22() * z.y};
}
template <class T>
WM_HD T squared_slope(const schemes::PanelPoint<T>& m, const Slope<T>& z) {
  using R = RealOf<T>;
  return (m.g11() * (z.x * z.x) + m.g22() * (z.y * z.y)) + R(2) * m.g12() * (z.x * z.y);
}

// `equal_`, `stretched_`: levels are known to be equally thick, or not to be.
template <class R, bool terrain_ = false, bool deep_ = false, bool equal_ = false,
          bool stretched_ = false>
struct PanelMesh {
  using real = R;
  static constexpr bool sphere = true, terrain = terrain_, deep = deep_, equal = equal_;
  static constexpr bool columned = false;
  static constexpr int kept = 1;  // what p' of both edges pushes along the axis
  // For the cell below a face: two values across lateral faces, three between the levels of a deep
  // atmosphere.
  static constexpr int records(bool) { return n_shared_records + (deep ? 3 : 2); }

  Medium<R, equal> medium;  // asked about places of table_place() alone
  // Twice that of radius times angle, and that of zeta, the mean one where levels are stretched.
  Vec<R, 3> inverse_spacing{};
  schemes::PanelTables<R> tables;
  int n = 0, levels = 1;             // levels by set_levels()
  std::uint32_t inverse_levels = 0;  // above 2^32/levels by 1 at most
  Vec<int, 2> first{};               // column 0 here, in the panel
  R curvature_twice = 0;             // 2/radius
  R inverse_radius = 0;              // of a deep atmosphere, else 0
  Vec<Vec<R, 3>, 6> rotation{};  // twice the rotation vector, along ea, eb and n of each panel here
  TableAddress<R> rims;  // [side 2 axis + upper][RimRecord][k][rim_pitch], element 0 of cell 0
  std::int64_t rim_pitch = 0, rim_value = 0;  // rim_value: from value to value

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
  // The columns of a panel follow those of the one before.
  WM_HD Place table_place(Place at) const {
    const int q = panel(at);
    return {at.i, at.j + q * (n + rows_between_panels), at.k - q * levels};
  }

  WM_HD bool active(int) const { return true; }
  WM_HD bool stretched() const {
    if constexpr (stretched_) return true;
    return medium.stretched();
  }
  template <class T>
  WM_HD schemes::PanelPoint<T> metric(Place at) const {
    return tables.template centre_of<T>(at.i, at.j);
  }
  template <int axis, class T>
  WM_HD schemes::PanelPoint<T> face_metric(Place at) const {
    return tables.template face_of<axis, T>(at.i, at.j);
  }
  // r/a at a height, in the middle of a cell and on its lower face along an axis.
  template <class T>
  WM_HD T relative_radius(const T& z) const {
    return R(1) + z * inverse_radius;
  }
  template <class T>
  WM_HD T cell_radius(Place table) const {
    return relative_radius(medium.template cell_height<T>(table));
  }
  template <int axis, class T>
  WM_HD T face_radius(Place table) const {
    return relative_radius(medium.template face_height<axis, T>(table));
  }
  // A reference at constant gravity with the potential at r.
  template <class T>
  WM_HD Reference<T> deepened(Reference<T> reference, const T& relative) const {
    reference.gz = reference.gz * rcp_(relative);
    return reference;
  }
  template <class T>
  WM_HD Reference<T> cell_reference(Place table) const {
    const Reference<T> r = medium.template cell<terrain, T>(table);
    if constexpr (deep) return deepened(r, cell_radius<T>(table));
    return r;
  }
  template <int axis, class T>
  WM_HD Reference<T> face_reference(Place table) const {
    const Reference<T> r = medium.template face<terrain, axis, T>(table);
    if constexpr (deep) return deepened(r, face_radius<axis, T>(table));
    return r;
  }
  template <class T>
  WM_HD T gravity(Place table) const {
    T g = T(medium.gravity);
    if constexpr (deep) {
      const T inverse = rcp_(cell_radius<T>(table));
      g = g * (inverse * inverse);
    }
    return g;
  }
  // Half the height of a cell over a.
  template <class T>
  WM_HD T half_level(Place table) const {
    return (R(0.5) * medium.thickness_zeta(table.k) * inverse_radius) *
           medium.template thickness<T>(c_middle, table);
  }

  template <int axis>
  WM_HD R inverse_width([[maybe_unused]] Place table) const {
    if constexpr (axis == 2) {
      if (stretched()) return medium.stretch_value(table.k, t_inverse);
    }
    return inverse_spacing[axis];
  }
  WM_HD R half_aspect() const { return R(0.5) * inverse_spacing[0]; }
  WM_HD R level_depth([[maybe_unused]] int k) const {
    return stretched() ? medium.thickness_zeta(k) : rcp_(inverse_spacing[2]);
  }
  // The slope of the lower face of a cell, along the panel at the cell's distance from the centre.
  template <class T>
  WM_HD Slope<T> cell_slope(Place table) const {
    const Slope<T> z = medium.template slope<terrain, T>(table);
    if constexpr (deep) {
      const T inverse = rcp_(cell_radius<T>(table));
      return {z.x * inverse, z.y * inverse};
    }
    return z;
  }
  // The same at the face's distance.
  template <class T>
  WM_HD Slope<T> face_slope(Place table) const {
    const Slope<T> z = medium.template slope<true, T>(table);
    if constexpr (deep) {
      const T inverse = rcp_(face_radius<2, T>(table));
      return {z.x * inverse, z.y * inverse};
    }
    return z;
  }
  template <class T>
  WM_HD T lateral_signal(const schemes::PanelPoint<T>& m, const Primitive<T>& w, const T& a,
                         [[maybe_unused]] Place table) const {
    T lateral = (abs_(w[w_u]) + a * root_(m.g11())) + (abs_(w[w_v]) + a * root_(m.g22()));
    if constexpr (deep) lateral = lateral * rcp_(cell_radius<T>(table));
    return lateral * inverse_spacing[0];
  }

  template <int axis, class T>
  struct LateralFace {
    Reference<T> reference;
    schemes::PanelPoint<T> metric;
    T g_nn, ratio;             // g^12/g^nn
    T length, inverse_length;  // the root of g^nn
    T area;                    // L

    WM_HD T normal_velocity(const Primitive<T>& w) const { return w[w_u + axis] * inverse_length; }
    WM_HD T through() const { return area * length; }
    // `own_below` and `own_above`: p' of the cells' own edges.
    template <int records>
    WM_HD void push(Vec<T, records>& record, const T& mass, const Primitive<T>& from,
                    const T& pressure, const T& own_below, const T& own_above) const {
      const T push = area * g_nn, aside = ratio * push;
      const T straight = mass * from[w_u + axis], beside = mass * from[w_v - axis];
      const T below = pressure - own_below, above = pressure - own_above;
      record[r_below + axis] = fma_(push, below, straight);
      record[r_u + axis] = fma_(push, above, straight);
      record[r_below + 1 - axis] = fma_(aside, below, beside);
      record[r_v - axis] = fma_(aside, above, beside);
    }
  };
  template <int axis, class T, class Column>
  WM_HD auto face(Place at, const Column&) const {
    const Place table = table_place(at);
    const Reference<T> reference = face_reference<axis, T>(table);
    if constexpr (axis == 2) {
      LevelFace<T, schemes::PanelPoint<T>, terrain> face{
          reference, metric<T>(at), {T(R(0)), T(R(0))}, T(R(1))};
      if constexpr (terrain) {
        face.slope = face_slope<T>(table);
        face.area = root_(R(1) + squared_slope(face.metric, face.slope));
      }
      return face;
    } else {
      // The metric of gnomonic.hpp with one division: g_nn = d^2/(1 + X^2), g_12/g_nn, L.
      const auto m = face_metric<axis, T>(at);
      const T wx = R(1) + m.x * m.x, wy = R(1) + m.y * m.y;
      const T inverse_d2 = rcp_(m.d2), inverse_d = root_(m.d2) * inverse_d2;
      LateralFace<axis, T> face;
      face.reference = reference;
      face.metric = m;
      face.g_nn = axis == 0 ? m.g11() : m.g22();
      face.ratio = axis == 0 ? m.x * (m.y * m.cos2y) : m.y * (m.x * m.cos2x);
      face.length = root_(face.g_nn);
      face.inverse_length = face.length * (inverse_d2 * (axis == 0 ? wx : wy));
      face.area = (wx * wy) * (inverse_d2 * inverse_d);
      if constexpr (terrain) {
        face.area =
            face.area * medium.template thickness<T>(axis == 0 ? c_face_x : c_face_y, table);
      }
      if constexpr (deep) face.area = face.area * face_radius<axis, T>(table);
      return face;
    }
  }

  // In a deep atmosphere, between levels: mass and energy of `record` times r^2; momentum that
  // crosses, and the push on it that `record` has, as rates of the cells above and below are made
  // of them: what crosses is divided by the r^2 of the cell that takes it, the push is not.
  template <bool split, class T, int records>
  WM_HD void share_out(Vec<T, records>& record, Place table, const Vec<T, 3>& crossing) const {
    const T distance = face_radius<2, T>(table);
    const T half = half_level<T>(table);
    const T half_below = stretched() ? half_level<T>({table.i, table.j, table.k - 1}) : half;
    const T above = rcp_(distance + half), below = rcp_(distance - half_below);
    const T above2 = above * above, below2 = below * below;
    const T push_u = distance * record[r_u], push_v = distance * record[r_v];
    record[r_u] = push_u * above + crossing[0] * above2;
    record[r_v] = push_v * above + crossing[1] * above2;
    record[r_u_below_deep] = push_u * below + crossing[0] * below2;
    record[r_v_below_deep] = push_v * below + crossing[1] * below2;
    if constexpr (split) {
      record[r_w] = (record[r_w] + crossing[2]) * above2;
      record[r_w_below] = (record[r_w_below] + crossing[2]) * below2;
    } else {
      record[r_w] = record[r_w] + crossing[2] * above2;
      record[r_w_below] = record[r_w_below] + crossing[2] * below2;
    }
  }

  // Puts what is known of faces on the rim of a panel in the place of what was made of its ghosts.
  template <int axis, int records, class T>
  WM_HD void replace(Vec<T, records>& record, Place at) const {
    // From the lower side of the panel.
    const int along = (axis == 0 ? at.i : at.j) + first[axis];
    const int end = along + (axis == 0 ? int(sizeof(T) / sizeof(R)) : 1);  // of the lanes
    if (!(along <= 0 && end > 0) && !(along <= n && end > n)) return;
    const T side = axis == 0 ? load_as<T>(tables.tan_face + at.i)
                             : T(tables.tan_face[at.j + tables.row_shift]);
    for (int upper = 0; upper < 2; ++upper) {
      const auto there = side == T(R(upper == 0 ? -1 : 1));
      const auto value = [&](int v) {
        const R* const row =
            rims + ((2 * axis + upper) * n_rim_values + v) * rim_value + at.k * rim_pitch;
        return axis == 0 ? T(row[at.j]) : load_as<T>(row + at.i);
      };
      const auto put = [&](int place, const T& number) {
        record[place] = select(there, number, record[place]);
      };
      const T across = value(rim_across), beside = value(rim_along);
      put(r_mass, value(rim_mass));
      put(r_below + axis, across);
      put(r_u + axis, across);
      put(r_below + 1 - axis, beside);
      put(r_v - axis, beside);
      put(r_w, value(rim_w));
      put(r_energy, value(rim_energy));
    }
  }

  template <int axis, class T, class Window>
  WM_HD Beside<T> beside(int v, const Window& window, Place at) const {
    return BetweenWalls<PanelMesh>{*this}.template beside<axis, T>(v, window, at);
  }
  template <int axis, class T, class Window>
  WM_HD T curvature(int v, const Window& window, Place at) const {
    return BetweenWalls<PanelMesh>{*this}.template curvature<axis, T>(v, window, at);
  }

  // The difference of p' along the levels, times the heights of the faces over terrain.
  template <int axis, class T>
  WM_HD Vec<T, kept> keep(const T& p_lower, const T& p_upper, [[maybe_unused]] Place at) const {
    if constexpr (axis == 2) return {{T(R(0))}};
    if constexpr (!terrain) return {{p_upper - p_lower}};
    constexpr ColumnValue value = axis == 0 ? c_face_x : c_face_y;
    const Place table = table_place(at);
    const Place next{table.i + (axis == 0 ? 1 : 0), table.j + (axis == 1 ? 1 : 0), table.k};
    return {{p_upper * medium.template thickness<T>(value, next) -
             p_lower * medium.template thickness<T>(value, table)}};
  }

  template <int axis, bool split, class T, int records, class Column>
  WM_HD void close(Conserved<T>& rate, const Vec<T, records>& lower, const Vec<T, records>& upper,
                   const Vec<T, kept>& own, Place at, const Column&) const {
    const Place table = table_place(at);
    T h = T(inverse_width<axis>(table));
    if constexpr (terrain) h = h * rcp_(medium.template thickness<T>(c_middle, table));
    // What crosses faces is shared out over r^2, gradients along the panel are over r.
    T per_cell = h;
    if constexpr (deep) {
      const T inverse = rcp_(cell_radius<T>(table));
      per_cell = h * (inverse * inverse);
      if constexpr (axis != 2) h = h * inverse;
    }
    if constexpr (axis == 2) {
      // The record above the lid is that of the ground of the next panel, but for r_w_below.
      const bool lid = table.k == levels - 1;
      constexpr int below_u = deep ? int(r_u_below_deep) : int(r_u),
                    below_v = deep ? int(r_v_below_deep) : int(r_v);
      const T none = T(R(0)), u = lid ? none : upper[below_u], v = lid ? none : upper[below_v];
      rate[s_rho] = fma_(T(lower[r_mass] - upper[r_mass]), per_cell, rate[s_rho]);
      rate[s_mx] = fma_(T(lower[r_u] - u), h, rate[s_mx]);
      rate[s_my] = fma_(T(lower[r_v] - v), h, rate[s_my]);
      rate[s_mz] = fma_(T(lower[r_w] - upper[r_w_below]), h, rate[s_mz]);
      rate[s_energy] = fma_(T(lower[r_energy] - upper[r_energy]), per_cell, rate[s_energy]);
    } else {
      const auto m = metric<T>(at);
      const T per_area = per_cell * m.inverse_area();
      const T force = own[0] * h;
      const T g_nn = axis == 0 ? m.g11() : m.g22();
      // As in a box fused along x alone, where it is added to 0.
      const auto gain = [&](int v, const T& through) {
        rate[v] = axis == 0 ? fma_(through, per_area, rate[v]) : rate[v] + through * per_area;
      };
      gain(s_rho, lower[r_mass] - upper[r_mass]);
      gain(s_mz, lower[r_w] - upper[r_w]);
      gain(s_energy, lower[r_energy] - upper[r_energy]);
      const T ahead = (lower[r_u + axis] - upper[r_below + axis]) * per_area,
              aside = (lower[r_v - axis] - upper[r_below + 1 - axis]) * per_area;
      rate[s_mx + axis] = rate[s_mx + axis] + fma_(T(-g_nn), force, ahead);
      rate[s_my - axis] = rate[s_my - axis] + fma_(T(-m.g12()), force, aside);
    }
  }
};

}  // namespace watersmeet::atmosphere
