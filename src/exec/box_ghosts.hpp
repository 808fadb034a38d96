#pragma once
// The ghost form for a box with conditions that are affine in the interior value: all ghosts of all
// variables of a staggered block in one launch, edges and corners included. One ghost layer.
//
//     gh = factor * in + constant       `in`: the interior value next to the side, on the same line
//
// A variable that lives on the low faces along an axis has its wall values on the faces themselves:
//
//     x lower wall                              x upper wall
//     u(0)  u(1)  u(2)           u(n-1)  u(n)
//      |--o--|--o--|-- ... --o--|--o--|          o  cell centres
//     cell 0                     cell n-1        u(n) lies in the ghost layer, u(0) in cell 0
//
// There the value is the constant alone, for u(0) as for u(n) (and u(-1), which is not needed).
// Behind an edge the rules of the axes are composed, periodic wraps first, then x, y and z, so that
// every ghost cell is made from one interior cell and none has to wait for another. Sides that are
// linked to other blocks are filled before, by an exchange (comm/exchange.hpp).
//
// An open side lets flow pass both ways. The velocity across it is an unknown that the caller keeps
// in a plane of faces and one face around them, and which these loops copy to the faces of the
// block; the other variables follow where the flow goes:
//
//     gh = in + weight (in - next)            where it leaves
//     gh = in + 2 weight (constant - in)      where it enters
//     weight = u / (u + factor)               u: velocity across, factor: 2 kappa / h
//
// In between both are in. Weight 1 is extrapolation along the line (with gh = in a centred scheme
// would carry values out of the last cell at half the velocity), and the constant on the face; with
// the weight what enters, carried and diffused together, is u times the constant (P. V. Danckwerts,
// Chem. Eng. Sci. 2 (1953) 1-13), and nothing jumps where the flow turns.
//
// The velocity that decides is that of the side's face, for a component along the side the mean of
// the two faces at its place.
//
// The constants of a side are one number or a table over its cells and one cell around them, the
// lower of the two other axes fastest. Loops: box_ghosts_cpu.hpp, box_ghosts_cuda.hpp.

#include <cstdint>

#include "core/block_layout.hpp"

namespace watersmeet::exec {

enum class SideKind : int { linked, periodic, affine, open };

// Sides that have rules, and the faces of the variables across them with them.
WM_HD constexpr bool has_rules(SideKind kind) {
  return kind == SideKind::affine || kind == SideKind::open;
}

template <class R>
struct AffineRule {
  R factor = R(1), constant = R(0);
  const R* table = nullptr;  // instead of the constant
};

// The velocity across an open side: face (0, 0) and the step along the higher of the two axes.
template <class R>
struct FacePlane {
  const R* first = nullptr;
  std::int64_t stride = 0;
  WM_HD R at(int p, int q) const { return first[p + q * stride]; }
};

// Sides are numbered 2 axis + (upper).
template <class R, int n_variables>
struct BoxRules {
  static constexpr int variables = n_variables;
  int n[3] = {1, 1, 1};
  std::int64_t stride[3] = {1, 0, 0}, stride_var = 0;
  SideKind kind[6] = {};
  int normal[n_variables] = {};  // axis on whose low faces the variable lives, or -1
  AffineRule<R> rule[6][n_variables];
  FacePlane<R> plane[6];  // of open sides
};

// Part of a launch: ghost cells, or wall faces in the first layer of cells.
struct GhostBox {
  int lower[3] = {0, 0, 0}, size[3] = {0, 0, 0};
  std::int64_t begin = 0;       // cells of the boxes before
  unsigned variables = ~0u;     // bit v: variable v is written
  bool faces_in_cells = false;  // wall faces, not ghosts
  WM_HD std::int64_t cells() const { return std::int64_t(size[0]) * size[1] * size[2]; }
};
struct GhostBoxes {
  GhostBox box[15];
  int count = 0;
  std::int64_t cells = 0;
  void add(GhostBox b) {
    b.begin = cells;
    if (b.cells() == 0) return;
    cells += b.cells();
    box[count++] = b;
  }
};

namespace detail {
template <class R, int V>
unsigned normal_variables(const BoxRules<R, V>& rules, int axis) {
  unsigned bits = 0;
  for (int v = 0; v < V; ++v) bits |= rules.normal[v] == axis ? 1u << v : 0u;
  return bits;
}
// The lower wall faces, which are in cells.
template <class R, int V>
void add_wall_faces(const BoxRules<R, V>& rules, GhostBoxes& boxes) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!has_rules(rules.kind[2 * axis])) continue;
    GhostBox b;
    for (int a = 0; a < 3; ++a) b.size[a] = a == axis ? 1 : rules.n[a];
    b.variables = normal_variables(rules, axis);
    b.faces_in_cells = true;
    if (b.variables != 0) boxes.add(b);
  }
}
}  // namespace detail

// Everything that the rules define: ghosts of the first `count` variables and wall faces.
template <class R, int V>
GhostBoxes all_ghosts(const BoxRules<R, V>& rules, const BlockLayout& layout, int count = V) {
  GhostBoxes boxes;
  unsigned wanted = 0, centred = 0;
  for (int v = 0; v < count; ++v) {
    wanted |= 1u << v;
    if (rules.normal[v] < 0) centred |= 1u << v;
  }
  bool any = false;
  for (int s = 0; s < 6; ++s) {
    any = any || (layout.ghosts[s / 2] > 0 && rules.kind[s] != SideKind::linked);
  }
  if (!any) return boxes;
  for (int axis = 2; axis >= 0; --axis) {
    if (layout.ghosts[axis] == 0) continue;
    for (int upper = 0; upper < 2; ++upper) {
      GhostBox b;
      for (int a = 0; a < 3; ++a) {
        const int around = a < axis && layout.ghosts[a] > 0 ? 1 : 0;
        b.lower[a] = a == axis ? (upper ? rules.n[a] : -1) : -around;
        b.size[a] = a == axis ? 1 : rules.n[a] + 2 * around;
      }
      b.variables = wanted;
      boxes.add(b);
      if (layout.ghosts[axis] < 2 || rules.n[axis] < 2) continue;
      for (int a = 0; a < 3; ++a) {
        b.lower[a] = a != axis ? 0 : upper ? rules.n[a] + 1 : -2;
        b.size[a] = a == axis ? 1 : rules.n[a];
      }
      b.variables = centred;
      boxes.add(b);
    }
  }
  detail::add_wall_faces(rules, boxes);
  return boxes;
}

// What a divergence reads beyond the cells: the upper faces of the normal variables, and the wall
// faces.
template <class R, int V>
GhostBoxes face_ghosts(const BoxRules<R, V>& rules, const BlockLayout& layout) {
  GhostBoxes boxes;
  for (int axis = 0; axis < 3; ++axis) {
    if (layout.ghosts[axis] == 0 || rules.kind[2 * axis + 1] == SideKind::linked) continue;
    GhostBox b;
    for (int a = 0; a < 3; ++a) {
      b.lower[a] = a == axis ? rules.n[a] : 0;
      b.size[a] = a == axis ? 1 : rules.n[a];
    }
    b.variables = detail::normal_variables(rules, axis);
    boxes.add(b);
  }
  detail::add_wall_faces(rules, boxes);
  return boxes;
}

// The number of a rule at indices of the two axes beside that of its side.
template <class R, int V>
WM_HD R constant_of(const BoxRules<R, V>& rules, const AffineRule<R>& rule, int axis,
                    const int (&at)[3]) {
  if (!rule.table) return rule.constant;
  const int b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
  return rule.table[(at[b] + 1) + std::int64_t(rules.n[b] + 2) * (at[c] + 1)];
}

// Velocity out of an open side at the place of a variable that does not stand on it.
template <class R, int V>
WM_HD R outflow(const BoxRules<R, V>& rules, int side, int var, const int (&at)[3]) {
  const int axis = side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
  const FacePlane<R>& plane = rules.plane[side];
  R velocity = plane.at(at[b], at[c]);
  int p = at[b], q = at[c];
  if (rules.normal[var] == b && p >= 0) p -= 1;
  if (rules.normal[var] == c && q >= 0) q -= 1;
  velocity = R(0.5) * (velocity + plane.at(p, q));
  return side % 2 == 0 ? -velocity : velocity;
}

// A ghost behind an open side from the two values next to it.
template <class R>
WM_HD R open_ghost(R outward, R factor, R constant, R inside, R next) {
  const R speed = outward < R(0) ? -outward : outward;
  const R weight = speed > R(0) ? speed / (speed + factor) : R(0);
  return inside + weight * (outward < R(0) ? R(2) * (constant - inside) : inside - next);
}

// The value of a variable at a place outside, by the rules of an axis and those after it; behind a side
// both layers have the same. Periodic axes are wrapped before.
template <int axis, class R, int V>
WM_HD R value_along(const R* first, const BoxRules<R, V>& rules, int var, int (&at)[3]) {
  if constexpr (axis == 3) {
    return first[var * rules.stride_var + at[0] * rules.stride[0] + at[1] * rules.stride[1] +
                 at[2] * rules.stride[2]];
  } else {
    const int was = at[axis], n = rules.n[axis];
    const bool on_face = rules.normal[var] == axis;
    const bool below = has_rules(rules.kind[2 * axis]) && (was < 0 || (on_face && was == 0));
    const bool above = has_rules(rules.kind[2 * axis + 1]) && was >= n;
    if (!below && !above) return value_along<axis + 1>(first, rules, var, at);
    const int side = 2 * axis + (above ? 1 : 0);
    const AffineRule<R>& rule = rules.rule[side][var];
    const bool open = rules.kind[side] == SideKind::open;
    if (on_face) {
      const int b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
      return open ? rules.plane[side].at(at[b], at[c]) : constant_of(rules, rule, axis, at);
    }
    const R constant = constant_of(rules, rule, axis, at);
    const R outward = open ? outflow(rules, side, var, at) : R(0);
    at[axis] = above ? n - 1 : 0;
    const R inside = value_along<axis + 1>(first, rules, var, at);
    R next = R(0);
    if (open) {
      at[axis] = above ? n - 2 : 1;
      next = value_along<axis + 1>(first, rules, var, at);
    }
    at[axis] = was;
    return open ? open_ghost(outward, rule.factor, constant, inside, next)
                : constant + rule.factor * inside;
  }
}

template <class R, int V>
WM_HD int wrapped(const BoxRules<R, V>& rules, int axis, int at) {
  if (rules.kind[2 * axis] != SideKind::periodic) return at;
  return at < 0 ? at + rules.n[axis] : at >= rules.n[axis] ? at - rules.n[axis] : at;
}

// The same by all rules. `first`: cell (0, 0, 0) of variable 0.
template <class R, int V>
WM_HD R value_by_rules(const R* first, const BoxRules<R, V>& rules, int var, int i, int j, int k) {
  int at[3] = {wrapped(rules, 0, i), wrapped(rules, 1, j), wrapped(rules, 2, k)};
  return value_along<0>(first, rules, var, at);
}

// Whether an index lies outside along an axis, where its rules say what is there.
template <class R, int V>
WM_HD bool outside_by_rules(const BoxRules<R, V>& rules, int axis, int at) {
  return (at < 0 && rules.kind[2 * axis] != SideKind::linked) ||
         (at >= rules.n[axis] && rules.kind[2 * axis + 1] != SideKind::linked);
}

// Fills one cell of a box of a launch.
template <class R, int V>
WM_HD void fill_ghost_cell(R* first, const BoxRules<R, V>& rules, const GhostBox& box,
                           std::int64_t cell) {
  // A side has fewer than 2^32 cells, and a GPU divides numbers of 32 bits by far fewer operations.
  const unsigned row = unsigned(cell) / unsigned(box.size[0]);
  const unsigned plane = row / unsigned(box.size[1]);
  const int i = box.lower[0] + int(unsigned(cell) - row * unsigned(box.size[0]));
  const int j = box.lower[1] + int(row - plane * unsigned(box.size[1]));
  const int k = box.lower[2] + int(plane);
  const int at[3] = {i, j, k};
  bool ours = box.faces_in_cells;
  for (int a = 0; a < 3; ++a) ours = ours || outside_by_rules(rules, a, at[a]);
  if (!ours) return;
  R* const to = first + i * rules.stride[0] + j * rules.stride[1] + k * rules.stride[2];
  for (int v = 0; v < V; ++v) {
    if ((box.variables >> v & 1u) != 0)
      to[v * rules.stride_var] = value_by_rules(first, rules, v, i, j, k);
  }
}

}  // namespace watersmeet::exec
