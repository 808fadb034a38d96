#pragma once
// Boundary conditions as states beyond the boundary. Interior states are those of the cells along
// the line through a ghost cell, `depth` 0 next to the boundary; ghost layer 0 likewise. u_n is the
// velocity along the outward normal, 0 marks cell 0, p what is prescribed. u_n + 2 c leaves with
// the waves that reach the boundary, u_n - 2 c comes in from beyond.
//
//   wall     mirror image, normal velocity negated
//   open     the state of cell 0
//   inflow   the prescribed surface and velocity: for flow that comes in faster than waves
//   level    the prescribed surface; u_n = u_n0 + 2 c_0 - 2 c_p, but no faster inwards than c_p: a
//            level says nothing of water that comes in faster than its waves, as over dry ground
//   flow     the prescribed velocity; c = c_0 + (u_n0 - u_np)/2
//   far      what comes in is that of the prescribed surface and velocity: waves leave freely;
//            u_n = (u_n0 + u_np)/2 + c_0 - c_p, c = (c_0 + c_p)/2 + (u_n0 - u_np)/4
//
// Where water leaves faster than its waves, level, flow and far take the state of cell 0. The
// velocity along the boundary is that of cell 0 where water leaves and the prescribed one where it
// enters.
//
// The bed beyond a wall is the mirror image. Beyond another side it continues with the slope that it
// has there, and the surface with the slope that balances friction, g eta_n = -c_f u_n, so that
// water that runs down a slope as fast as friction lets it passes a side undisturbed, and water at
// rest stays level:
//
//    outermost cell       side       ghost 0            ghost 1
//         eta              |       eta + sigma       eta + 2 sigma     sigma = -c_f u_n dx/g
//          b               |          b + r             b + 2 r        r: rise of the bed per cell
//
// A prescribed surface is that at the side, half a cell from either. Where r would make a ghost
// shallower than a quarter of the depth here or deeper than three times it, it is less.

#include <cstddef>
#include <cstdint>

#include "core/mirror.hpp"
#include "core/table_address.hpp"
#include "systems/shallow_water/riemann.hpp"

namespace watersmeet::shallow_water {

// none: the side is linked to other cells, or its axis has one cell.
enum class BoundaryKind : std::uint8_t { none, wall, open, inflow, level, flow, far };

// What is prescribed at one cell of a side.
template <class T>
struct Prescribed {
  T eta, u, v;
};

template <class T>
WM_HD Primitive<T> exterior_point(BoundaryKind kind, const Primitive<T>& w,
                                  const Prescribed<T>& far, int axis, RealOf<T> outward,
                                  RealOf<T> g) {
  using R = RealOf<T>;
  if (kind == BoundaryKind::wall || kind == BoundaryKind::open) {
    Primitive<T> mirror = w;
    if (kind == BoundaryKind::wall) mirror_component(mirror, w_u + axis);
    return mirror;
  }
  const T bed = w[w_bed], none = T(R(0));
  const T u_far[2] = {far.u, far.v};
  if (kind == BoundaryKind::inflow) return {{max_(far.eta, bed), far.u, far.v, bed}};
  const T h = max_(w[w_eta] - bed, none), h_far = max_(far.eta - bed, none);
  const T c = celerity_of(h, g), c_far = celerity_of(h_far, g);
  const T u = outward * w[w_u + axis], u_p = outward * u_far[axis];
  T normal = u_p, over = R(0.5) * (u - u_p);  // c beyond the boundary less c
  if (kind == BoundaryKind::level) {
    over = c_far - c;
    normal = max_(u - R(2) * over, -c_far);
  } else if (kind == BoundaryKind::far) {
    over = R(0.25) * (u - u_p) + R(0.5) * (c_far - c);
    normal = R(0.5) * (u + u_p) + (c - c_far);
  }
  over = max_(over, -c);
  // From the difference, so that water at rest is continued to the last bit.
  T eta = w[w_eta] + over * (over + R(2) * c) * (R(1) / g);
  if (kind == BoundaryKind::level) eta = max_(far.eta, bed);
  const auto fast = u > c;
  Primitive<T> ghost = w;
  ghost[w_eta] = select(fast, w[w_eta], max_(eta, bed));
  const auto leaves = normal >= none;
  ghost[w_u + axis] = select(fast, w[w_u + axis], outward * normal);
  ghost[w_v - axis] = select(or_(fast, leaves), w[w_v - axis], u_far[1 - axis]);
  return ghost;
}

// The condition of one side. What it prescribes is known at its cells and, where the other axis has
// ghosts, at one more behind either end.
template <class R>
struct BoundarySide {
  BoundaryKind kind = BoundaryKind::none;
  TableAddress<R> prescribed;  // [eta, u, v][cell], or null
  std::int64_t cells = 0;      // of that table, the ends included
  int beyond = 0;              // 1: the table begins at the cell before the first
};

// The sides of a part.
template <class R>
struct PlaneSides {
  Vec<BoundarySide<R>, 4> side{};  // 2 axis + (upper)
  bool any = false;
  // Fills ghosts behind the edges of the block too, one axis after the other.
  bool edges = false;

  // The wanted sides of the rows from `first` on. number: bytes of one in the tables.
  template <class Wanted>
  PlaneSides of_rows(const Index3& first, const Wanted& wanted, std::size_t number) const {
    PlaneSides rows;
    rows.edges = edges;
    for (int s = 0; s < 4; ++s) {
      if (!wanted[static_cast<std::size_t>(s)] || side[s].kind == BoundaryKind::none) continue;
      rows.side[s] = side[s];
      rows.any = true;
      if (s / 2 == 1 || side[s].prescribed.start == nullptr) continue;
      rows.side[s].prescribed.start = static_cast<const std::byte*>(side[s].prescribed.start) +
                                      static_cast<std::size_t>(first[1]) * number;
    }
    return rows;
  }
};

// Parameters of the water at the sides.
template <class R>
struct SideParameters {
  R gravity = 0;
  R dry_depth = 0;  // 0 where no cell may be dry
  Vec<R, 2> spacing{};
  Friction<R> friction;
};

// Whether a side of the block has a condition, and lies across `axis` (-1: any).
template <class R>
WM_HD bool has_condition(const PlaneSides<R>& sides, int s, int axis = -1) {
  return s < 4 && sides.side[s].kind != BoundaryKind::none && (axis < 0 || s / 2 == axis);
}

// The ghost cells of a block as the ghost form asks for them (exec/boundary.hpp), in stored values.
template <class R>
struct Exterior {
  static constexpr int variables = n_variables;
  static constexpr int radius = 2;
  PlaneSides<R> sides;  // with `edges` they extend past their ends (exec/boundary.hpp, around = 1)
  int only_axis = -1;   // whose sides are filled; -1: of both
  SideParameters<R> p;
  const R* start = nullptr;  // cell (0, 0, 0)
  R* bed_start = nullptr;  // of a congruent register, whose ghosts are written too; null: flat at 0

  WM_HD bool has(int s) const { return has_condition(sides, s, only_axis); }

  template <class Line>
  WM_HD Conserved<R> operator()(int s, std::int64_t cell, int layer, const Line& line) const {
    const BoundarySide<R>& here = sides.side[s];
    const int depth = here.kind == BoundaryKind::wall ? layer : 0, axis = s / 2;
    Conserved<R> stored;
    for (int v = 0; v < n_variables; ++v) stored[v] = line(v, depth);
    const std::int64_t at = line.outermost - start;
    if (here.kind == BoundaryKind::wall) {
      mirror_component(stored, s_hu + axis);
      // Behind the end of another side too, which has just continued the bed there.
      if (bed_start)
        bed_start[at - (layer + 1) * line.inward] = bed_start[at + depth * line.inward];
      return stored;
    }
    const R bed = bed_start ? bed_start[at] : R(0);
    const R rise = bed_start ? bed - bed_start[at + line.inward] : R(0);
    const R outward = s % 2 == 1 ? R(1) : R(-1);
    const Primitive<R> w = primitive_of(stored, bed, p.dry_depth);
    Prescribed<R> far = {R(0), R(0), R(0)};
    if (here.kind != BoundaryKind::open) {
      const R* const values = here.prescribed + (sides.edges ? 0 : here.beyond);
      far = {values[cell], values[here.cells + cell], values[2 * here.cells + cell]};
    }
    R slope = 0;
    if (p.friction.any()) {
      Primitive<R> flowing = w;
      if (here.kind == BoundaryKind::inflow) {
        flowing = {{far.eta, far.u, far.v, bed + R(0.5) * rise}};
      }
      slope = friction_rise(flowing, axis, outward, abs_(rise));
    }
    far.eta = far.eta - R(0.5) * slope;
    const Primitive<R> beyond = exterior_point(here.kind, w, far, axis, outward, p.gravity);
    const R h = max_(depth_of(beyond), R(0)), deeper = slope - rise, cells = R(layer + 1);
    const R change = cells * max_(R(-0.375) * h, min_(deeper, h));
    Primitive<R> ghost = beyond;
    if (bed_start) {
      ghost[w_eta] = beyond[w_eta] + cells * slope;
      ghost[w_bed] = bed + (cells * slope - change);
      bed_start[at - (layer + 1) * line.inward] = ghost[w_bed];
    } else {
      ghost[w_eta] = beyond[w_eta] + change;
    }
    return conserved_of(ghost);
  }

 private:
  // From cell to cell outward, where friction and the slope of the surface are in balance; no more
  // than that of the bed or half the depth.
  WM_HD R friction_rise(const Primitive<R>& w, int axis, R outward, R steepest) const {
    const R h = depth_of(w);
    if (!(h > p.dry_depth)) return R(0);
    const R c = friction_rate(h, speed_of(FlatMetric{}, w), p.friction);
    const R rise = -c * (outward * w[w_u + axis]) * (p.spacing[axis] / p.gravity);
    const R most = max_(steepest, R(0.5) * h);
    return max_(-most, min_(rise, most));
  }
};

// The bed behind the same sides.
template <class R>
struct BedExterior {
  static constexpr int variables = 1;
  static constexpr int radius = 2;
  PlaneSides<R> sides;
  int only_axis = -1;
  WM_HD bool has(int s) const { return has_condition(sides, s, only_axis); }
  template <class Line>
  WM_HD Vec<R, 1> operator()(int s, std::int64_t, int layer, const Line& line) const {
    return {{line(0, sides.side[s].kind == BoundaryKind::wall ? layer : 0)}};
  }
};

}  // namespace watersmeet::shallow_water
