#pragma once
// Parameters of a case for flow.hpp, over box_mesh.hpp or sphere/panel_mesh.hpp.

#include "schemes/kappa.hpp"
#include "systems/atmosphere/box_mesh.hpp"
#include "systems/atmosphere/riemann.hpp"
#include "systems/atmosphere/sphere/panel_mesh.hpp"

namespace watersmeet::atmosphere {

template <class R, class Mesh_>
struct FlowParameters {
  Mesh_ mesh;
  R gamma = R(1.4), c_p = 0;
  schemes::KappaWeights<R> kappa;
  schemes::Limiter limiter = schemes::Limiter::none;
  Riemann riemann = Riemann::lmars;
  R least_mach = R(0.3);
  // Used in a box.
  R viscosity = 0;
  R coriolis = 0;
  Vec<R, 2> wind{};
  Vec<TableAddress<R>, 3> sponge{};  // rates by the cells of an axis, or none

  WM_HD bool has_sponge() const { return sponge[0] || sponge[1] || sponge[2]; }
  // Known to the loops as Traits::lmars and Traits::transverse.
  WM_HD bool lmars_unlimited() const {
    return riemann == Riemann::lmars && limiter == schemes::Limiter::none;
  }
  WM_HD bool transverse() const { return kappa.transverse != R(0); }
};

// Weights of the edges of a level, where levels are stretched.
template <class R, bool equal>
WM_HD schemes::UnevenKappaWeights<R> level_weights(const Medium<R, equal>& m, int level) {
  return {m.stretch_value(level, t_upper_up), m.stretch_value(level, t_upper_down),
          m.stretch_value(level, t_lower_up), m.stretch_value(level, t_lower_down)};
}

}  // namespace watersmeet::atmosphere
