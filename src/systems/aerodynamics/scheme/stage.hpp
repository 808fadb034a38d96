#pragma once
// The update that follows a right-hand side R = C - D + F (C: fluxes and penalties, D: dissipation,
// F: forcing of multigrid), with V dW/dt = -R:
//
//   local      W_m = W_0 - alpha_m (dt/V) ( C - D_m + F ),  D_m = beta_m D + (1 - beta_m) D_(m-1)
//              the five stages of a steady run, each node with a time step of its own (Jameson
//              1991)
//   global     W_m = W_0 - b dt R / V,   S <- S + c dt R / V;   after the last stage  W = W_0 - S
//              the classical scheme of fourth order
//   residual   R itself, or its share that transfers take
//   forcing    F_c <- F_c - R, which makes the forcing of a coarse grid from a restricted residual
//
// The first local stage of a grid can make the forcing as well: its R + F is the restricted
// residual, and R is what is left to make F from.
//
// Nodes on faces get their penalties with the rest of R, from sums made before, or are finished by
// the penalties that follow (surface.hpp): the update is linear in R.

#include <cstdint>
#include <type_traits>

#include "exec/clock.hpp"
#include "exec/node.hpp"
#include "systems/aerodynamics/equations.hpp"

namespace watersmeet::aerodynamics {

enum class StageForm : int { local, global, residual, forcing };

template <class R>
struct StageUpdate {
  StageForm form = StageForm::residual;
  R a = 0;               // alpha_m, or b
  R c = 0;               // global
  R beta = 1;            // local
  bool blended = false;  // local: D is kept from stage to stage
  bool first = true, last = false;
  bool makes_forcing = false;  // local, first
};

// Fluxes and dissipation, of which a blended stage with beta = 0 needs the first alone.
template <class R>
WM_HD exec::NodeParts parts_of(const StageUpdate<R>& update) {
  return {true, !(update.blended && update.beta == R(0))};
}

// Penalties of a node on faces. In one piece: few threads of a warp read one.
template <class R>
struct alignas(16) NodeSum {
  static constexpr int size = 48 / int(sizeof(R));
  R value[size];
};

// Arrays over the pool, [variable][pitch]; null where a form does not use one.
template <class R>
struct StageArrays {
  ArrayAddress<R> out;
  TableAddress<R> base;            // W_0
  ArrayAddress<R> kept;            // D of the stage before, or S
  ArrayAddress<R> forcing;         // F
  int forced = ~0;                 // a bit for each variable, set where F may differ from 0
  TableAddress<R> local_step;      // dt/V
  TableAddress<R> inverse_volume;  // 1/V
  ArrayAddress<R> troubled;        // becomes 1 where a state was limited
  ArrayAddress<R> pressure;        // of the new state; local, where all penalties are in it
  TableAddress<R> share;           // of a residual that goes to a coarser grid (local_step.hpp)
  TableAddress<NodeSum<R>> sums;   // by the numbers of nodes on faces (surface/sums.hpp)
  std::int64_t pitch = 0;
};

// W_0 + theta (w - W_0) with the largest theta of 1, 1/2, 1/4, 1/8 that leaves density and pressure
// above their floors, else W_0: the update of a node with a smaller time step. `limited` is true
// where theta < 1.
template <class T>
struct Admitted {
  Conserved<T> w;
  decltype(T() > T()) limited;
};
template <class T>
WM_HD Admitted<T> admitted(const Conserved<T>& base, const Conserved<T>& w,
                           const Gas<RealOf<T>>& gas, RealOf<T> smallest_rho,
                           RealOf<T> smallest_p) {
  using R = RealOf<T>;
  const auto good = admissible(primitive_of(w, gas), smallest_rho, smallest_p);
  Admitted<T> result{w, not_(good)};
  if constexpr (std::is_same_v<decltype(good), const bool>) {
    if (good) return result;  // nearly always; a pack would have to agree
  }
  auto done = good;
  WM_UNROLL
  for (int halving = 1; halving <= 3; ++halving) {
    const R theta = R(1) / R(1 << halving);
    Conserved<T> tried;
    for (int v = 0; v < n_variables; ++v) tried[v] = base[v] + theta * (w[v] - base[v]);
    const auto fits =
        and_(not_(done), admissible(primitive_of(tried, gas), smallest_rho, smallest_p));
    for (int v = 0; v < n_variables; ++v) result.w[v] = select(fits, tried[v], result.w[v]);
    done = or_(done, fits);
  }
  for (int v = 0; v < n_variables; ++v) result.w[v] = select(done, result.w[v], base[v]);
  return result;
}

}  // namespace watersmeet::aerodynamics
