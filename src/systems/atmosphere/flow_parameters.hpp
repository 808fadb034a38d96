#pragma once
// Parameters of a case for flow.hpp.

#include "schemes/kappa.hpp"
#include "systems/atmosphere/medium.hpp"
#include "systems/atmosphere/riemann.hpp"

namespace watersmeet::atmosphere {

// What is fixed when the loops are compiled. split: sound across the levels is left to column.hpp.
enum class Variant : int { flat, terrain, viscous, split_flat, split_terrain };
constexpr bool over_terrain(Variant v) {
  return v == Variant::terrain || v == Variant::split_terrain;
}
constexpr bool is_split(Variant v) {
  return v == Variant::split_flat || v == Variant::split_terrain;
}
// lmars_unlimited: lmars without a limiter, on levels that are equally thick; what the others need is not
// even compiled then. stretched: the same, levels may be stretched. transverse: with the transverse
// term and without a limiter, on equal levels. all: without the transverse term.
enum class Choices : int { all, lmars_unlimited, stretched, transverse };
constexpr bool equal_levels(Choices c) {
  return c == Choices::lmars_unlimited || c == Choices::transverse;
}

template <class R, bool equal = true>
struct FlowParameters {
  Medium<R, equal> medium;
  bool stretched = false;
  R gamma = R(1.4), c_p = 0;
  // 0 along an axis of one cell; along z of zeta, and the mean one where levels are stretched.
  Vec<R, 3> inverse_spacing{};
  int ground = -(1 << 30), lid = -(1 << 30);  // levels whose lower face is that wall
  schemes::KappaWeights<R> kappa;
  schemes::Limiter limiter = schemes::Limiter::none;
  Riemann riemann = Riemann::lmars;
  R least_mach = R(0.3);
  R viscosity = 0;
  R coriolis = 0;
  Vec<R, 2> wind{};
  Vec<TableAddress<R>, 3> sponge{};  // rates by the cells of an axis, or none
};

template <class R>
WM_HD Choices choices_of(const FlowParameters<R>& p) {
  if (p.kappa.transverse != R(0)) return Choices::transverse;
  const bool lmars_unlimited = p.riemann == Riemann::lmars && p.limiter == schemes::Limiter::none;
  if (lmars_unlimited) return p.stretched ? Choices::stretched : Choices::lmars_unlimited;
  return Choices::all;
}

// Of the edges of a level, where these are stretched.
template <class R, bool equal>
WM_HD schemes::UnevenKappaWeights<R> level_weights(const Medium<R, equal>& m, int level) {
  return {m.stretch_value(level, t_upper_up), m.stretch_value(level, t_upper_down),
          m.stretch_value(level, t_lower_up), m.stretch_value(level, t_lower_down)};
}

template <class R, bool equal>
WM_HD bool has_sponge(const FlowParameters<R, equal>& p) {
  return p.sponge[0] || p.sponge[1] || p.sponge[2];
}

}  // namespace watersmeet::atmosphere
