#pragma once
// First order at a node of a coarse grid, from numbers that every node has ready for its
// neighbours: rho, u, p and c of its state, and the lengths of its area vectors. Same scheme as
// NodeScheme with differences of first order, results differ by round-off:
//
//      o-------O-------o      D F at O:      (F_above - F_below)/2, at an end F_above - F_here
//    below   here    above    dissipation:   -(1/H) eps (lambda_- (W - W_below)
//                                                        - lambda_+ (W_above - W)),
//                             lambda_+-: the larger one of the two nodes, lambda = |U| + c |S|

#include "exec/node.hpp"
#include "systems/aerodynamics/scheme/node_scheme.hpp"

namespace watersmeet::aerodynamics {

template <class R>
struct CoarseFlow {
  Primitive<R> flow;
  R sound;  // c
};
template <class R>
WM_HD CoarseFlow<R> coarse_flow_of(const Conserved<R>& w, const Gas<R>& gas) {
  const Primitive<R> f = primitive_of(w, gas);
  return {f, root_(sound_speed2(f, gas))};
}

template <class R>
struct CoarseNode {
  CoarseFlow<R> at;
  Area<R> area;  // of the direction
  R length;      // of this vector
};

// What is the same for all nodes.
template <class R>
struct CoarseScheme {
  R central, closure[2];  // of the derivative; the first two nodes in the row of the first one
  R inverse_norm;         // 1/H of an end
  R strength;             // eps
  R energy;               // 1/(gamma - 1)

  WM_HD Conserved<R> conserved_of(const Primitive<R>& f) const {
    return aerodynamics::conserved_of(f, energy);
  }
};
template <class R>
WM_HD CoarseScheme<R> coarse_scheme_of(const schemes::Sbp<R, 2>& table, const FlowModel<R>& model) {
  CoarseScheme<R> s;
  s.central = table.central[0];
  for (int j = 0; j < 2; ++j) s.closure[j] = table.closure[0][j];
  s.inverse_norm = rcp_(table.norm[0]);
  s.strength = NodeScheme<R, Features::plain>{model}.template strength<1>();
  s.energy = rcp_(model.gas.gamma - R(1));
  return s;
}

// Adds one direction. Where there is no node below or above, `here` stands in its place. `largest`:
// grows by the largest radius of the three nodes; null: not computed.
template <class R>
WM_HD void add_first_order(exec::NodeRates<R, n_variables>& rates, const CoarseScheme<R>& scheme,
                           const CoarseNode<R>& below, const CoarseNode<R>& here,
                           const CoarseNode<R>& above, bool has_below, bool has_above,
                           bool dissipates, R* largest) {
  const bool ends = !(has_below && has_above);
  const R inner = ends ? scheme.closure[1] : scheme.central;
  const R up = has_above ? inner : R(0), down = has_below ? -inner : R(0);
  const R own = !ends ? R(0) : has_above ? scheme.closure[0] : -scheme.closure[0];
  const auto radius = [](const CoarseNode<R>& node) {
    return spectral_radius(node.at.flow, node.at.sound, node.area, node.length);
  };
  const Conserved<R> w_below = scheme.conserved_of(below.at.flow),
                     w = scheme.conserved_of(here.at.flow),
                     w_above = scheme.conserved_of(above.at.flow);
  exec::add_scaled(rates.flux, up, flux(w_above, above.at.flow, above.area));
  exec::add_scaled(rates.flux, down, flux(w_below, below.at.flow, below.area));
  if (ends) exec::add_scaled(rates.flux, own, flux(w, here.at.flow, here.area));
  if (!dissipates) return;
  const R lambda = radius(here), under = schemes::middle_radius<1>(radius(below), lambda),
          over = schemes::middle_radius<1>(radius(above), lambda);
  if (largest) *largest = *largest + max_(under, over);
  const R scale = ends ? -scheme.strength * scheme.inverse_norm : -scheme.strength;
  const R weight_under = has_below ? scale * under : R(0),
          weight_over = has_above ? -scale * over : R(0);
  WM_UNROLL
  for (int v = 0; v < n_variables; ++v) {
    const R part = fma_(weight_under, w[v] - w_below[v], rates.dissipation[v]);
    rates.dissipation[v] = fma_(weight_over, w_above[v] - w[v], part);
  }
}

}  // namespace watersmeet::aerodynamics
