#pragma once
// Where the cells and faces of a part lie, and the reference there.
//
// Levels are flat, z = z_0 + zeta, or follow the terrain (Gal-Chen and Somerville 1975, J. Comput.
// Phys. 17, 209): with the height h(x, y) of the ground above z_0 and the depth H of the box
//
//   z = z_0 + zeta + h (1 - zeta/H)            zeta = H  ______________________  flat lid
//                                                        ____________----______
//   faces across x and y are vertical, their height                ____--__--____
//   is (1 - h/H) dzeta; those between levels have the    zeta = 0  ____/  ground  \____
//   slope (h_x, h_y) (1 - zeta/H)
//
// h is a number at the corners of columns: means over two give lateral faces, over four columns and
// their horizontal faces, so that the area vectors of a cell add up to 0.
//
// Levels are equally thick in zeta, or stretched (levels.hpp): then zeta and all that depends on
// the thickness of a level is looked up.
//
// Over flat ground the reference is a table by levels. Over terrain it is cubics of z on equal
// intervals, evaluated at the very point, so that a face has one number for both of its cells. A
// level is named by the index of its cells; its face is the lower one.

#include <cstdint>

#include "core/gather.hpp"
#include "core/table_address.hpp"
#include "exec/face.hpp"
#include "systems/atmosphere/equations.hpp"

namespace watersmeet::atmosphere {

using exec::Place;

// Ghosts of a part, and entries of the tables before the first cell along each axis.
constexpr int ghosts = 3;

// Values of a level of the flat mesh.
enum LevelValue : int {
  l_cell_rho,
  l_cell_p,
  l_cell_gz,
  l_cell_theta,
  l_face_rho,
  l_face_p,
  l_face_gz,
  l_face_exner,
  level_values
};
// Values of a level of stretched levels: zeta in its middle and of its lower face; its thickness,
// one over that, and the thickness over the mean one; the distance from the middle of the level
// below and one over that; weights of schemes/kappa.hpp: of edges, of limiters, of the second
// difference.
enum StretchValue : int {
  t_middle,
  t_face,
  t_thickness,
  t_inverse,
  t_volume,
  t_distance,
  t_inverse_distance,
  t_upper_up,
  t_upper_down,
  t_lower_up,
  t_lower_down,
  t_share_up,
  t_share_down,
  t_curve_up,
  t_curve_down,
  stretch_values
};
// Values of a column of the mesh over terrain: h in the middle of the column and of its lower faces along
// x and y; slopes of the ground.
enum ColumnValue : int { c_middle, c_face_x, c_face_y, c_slope_x, c_slope_y, column_values };
// Functions of z in the table of cubics.
enum ProfileValue : int { f_rho, f_p, f_theta, profile_values };

// h of the middle of the lower face of a cell along an axis; along z also the slope of the ground.
template <int axis, class T>
using TerrainColumn = Vec<T, axis == 2 ? 3 : 1>;

// equal: levels are known to be equally thick, and nothing else is compiled.
template <class R, bool equal = false>
struct Medium {
  bool terrain = false;
  R gravity = 0;
  R bottom = 0, depth = 1, inverse_depth = 1;  // z_0, H
  R spacing_zeta = 1;                          // the mean one
  R first_level = 0;                           // of the part in the whole, below 2^24
  TableAddress<R> levels;                      // [level + ghosts][level_values]
  TableAddress<R> stretch;                     // [level + ghosts][stretch_values], or none
  TableAddress<R> columns;  // [column_values][j][i], cell (0, 0) of the first value
  std::int64_t stride_j = 0, stride_value = 0;
  TableAddress<R> profile;  // [interval][profile_values][4]
  R profile_lower = 0, inverse_step = 1, last_interval = 0;

  // The reference state at the height z, over terrain.
  template <class T>
  WM_HD Reference<T> reference_at(const T& z) const {
    const Interval<T> at = interval_of(z);
    return {cubic(at, f_rho), cubic(at, f_p), gravity * z};
  }

  // h of one of the places of a column.
  template <class T>
  WM_HD T column(ColumnValue value, Place at) const {
    return load_as<T>(columns + value * stride_value + at.j * stride_j + at.i);
  }
  // 1 - h/H: what the terrain leaves of the height of cells and lateral faces.
  template <class T>
  WM_HD T thickness(ColumnValue value, Place at) const {
    return thickness_of(column<T>(value, at));
  }
  // Values of a column over terrain, whatever the level.
  template <int axis, class T>
  WM_HD TerrainColumn<axis, T> column_of(Place at) const {
    if constexpr (axis == 2) {
      return {{column<T>(c_middle, at), column<T>(c_slope_x, at), column<T>(c_slope_y, at)}};
    } else {
      return {{column<T>(axis == 0 ? c_face_x : c_face_y, at)}};
    }
  }
  template <class T>
  WM_HD T thickness_of(const T& h) const {
    return R(1) - h * inverse_depth;
  }
  // Reference in the middle of the lower face of a cell along an axis, and the slope of that along
  // z.
  template <int axis, class T>
  WM_HD Reference<T> face(Place at, const TerrainColumn<axis, T>& column) const {
    return reference_at(height(column[0], axis == 2 ? face_zeta(at.k) : middle_zeta(at.k)));
  }
  template <class T>
  WM_HD Slope<T> slope(Place at, const TerrainColumn<2, T>& column) const {
    const R d = decay(at.k);
    return {d * column[1], d * column[2]};
  }

  WM_HD bool stretched() const {
    if constexpr (equal) return false;
    return stretch.start != nullptr;
  }
  // Where they are.
  WM_HD R stretch_value(int level, StretchValue value) const {
    return stretch[(level + ghosts) * stretch_values + value];
  }
  WM_HD R middle_zeta(int level) const {
    return stretched() ? stretch_value(level, t_middle) : even_zeta(level, R(0.5));
  }
  WM_HD R face_zeta(int level) const {
    return stretched() ? stretch_value(level, t_face) : even_zeta(level, R(0));
  }
  WM_HD R thickness_zeta(int level) const {
    return stretched() ? stretch_value(level, t_thickness) : spacing_zeta;
  }
  // Between the middles of a level and the one below.
  WM_HD R distance_zeta(int level) const {
    return stretched() ? stretch_value(level, t_distance) : spacing_zeta;
  }
  // 1 - zeta/H of a lower face, and in the middle of a level.
  WM_HD R decay(int level) const { return R(1) - face_zeta(level) * inverse_depth; }
  WM_HD R middle_decay(int level) const { return R(1) - middle_zeta(level) * inverse_depth; }

  // z in the middle of a cell, and on its lower face along an axis.
  template <class T>
  WM_HD T cell_height(Place at) const {
    return height<T>(at, c_middle, middle_zeta(at.k));
  }
  template <int axis, class T>
  WM_HD T face_height(Place at) const {
    constexpr ColumnValue value = axis == 0 ? c_face_x : axis == 1 ? c_face_y : c_middle;
    return height<T>(at, value, axis == 2 ? face_zeta(at.k) : middle_zeta(at.k));
  }

  template <bool over_terrain, class T>
  WM_HD Reference<T> cell(Place at) const {
    if constexpr (over_terrain) {
      return reference_at(cell_height<T>(at));
    } else {
      return level<T>(at.k, l_cell_rho);
    }
  }
  template <bool over_terrain, int axis, class T>
  WM_HD Reference<T> face(Place at) const {
    if constexpr (over_terrain) {
      return reference_at(face_height<axis, T>(at));
    } else {
      return level<T>(at.k, axis == 2 ? l_face_rho : l_cell_rho);
    }
  }
  // Slope of the lower face of a cell.
  template <bool over_terrain, class T>
  WM_HD Slope<T> slope(Place at) const {
    if constexpr (over_terrain) {
      const R d = decay(at.k);
      return {d * column<T>(c_slope_x, at), d * column<T>(c_slope_y, at)};
    } else {
      return {T(R(0)), T(R(0))};
    }
  }
  WM_HD R level_value(int level, LevelValue value) const {
    return levels[(level + ghosts) * level_values + value];
  }

  // Where one loop serves both meshes.
  template <class T>
  WM_HD Reference<T> any_cell(Place at) const {
    return terrain ? cell<true, T>(at) : cell<false, T>(at);
  }
  template <class T>
  WM_HD T theta(Place at) const {
    if (!terrain) return T(level_value(at.k, l_cell_theta));
    return theta_at(cell_height<T>(at));
  }
  template <class T>
  WM_HD T theta_at(const T& z) const {
    return cubic(interval_of(z), f_theta);
  }
  template <class T>
  WM_HD T any_height(Place at) const {
    return terrain ? cell_height<T>(at) : T(bottom + middle_zeta(at.k));
  }
  template <class T>
  WM_HD T any_thickness(Place at) const {
    return terrain ? thickness<T>(c_middle, at) : T(R(1));
  }
  // Volume over that of a cell of the flat mesh with equal levels.
  template <class T>
  WM_HD T any_volume(Place at) const {
    const T part = any_thickness<T>(at);
    return stretched() ? part * stretch_value(at.k, t_volume) : part;
  }

 private:
  template <class T>
  struct Interval {
    T first, part;  // element of its first number; 0 to 1 within it
  };
  template <class T>
  WM_HD Interval<T> interval_of(const T& z) const {
    const T x = max_((z - profile_lower) * inverse_step, T(R(0)));
    const T n = min_(floor_(x), T(last_interval));
    return {n * R(4 * profile_values), x - n};
  }
  template <class T>
  WM_HD T cubic(const Interval<T>& at, ProfileValue value) const {
    const Vec<T, 4> c = gather_four<T>(profile + 4 * value, at.first);
    T sum = c[3];
    for (int n = 2; n >= 0; --n) sum = fma_(sum, at.part, c[n]);
    return sum;
  }
  template <class T>
  WM_HD Reference<T> level(int k, LevelValue first) const {
    return {T(level_value(k, first)), T(level_value(k, LevelValue(first + 1))),
            T(level_value(k, LevelValue(first + 2)))};
  }
  WM_HD R even_zeta(int level, R offset) const {
    return ((first_level + R(level)) + offset) * spacing_zeta;
  }
  template <class T>
  WM_HD T height(Place at, ColumnValue value, R zeta) const {
    return height(column<T>(value, at), zeta);
  }
  template <class T>
  WM_HD T height(const T& h, R zeta) const {
    return fma_(h, T(R(1) - zeta * inverse_depth), T(bottom + zeta));
  }
};

}  // namespace watersmeet::atmosphere
