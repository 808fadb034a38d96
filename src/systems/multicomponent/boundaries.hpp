#pragma once
// Boundary conditions as states beyond the boundary: exterior(interior, ...) gives the state of a
// ghost cell. Interior states are those of the cells along the line through it, `depth` 0 next to
// the boundary; ghost layer 0 likewise. All states are primitive.
//
//   absorbing       the state of cell 0 (zero-order extrapolation)
//   inflow          the prescribed state
//   nonreflecting   characteristic far field: u_n = (u_n,0 + u_n,inf)/2 + (p_0 - p_inf)/(2 Z),
//                   p = (p_0 + p_inf)/2 + Z (u_n,0 - u_n,inf)/2, Z = rho_0 c_0, u_n along the
//                   outward normal; rho = rho_0 + (p - p_0)/c_0^2 and everything else of cell 0
//                   where the flow leaves, of the far field where it enters
//   reflecting      mirror image, normal velocity negated: wall, symmetry plane or axis
//
// A side may have several conditions: each of its cells names its own.

#include <cstdint>

#include "systems/multicomponent/riemann.hpp"

namespace watersmeet::multicomponent {

enum class BoundaryKind : std::uint8_t { none, absorbing, inflow, nonreflecting, reflecting };

template <class T>
WM_HD State<T> nonreflecting_state(const State<T>& w, const State<T>& far, int normal,
                                   RealOf<T> outward) {
  using R = RealOf<T>;
  const int n = w_u + normal;
  const detail::Sound<T> sound = detail::sound_of(w);
  const T z = w[w_rho] * sound.c;
  const T u = outward * w[n], u_far = outward * far[n];
  const T u_n = R(0.5) * (u + u_far) + (R(0.5) * (w[w_p] - far[w_p])) * rcp_(z);
  const T p = R(0.5) * (w[w_p] + far[w_p]) + (R(0.5) * z) * (u - u_far);
  const auto leaves = u_n >= T(R(0));
  State<T> g;
  for (int v = 0; v < n_variables; ++v) g[v] = select(leaves, w[v], far[v]);
  g[w_rho] = select(leaves, w[w_rho] + (p - w[w_p]) * rcp_(sound.c2), far[w_rho]);
  g[n] = outward * u_n;
  g[w_p] = p;
  return g;
}

// The conditions of the sides of one block. Side s = 2 axis + (upper); its cells are numbered
// first along the lower of the two other axes.
struct BoundarySide {
  const std::uint8_t* kind =
      nullptr;  // per cell of the side, BoundaryKind; null: no condition here
  // Prescribed and far-field states [variable][cell], in the run's precision; null where no cell
  // needs them.
  const void* states = nullptr;
};

struct BoundaryCall {
  BoundarySide side[6];
  bool any = false;
};

}  // namespace watersmeet::multicomponent
