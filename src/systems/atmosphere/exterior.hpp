#pragma once
// Ghost cells behind the sides of a part, from the cells along the line through them, `depth` 0
// next to the boundary; ghost layer 0 likewise.
//
//   wall     (lateral) the mirror image: a wall without friction, or a plane of symmetry
//   open     (lateral) the departures of cell 0, or with the pressure that the case gives
//   inflow   (lateral) density, velocity and pressure that the case gives, where that velocity
//            points into the box; else as open
//   ground, lid   rho' and p' on the straight line through cells 0 and 1, because gravity bends
//                 them; the velocity mirrored about the face. The flux of the wall itself takes
//                 nothing from here (flow.hpp).
//
// The terrain continues beyond the box as its mirror image.

#include <cstdint>

#include "core/mirror.hpp"
#include "systems/atmosphere/medium.hpp"

namespace watersmeet::atmosphere {

// none: the side is linked to other cells, or its axis has one cell.
enum class BoundaryKind : std::uint8_t { none, wall, open, inflow };

// What the case gives at each cell of a side: departures of density and pressure, and the velocity.
enum BeyondValue : int { b_rho, b_u, b_v, b_w, b_p, beyond_values };

struct BoundaryCall {
  BoundaryKind side[6] = {};  // 2 axis + (upper); ground and lid are walls
  // Of lateral sides, [beyond_values][k][cell along the side], or none.
  TableAddress<double> beyond[4];
  bool any = false;
  bool edges = false;  // sides extend behind their ends (exec/boundary.hpp, around = 1)
};

// fill(axis, around): once for all sides (axis -1), or one axis after the other where edges count.
template <class Fill>
void for_each_pass(const BoundaryCall& boundaries, const Fill& fill) {
  if (!boundaries.any) return;
  if (!boundaries.edges) return fill(-1, 0);
  for (int axis = 0; axis < 3; ++axis) fill(axis, 1);
}

template <class R>
struct Exterior {
  static constexpr int variables = n_variables;
  static constexpr int radius = ghosts;
  BoundaryKind side[6];
  TableAddress<R> beyond[4];
  Medium<R> medium;
  R gamma = 0;
  int cells[3] = {1, 1, 1};   // of the part
  int around[3] = {0, 0, 0};  // cells by which sides extend along an axis
  int only_axis = -1;         // whose sides are filled; -1: of all

  WM_HD bool has(int s) const {
    return side[s] != BoundaryKind::none && (only_axis < 0 || s / 2 == only_axis);
  }

  template <class Line>
  WM_HD Conserved<R> operator()(int s, std::int64_t cell, int layer, const Line& line) const {
    const int axis = s / 2;
    if (axis == 2) return beyond_level(s == 5, cell, layer, line);
    Conserved<R> value = stored(line, side[s] == BoundaryKind::wall ? layer : 0);
    if (side[s] == BoundaryKind::wall) {
      mirror_component(value, s_mx + axis);
      return value;
    }
    const bool given = beyond[s].start != nullptr;
    if (!medium.terrain && !given) return value;
    // The same departures on another height, or those of the case.
    const Row row = row_of(cell, 1 - axis);
    const int across = row.first, k = row.second - around[2];
    const Reference<R> from = at_depth(s, across, k, 0), to = at_depth(s, across, k, -1 - layer);
    Primitive<R> departures = primitive_of(FlatMetric{}, value, from, gamma);
    if (given) departures[w_p] = value_beyond(s, cell, b_p);
    if (side[s] == BoundaryKind::inflow && comes_in(s, cell)) {
      departures[w_rho] = value_beyond(s, cell, b_rho);
      for (int a = 0; a < 3; ++a) departures[w_u + a] = value_beyond(s, cell, b_u + a);
    }
    return conserved_of(FlatMetric{}, departures, to, gamma);
  }

 private:
  WM_HD R value_beyond(int s, std::int64_t cell, int value) const {
    const R* const values = beyond[s];
    return values[std::int64_t{value} * cells[1 - s / 2] * cells[2] + cell];
  }
  // Whether what the case gives flows into the box.
  WM_HD bool comes_in(int s, std::int64_t cell) const {
    const R along = value_beyond(s, cell, b_u + s / 2);
    return s % 2 == 1 ? along < R(0) : along > R(0);
  }
  template <class Line>
  WM_HD static Conserved<R> stored(const Line& line, int depth) {
    Conserved<R> value;
    for (int v = 0; v < n_variables; ++v) value[v] = line(v, depth);
    return value;
  }
  // The reference of the cell `depth` inside a lateral side; `across` counts its cells along the
  // other lateral axis, k its levels.
  WM_HD Reference<R> at_depth(int s, int across, int k, int depth) const {
    const int axis = s / 2, along = s % 2 == 1 ? cells[axis] - 1 - depth : depth;
    return medium.template any_cell<R>(axis == 0 ? Place{along, across, k}
                                                 : Place{across, along, k});
  }

  // The place of a cell of a side: its index along `axis`, the lower one of the side, and the number of its
  // row, those behind the ends included.
  struct Row {
    int first, second;
  };
  WM_HD Row row_of(std::int64_t cell, int axis) const {
    const int width = cells[axis] + 2 * around[axis];
    const int row = static_cast<int>(cell / width);
    return {static_cast<int>(cell - std::int64_t{row} * width) - around[axis], row};
  }

  template <class Line>
  WM_HD Conserved<R> beyond_level(bool lid, std::int64_t cell, int layer, const Line& line) const {
    const Row row = row_of(cell, 0);
    const int i = row.first, j = row.second - around[1];
    const auto level = [&](int depth) { return lid ? cells[2] - 1 - depth : depth; };
    const auto point = [&](int depth) {
      return primitive_of(FlatMetric{}, stored(line, depth),
                          medium.template any_cell<R>(Place{i, j, level(depth)}), gamma);
    };
    const Primitive<R> first = point(0), second = point(1), image = point(layer);
    const Place wall{i, j, lid ? cells[2] : 0};
    const Slope<R> slope = medium.terrain ? medium.template slope<true, R>(wall)
                                          : medium.template slope<false, R>(wall);
    // V - 2 (V.n) n with n along (-z_x, -z_y, 1).
    const R through = image[w_w] - slope.x * image[w_u] - slope.y * image[w_v];
    const R twice = R(2) * through * rcp_(R(1) + slope.x * slope.x + slope.y * slope.y);
    R steps = R(layer + 1);
    if (medium.stretched()) {
      const R own = medium.middle_zeta(level(0));
      steps = (medium.middle_zeta(level(-1 - layer)) - own) / (own - medium.middle_zeta(level(1)));
    }
    const Primitive<R> ghost{{first[w_rho] + steps * (first[w_rho] - second[w_rho]),
                              image[w_u] + twice * slope.x, image[w_v] + twice * slope.y,
                              image[w_w] - twice, first[w_p] + steps * (first[w_p] - second[w_p])}};
    return conserved_of(FlatMetric{}, ghost,
                        medium.template any_cell<R>(Place{i, j, level(-1 - layer)}), gamma);
  }
};

}  // namespace watersmeet::atmosphere
