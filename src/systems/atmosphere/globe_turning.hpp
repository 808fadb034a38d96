#pragma once
// Curvature and the Coriolis force on a sphere: what of globe_flow.hpp acts in a cell alone.

#include "systems/atmosphere/globe_geometry.hpp"

namespace watersmeet::atmosphere {

// f e_ij and the symbols G^i_jk have the factors ((1 + Y^2) v - X Y u)/d^2 and
// ((1 + X^2) u - X Y v)/d^2 in common. `w`: of the cell, by enum Primitive.
template <GlobeVariant variant, class R, class T, int values>
WM_HD void add_turning(const GlobePlaces<R, variant>& places, State<T>& rate,
                       const Vec<T, values>& w, Place at) {
  const auto& g = places.geometry;
  const auto m = g.template centre<T>(at);
  const Place column = g.column_place(at);
  const T rho = places.template cell_reference<T>(column).rho + w[w_rho];
  const Vec<R, 3>& rotation = g.rotation[g.panel(at)];
  const T f = rotation[2] + (m.x * rotation[0] + m.y * rotation[1]);
  const T xy = m.x * m.y, per = rho * rcp_(m.d2);
  const T left = (R(1) + m.y * m.y) * w[w_v] - xy * w[w_u];
  const T right = (R(1) + m.x * m.x) * w[w_u] - xy * w[w_v];
  T curvature = T(g.curvature);
  if constexpr (is_deep(variant)) {
    // Air that rises falls behind, air that moves ahead is lighter: by the curvature along r and
    // by W x V, of which W x r is a vector along the panel.
    const T inverse = rcp_(places.template cell_radius<T>(column));
    curvature = curvature * inverse;
    const T bend = inverse * g.inverse_radius;
    const auto round = schemes::rotation_components(m, rotation.v);
    const auto lowered = schemes::covariant(m, w[w_u], w[w_v]);
    rate[s_mx] = rate[s_mx] - rho * w[w_w] * (bend * w[w_u] + round[0]);
    rate[s_my] = rate[s_my] - rho * w[w_w] * (bend * w[w_v] + round[1]);
    rate[s_mz] = rate[s_mz] + rho * (bend * schemes::squared_length(m, w[w_u], w[w_v]) +
                                     (lowered[0] * round[0] + lowered[1] * round[1]));
  }
  rate[s_mx] = fma_(T(per * left), fma_(curvature, T(m.y * w[w_u]), f), rate[s_mx]);
  rate[s_my] = fma_(T(-per * right), fma_(T(-curvature), T(m.x * w[w_v]), f), rate[s_my]);
}

}  // namespace watersmeet::atmosphere
