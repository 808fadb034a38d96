#pragma once
// The velocity across an open side, an unknown of its own: it obeys the momentum equation of the
// half cell between the face and the centre of the cell behind it,
//
//        face      centre     next face
//    out  |u_0---------o---------|u_1       du_0/dt = -(F_c - F_0)/(h/2) - tangential fluxes
//         |<-- h/2 --->|                              + nu lap u_0 + buoyancy + ... - (G p)_0
//
// with F_c = ((u_0 + u_1)/2)^2 as everywhere and, on the face itself,
//
//    F_0 = u_0^2      where the fluid leaves,
//    F_0 = u_0^2 / 2  where it enters;   nu du/dn = 0;   p = 0.
//
// The divergence of the half cell is that of its cell, so that kinetic energy passes the face by
// u_0^3/2 outwards and never inwards: p + u_0^2/2 = 0 where fluid enters is Bernoulli's equation
// with fluid at rest outside, without which such sides feed on their own inflow (directional
// do-nothing condition: M. Braack and P. B. Mucha, J. Comput. Math. 32 (2014) 507-521). Linear
// around a uniform outflow U it is du_0/dt = -U (u_0 - u_1)/h: advection upwind, stable where the
// inner scheme is.
//
// Velocities are kept in planes over the two other axes, the lower one contiguous, with one face
// around them. Loops: kernels_cpu.hpp, kernels_cuda.hpp.

#include <cstdint>

#include "exec/box_ghosts.hpp"
#include "exec/cell.hpp"
#include "systems/boussinesq/equations.hpp"

namespace watersmeet::boussinesq {

template <class R>
struct OpenSide {
  int side = 0;                                        // 2 axis + (upper)
  int n[2] = {1, 1};                                   // faces along the two other axes
  std::int64_t stride = 0;                             // along the second one
  R *now = nullptr, *next = nullptr, *rate = nullptr;  // face (0, 0); rate of the stage before
  const R* force = nullptr;  // acceleration that varies in space, like the planes, or null
  // Rates of the case's sources, which stand where the velocity of these faces does among cells and ghosts: cell (0, 0, 0) of the register that
  // the stage writes, or null.
  const R* sources = nullptr;
  WM_HD std::int64_t faces() const { return std::int64_t(n[0]) * n[1]; }
  WM_HD std::int64_t faces_around() const { return std::int64_t(n[0] + 2) * (n[1] + 2); }
};

template <class R>
struct OpenSides {
  OpenSide<R> side[6];
  int count = 0;
  bool wraps[3] = {false, false, false};  // periodic axes that no other rank continues
  WM_HD std::int64_t faces() const {
    std::int64_t sum = 0;
    for (int s = 0; s < count; ++s) sum += side[s].faces();
    return sum;
  }
  WM_HD std::int64_t faces_around() const {
    std::int64_t sum = 0;
    for (int s = 0; s < count; ++s) sum += side[s].faces_around();
    return sum;
  }
};

// A face of one of the sides and the cell behind it.
template <class R>
struct OpenFace {
  const OpenSide<R>* side = nullptr;
  int axis, b, c;   // b < c: the two other axes
  int p, q;         // indices along them
  int inward;       // 1 at a lower side, -1 at an upper one
  std::int64_t at;  // in the planes
  int cell[3];

  WM_HD OpenFace(const OpenSide<R>& s, int along_b, int along_c, const int (&n)[3])
      : side(&s),
        axis(s.side / 2),
        b(axis == 0 ? 1 : 0),
        c(axis == 2 ? 1 : 2),
        p(along_b),
        q(along_c),
        inward(s.side % 2 == 0 ? 1 : -1),
        at(p + q * s.stride) {
    cell[axis] = inward > 0 ? 0 : n[axis] - 1;
    cell[b] = p;
    cell[c] = q;
  }
  // Index of the face along its axis.
  WM_HD int face() const { return inward > 0 ? cell[axis] : cell[axis] + 1; }
};

// Number `index` of the faces of all sides.
template <class R>
WM_HD OpenFace<R> open_face(const OpenSides<R>& sides, std::int64_t index, const int (&n)[3]) {
  int s = 0;
  while (s + 1 < sides.count && index >= sides.side[s].faces()) index -= sides.side[s++].faces();
  const int row = sides.side[s].n[0];
  return OpenFace<R>(sides.side[s], int(index % row), int(index / row), n);
}

// Values of a block of the state around a face.
template <class R, class M = Metrics<R>>
struct OpenBlock {
  M m;
  int n[3] = {1, 1, 1};
  std::int64_t stride[3] = {1, 0, 0}, stride_var = 0;

  WM_HD R inverse_width(int axis, int cell) const { return m.over_width_at(axis, cell); }
  WM_HD R inverse_distance(int axis, int face) const { return m.over_distance_at(axis, face); }
  // The value in the cell behind a face, moved by `by` along an axis.
  WM_HD R value(const R* first, int var, const OpenFace<R>& f, int along, int by) const {
    return first[var * stride_var + f.cell[0] * stride[0] + f.cell[1] * stride[1] +
                 f.cell[2] * stride[2] + by * stride[along]];
  }
};

// Advances the velocity of open faces by a stage: next <- now + dt (...). Without history the plane
// `rate` holds the velocity at the beginning of the step, and stages are of the form `base`.
template <class R, Advection advection, bool keeps_history, class M = Metrics<R>>
struct AdvanceOpen {
  static constexpr bool history = keeps_history;
  OpenBlock<R, M> block;
  Coefficients<R> c;
  int scalars = 1;
  const R* in = nullptr;  // cell (0, 0, 0), ghosts valid
  // Fluxes of momentum through the sides of the half cell and diffusion, along one of the two axes.
  WM_HD R along_side(const OpenFace<R>& f, int axis, int index, std::int64_t step) const {
    const R* const u = f.side->now + f.at;
    const R low = transport<advection>(block.value(in, axis, f, axis, 0), u[-step], u[0]);
    const R high = transport<advection>(block.value(in, axis, f, axis, 1), u[0], u[step]);
    const R slope_low = (u[0] - u[-step]) * block.inverse_distance(axis, index);
    const R slope_high = (u[step] - u[0]) * block.inverse_distance(axis, index + 1);
    return (c.viscosity * (slope_high - slope_low) - (high - low)) *
           block.inverse_width(axis, index);
  }

  WM_HD R rate(const OpenFace<R>& f) const {
    const R u = f.side->now[f.at];
    const R inner = block.value(in, f.axis, f, f.axis, f.inward > 0 ? 1 : 0);
    const R inverse = block.inverse_width(f.axis, f.cell[f.axis]);
    const R below = f.inward > 0 ? u : inner, above = f.inward > 0 ? inner : u;
    const R at_centre = transport<advection>(R(0.5) * (u + inner), below, above);
    const bool enters = R(f.inward) * u > R(0);
    const R at_face = (enters ? R(0.5) : R(1)) * u * u;
    R sum = R(2) * inverse *
            (c.viscosity * (inner - u) * inverse - R(f.inward) * (at_centre - at_face));
    sum += along_side(f, f.b, f.p, 1) + along_side(f, f.c, f.q, f.side->stride);
    for (int s = 0; s < scalars; ++s) {
      const int var = first_scalar + s;
      sum += (R(0.5) * c.buoyancy[f.axis][s]) *
             (block.value(in, var, f, f.axis, 0) + block.value(in, var, f, f.axis, -f.inward));
    }
    sum += c.acceleration[f.axis] - c.drag * u;
    if (f.side->force) sum += f.side->force[f.at];
    if (f.side->sources)
      sum += block.value(f.side->sources, f.axis, f, f.axis, f.inward > 0 ? 0 : 1);
    if (c.rotating) {
      const int y = (f.axis + 1) % 3, z = (f.axis + 2) % 3;
      sum += R(0.5) * (c.coriolis[z] * (block.value(in, y, f, y, 0) + block.value(in, y, f, y, 1)) -
                       c.coriolis[y] * (block.value(in, z, f, z, 0) + block.value(in, z, f, z, 1)));
    }
    if (c.planetary && f.axis == 0) {
      const R* const beta = c.planetary + f.cell[1];
      sum +=
          R(0.5) * (beta[0] * block.value(in, 1, f, 1, 0) + beta[1] * block.value(in, 1, f, 1, 1));
    } else if (c.planetary && f.axis == 1) {
      sum -= R(0.5) * c.planetary[f.face()] *
             (block.value(in, 0, f, 0, 0) + block.value(in, 0, f, 0, 1));
    }
    return sum;
  }

  WM_HD void operator()(const OpenFace<R>& f, const exec::StageUpdate<R>& update, R dt) const {
    const R r = rate(f), before = update.read_old ? f.side->rate[f.at] : R(0);
    const R now = f.side->now[f.at];
    if constexpr (history) {
      f.side->next[f.at] = exec::advance_point<AdvanceOpen>(update, now, before, r, dt).value;
      f.side->rate[f.at] = r;
    } else {
      f.side->next[f.at] =
          now + update.b * dt * r + (update.read_old ? update.a * (before - now) : R(0));
    }
  }
};

// u* - G phi on open faces, where phi = 0; returns the signal of the time step there.
template <class R, class M = Metrics<R>>
struct CorrectOpen {
  OpenBlock<R, M> block;        // of the velocity
  const R* velocity = nullptr;  // cell (0, 0, 0), projected
  const R* phi = nullptr;
  std::int64_t stride[3] = {1, 0, 0};  // of phi

  WM_HD R operator()(const OpenFace<R>& f) const {
    const R inside = phi[f.cell[0] * stride[0] + f.cell[1] * stride[1] + f.cell[2] * stride[2]];
    const R u =
        f.side->next[f.at] - R(2 * f.inward) * inside * block.inverse_distance(f.axis, f.face());
    f.side->next[f.at] = u;
    R signal = abs_(u) * block.inverse_width(f.axis, f.cell[f.axis]);
    const int beside[2] = {f.b, f.c};
    for (const int a : beside)
      signal += abs_(block.value(velocity, a, f, a, 0)) * block.inverse_width(a, f.cell[a]);
    return signal;
  }
};

// Velocity out of an open side beside a plane, that of its nearest face.
template <class R, int V>
WM_HD R outflow_beside(const OpenSides<R>& sides, const exec::BoxRules<R, V>& rules, int across,
                       int axis, const int (&at)[3]) {
  const int e = across / 2, first = e == 0 ? 1 : 0, second = e == 2 ? 1 : 2;
  int near[3] = {at[0], at[1], at[2]};
  near[axis] = near[axis] == rules.n[axis] ? rules.n[axis] - 1 : 0;
  const int other = first == axis ? second : first;
  const bool exchanged = rules.kind[2 * other] == exec::SideKind::linked && !sides.wraps[other];
  if (!exchanged) {
    near[other] = near[other] < 0                 ? 0
                  : near[other] >= rules.n[other] ? rules.n[other] - 1
                                                  : near[other];
  }
  const R velocity = rules.plane[across].at(near[first], near[second]);
  return across % 2 == 0 ? -velocity : velocity;
}

// The value at a place of a plane or around it by the rules of its first axis and of those after
// it; 2 is none. Places along periodic axes are wrapped before.
template <int which, class R, int V>
WM_HD R around_open(const OpenSides<R>& sides, const OpenSide<R>& side,
                    const exec::BoxRules<R, V>& rules, int (&at)[3]) {
  const int axis = side.side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
  if constexpr (which == 2) {
    return side.now[at[b] + at[c] * side.stride];
  } else {
    const int e = which == 0 ? b : c, was = at[e], n = rules.n[e];
    const bool above = was >= n;
    const int across = 2 * e + (above ? 1 : 0);
    // What no rule defines an exchange has brought.
    if ((was >= 0 && was < n) || !exec::has_rules(rules.kind[across]))
      return around_open<which + 1>(sides, side, rules, at);
    const exec::AffineRule<R>& rule = rules.rule[across][axis];
    const bool open = rules.kind[across] == exec::SideKind::open;
    const R constant = exec::constant_of(rules, rule, e, at);
    const R outward = open ? outflow_beside(sides, rules, across, axis, at) : R(0);
    at[e] = above ? n - 1 : 0;
    const R inside = around_open<which + 1>(sides, side, rules, at);
    R next = R(0);
    if (open) {
      at[e] = above ? n - 2 : 1;
      next = around_open<which + 1>(sides, side, rules, at);
    }
    at[e] = was;
    return open ? exec::open_ghost(outward, rule.factor, constant, inside, next)
                : constant + rule.factor * inside;
  }
}

// Number `index` of the places of a plane and around it, -1 .. n along both axes.
template <class R, int V>
WM_HD void fill_around_open(const OpenSides<R>& sides, const exec::BoxRules<R, V>& rules,
                            std::int64_t index) {
  int s = 0;
  while (s + 1 < sides.count && index >= sides.side[s].faces_around())
    index -= sides.side[s++].faces_around();
  const OpenSide<R>& side = sides.side[s];
  const int row = side.n[0] + 2;
  const int axis = side.side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
  int at[3];
  at[axis] = side.side % 2 == 0 ? 0 : rules.n[axis];
  at[b] = int(index % row) - 1;
  at[c] = int(index / row) - 1;
  R* const to = side.now + at[b] + at[c] * side.stride;
  bool outside = false;
  for (int e = 0; e < 3; ++e) {
    if (e == axis || (at[e] >= 0 && at[e] < rules.n[e])) continue;
    if (sides.wraps[e]) {
      at[e] += at[e] < 0 ? rules.n[e] : -rules.n[e];
      outside = true;
    } else {
      outside = outside || exec::has_rules(rules.kind[2 * e + (at[e] < 0 ? 0 : 1)]);
    }
  }
  if (outside) *to = around_open<0>(sides, side, rules, at);
}

}  // namespace watersmeet::boussinesq
