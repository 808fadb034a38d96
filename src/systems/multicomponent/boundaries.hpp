#pragma once
// Boundary conditions as states beyond the boundary: exterior(interior, ...) gives the state of a
// ghost cell. Interior states are those of the cells along the line through it, `depth` 0 next to
// the boundary; ghost layer 0 likewise.
//
//   absorbing       the state of cell 0 (zero-order extrapolation)
//   inflow          the prescribed state
//   nonreflecting   characteristic far field: u_n = (u_n,0 + u_n,inf)/2 + (p_0 - p_inf)/(2 Z),
//                   p = (p_0 + p_inf)/2 + Z (u_n,0 - u_n,inf)/2, Z = rho_0 c_0, u_n along the
//                   outward normal; rho = rho_0 + (p - p_0)/c_0^2 and everything else of cell 0
//                   where the flow leaves, of the far field where it enters. Faster than sound no
//                   wave runs against the flow: all of cell 0, or all of the far field. All of cell
//                   0 too where the linear relations give a state that is not admissible.
//   reflecting      mirror image, normal velocity negated: wall, symmetry plane or axis
//
// A side may have several conditions: each of its cells names its own.

#include <cstddef>
#include <cstdint>

#include "core/block_layout.hpp"
#include "core/mirror.hpp"
#include "core/types.hpp"
#include "systems/multicomponent/riemann.hpp"

namespace watersmeet::multicomponent {

// none: the side is linked to other cells.
enum class BoundaryKind : std::uint8_t { none, absorbing, inflow, nonreflecting, reflecting };

// Primitive state beyond a far-field boundary. `normal` is its axis, `outward` +1 or -1.
template <class T>
WM_HD Primitive<T> nonreflecting_state(const Primitive<T>& w, const Primitive<T>& far, int normal,
                                       RealOf<T> outward) {
  using R = RealOf<T>;
  const int n = w_u + normal;
  const detail::Sound<T> sound = detail::sound_of(w);
  const T z = w[w_rho] * sound.c;
  const T u = outward * w[n], u_far = outward * far[n];
  const T u_n = R(0.5) * (u + u_far) + (R(0.5) * (w[w_p] - far[w_p])) * rcp_(z);
  const T p = R(0.5) * (w[w_p] + far[w_p]) + (R(0.5) * z) * (u - u_far);
  const auto leaves = u_n >= T(R(0));
  Primitive<T> g;
  for (int v = 0; v < n_variables; ++v) g[v] = select(leaves, w[v], far[v]);
  g[w_rho] = select(leaves, w[w_rho] + (p - w[w_p]) * rcp_(sound.c2), far[w_rho]);
  g[n] = outward * u_n;
  g[w_p] = p;
  const auto enters_fast = u <= -sound.c;
  for (int v = 0; v < n_variables; ++v) g[v] = select(enters_fast, far[v], g[v]);
  const auto keep = or_(u >= sound.c, not_(admissible(g)));
  for (int v = 0; v < n_variables; ++v) g[v] = select(keep, w[v], g[v]);
  return g;
}

// The conditions of one side of a block. Its cells are numbered first along the lower of the two
// other axes.
struct BoundarySide {
  const std::uint8_t* kind = nullptr;  // per cell, BoundaryKind; null: no condition here
  // Prescribed and far-field primitive states [variable][cell], in the run's precision; null where
  // no cell needs them.
  const void* states = nullptr;
  std::int64_t cells = 0;
};

struct BoundaryCall {
  BoundarySide side[6];  // 2 axis + (upper)
  bool any = false;

  // The wanted sides of the cells from `first` on, planes across the outermost axis of the block.
  template <class Wanted>
  BoundaryCall of_part(const Index3& first, const Wanted& wanted, const BlockLayout& whole,
                       std::size_t word) const {
    BoundaryCall part;
    for (int s = 0; s < 6; ++s) {
      if (!wanted[static_cast<std::size_t>(s)] || side[s].kind == nullptr) continue;
      const int axis = s / 2, a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
      const std::int64_t before =
          first[static_cast<std::size_t>(a)] + first[static_cast<std::size_t>(b)] * whole.n[a];
      part.side[s] = side[s];
      part.side[s].kind += before;
      if (side[s].states)
        part.side[s].states =
            static_cast<const std::byte*>(side[s].states) + static_cast<std::size_t>(before) * word;
      part.any = true;
    }
    return part;
  }
};

// The ghost cells of a block as the ghost form asks for them (exec/boundary.hpp), in stored values.
template <class R>
struct Exterior {
  static constexpr int variables = n_variables;
  static constexpr int radius = 3;
  BoundarySide side[6];
  bool split;

  WM_HD bool has(int s) const { return side[s].kind != nullptr; }

  template <class Line>
  WM_HD Conserved<R> operator()(int s, std::int64_t cell, int layer, const Line& line) const {
    const BoundarySide& here = side[s];
    const BoundaryKind kind = static_cast<BoundaryKind>(here.kind[cell]);
    const bool mirrored = kind == BoundaryKind::reflecting;
    if (kind == BoundaryKind::inflow) return conserved_of(prescribed(here, cell), split);
    Conserved<R> value;
    for (int v = 0; v < n_variables; ++v) value[v] = line(v, mirrored ? layer : 0);
    const int axis = s / 2;
    if (mirrored) {
      mirror_component(value, s_mx + axis);
    } else if (kind == BoundaryKind::nonreflecting) {
      const Primitive<R> interior = primitive_of(value, split);
      value = conserved_of(
          nonreflecting_state(interior, prescribed(here, cell), axis, s % 2 == 1 ? R(1) : R(-1)),
          split);
    }
    return value;
  }

 private:
  WM_HD static Primitive<R> prescribed(const BoundarySide& here, std::int64_t cell) {
    const R* const states = static_cast<const R*>(here.states);
    Primitive<R> w;
    for (int v = 0; v < n_variables; ++v) w[v] = states[v * here.cells + cell];
    return w;
  }
};

template <class R>
Exterior<R> exterior_of(const BoundaryCall& call, bool split) {
  Exterior<R> exterior{};
  for (int s = 0; s < 6; ++s) exterior.side[s] = call.side[s];
  exterior.split = split;
  return exterior;
}

}  // namespace watersmeet::multicomponent
