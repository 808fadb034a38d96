#pragma once
// Simultaneous approximation terms: every boundary and interface enters the residual R of a face
// node, V dW/dt = -R, as a penalty
//
//   R += (weight / h) [ F*(W, W_e; N) - F_N(W) ],   N = -S^k on the lower face, +S^k on the upper
//
// with h = H_0 of the direction and the numerical flux F* of riemann.hpp. Linearised it is
// -(1/h) A_N^- (W - W_e): what comes in is penalised with the strength of upwinding. With
// summation by parts every face then adds -w A_N^+ w - w |A_N^-| w + data to the energy (Svard,
// Carpenter and Nordstrom 2007; Nordstrom, Gong, van der Weide and Svard 2009). A node of an edge
// gets the sum of the penalties of its faces.
//
// Both sides of an interface use their own N. Where these are opposite the two penalties add up to
// the difference of the two fluxes, and nothing is lost between the blocks. The functions return
// the bracket; weight is 1 except where patches share a node. On a degenerate face N = 0, and so is
// the bracket.

#include <cstdint>

#include "systems/aerodynamics/boundaries.hpp"

namespace watersmeet::aerodynamics {

enum class SurfaceKind : std::uint8_t {
  interface,           // outside: the partner's state (turned, for rotational periodicity)
  farfield,            // outside: the free stream, or vortex_state()
  supersonic_inflow,   // outside: the given state
  supersonic_outflow,  // nothing is given
  inflow_total,        // reservoir
  outflow_pressure,    // pressure
  slip_wall            // also symmetry planes
};

// How numerical fluxes and wall pressures are computed on all surfaces of a run.
template <class R>
struct Coupling {
  Upwinding upwinding = Upwinding::roe;
  R entropy_fix = R(0);  // of Roe's flux: 0 unsteady, 0.05 steady, 0.2 hypersonic
  WallPressure wall = WallPressure::linear;
};

// What a boundary gives; only the members of its kind are read.
template <class R>
struct Given {
  Reservoir<R> reservoir{};
  R pressure = R(0);
};
// Its members as an array of numbers.
enum GivenNumber : int { g_total_pressure, g_sound2, g_direction, g_pressure = 5, given_numbers };
static_assert(sizeof(Given<double>) == given_numbers * sizeof(double));
static_assert(sizeof(Given<float>) == given_numbers * sizeof(float));

// F* - F_N(W) of an interface or of a boundary whose outer state is known.
template <class T>
WM_HD Conserved<T> coupling_penalty(const Conserved<T>& w, const Conserved<T>& outside,
                                    const Area<T>& area, const Gas<RealOf<T>>& gas,
                                    const Coupling<RealOf<T>>& coupling) {
  Conserved<T> penalty =
      numerical_flux(coupling.upwinding, w, outside, area, gas, coupling.entropy_fix);
  const Conserved<T> own = flux(w, primitive_of(w, gas), area);
  for (int v = 0; v < n_variables; ++v) penalty[v] = penalty[v] - own[v];
  return penalty;
}

// F* = (0, p* N, 0).
template <class T>
WM_HD Conserved<T> wall_penalty(const Conserved<T>& w, const Area<T>& area,
                                const Gas<RealOf<T>>& gas, const Coupling<RealOf<T>>& coupling) {
  const Primitive<T> f = primitive_of(w, gas);
  const T pressure = wall_pressure(coupling.wall, f, area, gas);
  Conserved<T> penalty = flux(w, f, area);
  for (int v = 0; v < n_variables; ++v) penalty[v] = -penalty[v];
  for (int m = 0; m < 3; ++m) penalty[s_mx + m] = penalty[s_mx + m] + pressure * area[m];
  return penalty;
}

// The bracket for a surface of any kind. `outside` is read by kinds that have an outer state.
template <class T>
WM_HD Conserved<T> surface_penalty(SurfaceKind kind, const Conserved<T>& w,
                                   const Conserved<T>& outside, const Area<T>& area,
                                   const Given<RealOf<T>>& given, const Gas<RealOf<T>>& gas,
                                   const Coupling<RealOf<T>>& coupling) {
  using R = RealOf<T>;
  const Primitive<T> f = primitive_of(w, gas);
  Conserved<T> beyond = outside;
  switch (kind) {
    case SurfaceKind::interface:
    case SurfaceKind::farfield:
      break;
    case SurfaceKind::supersonic_inflow: {
      Conserved<T> penalty = flux(outside, primitive_of(outside, gas), area);
      const Conserved<T> own = flux(w, f, area);
      for (int v = 0; v < n_variables; ++v) penalty[v] = penalty[v] - own[v];
      return penalty;
    }
    case SurfaceKind::supersonic_outflow: {
      Conserved<T> none;
      for (int v = 0; v < n_variables; ++v) none[v] = T(R(0));
      return none;
    }
    case SurfaceKind::inflow_total:
      beyond = conserved_of(total_inflow_state(f, area, given.reservoir, gas), gas);
      break;
    case SurfaceKind::outflow_pressure:
      beyond = conserved_of(pressure_outflow_state(f, area, given.pressure, gas), gas);
      break;
    case SurfaceKind::slip_wall:
      return wall_penalty(w, area, gas, coupling);
  }
  // In one place: numerical fluxes are most of a kernel's instructions.
  return coupling_penalty(w, beyond, area, gas, coupling);
}

}  // namespace watersmeet::aerodynamics
