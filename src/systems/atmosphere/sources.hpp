#pragma once
// The sources of equations (2) and (3), each added to the rate of a cell.

#include "systems/atmosphere/equations.hpp"
#include "systems/atmosphere/sphere/panel_mesh.hpp"

namespace watersmeet::atmosphere::sources {

// - rho' g of (2).
template <class T, class Rho>
WM_HD void gravity(Conserved<T>& rate, const T& g, const Rho& rho) {
  rate[s_mz] = fma_(T(-g), rho, rate[s_mz]);
}

// On an f plane, on departures from the wind (u, v) that a pressure gradient balances which is not
// part of the flow: f (V - V_b) x k, with its work.
template <class T, class R>
WM_HD void coriolis(Conserved<T>& rate, const Conserved<T>& s, const Primitive<T>& w,
                    const Reference<T>& r, R f, const Vec<R, 2>& wind) {
  const R u = wind[0], v = wind[1];
  rate[s_mx] = rate[s_mx] + f * (s[s_my] - r.rho * v);
  rate[s_my] = rate[s_my] - f * (s[s_mx] - r.rho * u);
  rate[s_energy] = rate[s_energy] + f * r.rho * (w[w_v] * u - w[w_u] * v);
}

// Draws density, momentum and energy at the rate tau towards the reference that moves with the wind.
template <class T, class R>
WM_HD void sponge(Conserved<T>& rate, const Conserved<T>& s, const Reference<T>& r, const T& tau,
                  const Vec<R, 2>& wind) {
  const R u = wind[0], v = wind[1];
  rate[s_rho] = rate[s_rho] - tau * s[s_rho];
  rate[s_mx] = rate[s_mx] - tau * (s[s_mx] - r.rho * u);
  rate[s_my] = rate[s_my] - tau * (s[s_my] - r.rho * v);
  rate[s_mz] = rate[s_mz] - tau * s[s_mz];
  rate[s_energy] = rate[s_energy] - tau * (s[s_energy] - (R(0.5) * (u * u + v * v)) * r.rho);
}

// Curvature and the Coriolis force on a sphere: f e_ij and the symbols G^i_jk have the factors
// ((1 + Y^2) v - X Y u)/d^2 and ((1 + X^2) u - X Y v)/d^2 in common. `w`: of the cell, by enum
// PrimitiveValue.
template <class Mesh, class T, int values>
WM_HD void rotation(const Mesh& mesh, Conserved<T>& rate, const Vec<T, values>& w, Place at) {
  using R = RealOf<T>;
  const auto m = mesh.template metric<T>(at);
  const Place table = mesh.table_place(at);
  const T rho = mesh.template cell_reference<T>(table).rho + w[w_rho];
  const Vec<R, 3>& twice = mesh.rotation[mesh.panel(at)];
  const T f = twice[2] + (m.x * twice[0] + m.y * twice[1]);
  const T xy = m.x * m.y, per = rho * rcp_(m.d2);
  const T left = (R(1) + m.y * m.y) * w[w_v] - xy * w[w_u];
  const T right = (R(1) + m.x * m.x) * w[w_u] - xy * w[w_v];
  T curvature = T(mesh.curvature_twice);
  if constexpr (Mesh::deep) {
    // Air that rises falls behind, air that moves ahead is lighter: by the curvature along r and
    // by W x V, of which W x r is a vector along the panel.
    const T inverse = rcp_(mesh.template cell_radius<T>(table));
    curvature = curvature * inverse;
    const T bend = inverse * mesh.inverse_radius;
    const auto round = schemes::rotation_components(m, twice.v);
    const auto lowered = schemes::covariant(m, w[w_u], w[w_v]);
    rate[s_mx] = rate[s_mx] - rho * w[w_w] * (bend * w[w_u] + round[0]);
    rate[s_my] = rate[s_my] - rho * w[w_w] * (bend * w[w_v] + round[1]);
    rate[s_mz] = rate[s_mz] + rho * (bend * schemes::squared_length(m, w[w_u], w[w_v]) +
                                     (lowered[0] * round[0] + lowered[1] * round[1]));
  }
  rate[s_mx] = fma_(T(per * left), fma_(curvature, T(m.y * w[w_u]), f), rate[s_mx]);
  rate[s_my] = fma_(T(-per * right), fma_(T(-curvature), T(m.x * w[w_v]), f), rate[s_my]);
}

}  // namespace watersmeet::atmosphere::sources
