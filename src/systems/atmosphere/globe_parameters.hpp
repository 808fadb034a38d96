#pragma once
// Parameters of a case for globe_flow.hpp, and the contents of its records.

#include <cstdint>

#include "systems/atmosphere/flow.hpp"
#include "systems/atmosphere/globe_geometry.hpp"

namespace watersmeet::atmosphere {

// Of a face: what crosses it, and the pressure as the cell below and the one above take it.
enum GlobeRecord : int {
  g_mass,
  g_below,
  g_above,
  g_along_below,
  g_along_above,
  g_w,
  g_energy,
  n_globe_records
};
// Of a face between levels: all of momentum. Above the lid of a panel is the ground of the next
// one: their face has the pressures of both walls, the lid's for the cell below. In a deep
// atmosphere momentum is divided by the size of the cell that takes it, so that all of it has two
// numbers; l_u and l_v are for the cell above.
enum LevelRecord : int {
  l_mass,
  l_u,
  l_v,
  l_w_above,
  l_w_below,
  l_energy,
  l_u_below,
  l_v_below,
  n_deep_records
};
// Of a face on the rim of a panel, known from globe_edges.hpp: in the panel's own axes, momentum
// less the pressure of the panel's own cell.
enum RimRecord : int { rim_mass, rim_across, rim_along, rim_w, rim_energy, n_rim_values };

// What is reconstructed, and what a face's record has.
template <GlobeVariant variant>
struct GlobeHeld {
  // Split, an edge between levels also holds rho, rho', w and p' in the middle of its cell.
  static constexpr int middle_whole = n_primitives, middle_rho = middle_whole + 1,
                       middle_w = middle_rho + 1, middle_p = middle_w + 1;
  static constexpr int states = is_split(variant) ? n_primitives + 4 : n_primitives;
  static constexpr int records = is_deep(variant) ? int(n_deep_records) : int(n_globe_records);
  template <class T>
  using Edge = Vec<T, states>;
  template <class T>
  using Record = Vec<T, records>;
};

template <class R, bool equal = true>
struct GlobeParameters {
  GlobeGeometry<R, equal> geometry;
  R gamma = R(1.4);
  // Twice that of radius times angle, and that of zeta, the mean one where levels are stretched.
  Vec<R, 3> inverse_spacing{};
  schemes::KappaWeights<R> kappa;
  schemes::Limiter limiter = schemes::Limiter::none;
  Riemann riemann = Riemann::lmars;
  R least_mach = R(0.3);
  TableAddress<R> rims;  // [side 2 axis + upper][RimRecord][k][rim_pitch], element 0 of cell 0
  std::int64_t rim_pitch = 0, rim_value = 0;  // rim_value: from value to value

  WM_HD const R* rim(int side, int value, int k) const {
    return rims + (side * n_rim_values + value) * rim_value + k * rim_pitch;
  }
};

template <class R>
WM_HD Choices choices_of(const GlobeParameters<R>& p) {
  if (p.kappa.transverse != R(0)) return Choices::transverse;
  const bool lmars_unlimited = p.riemann == Riemann::lmars && p.limiter == schemes::Limiter::none;
  return lmars_unlimited ? Choices::lmars_unlimited : Choices::all;
}

// Puts what is known of faces on the rim of a panel in the place of what was made of its ghosts.
template <int axis, class Parameters, class T, int records>
WM_HD void take_rims(const Parameters& p, Vec<T, records>& record, Place at) {
  using R = RealOf<T>;
  // From the lower side of the panel.
  const int n = p.geometry.n, along = (axis == 0 ? at.i : at.j) + p.geometry.first[axis];
  const int end = along + (axis == 0 ? int(sizeof(T) / sizeof(R)) : 1);  // of the lanes
  if (!(along <= 0 && end > 0) && !(along <= n && end > n)) return;
  const T side = axis == 0 ? load_as<T>(p.geometry.tables.tan_face + at.i)
                           : T(p.geometry.tables.tan_face[at.j + p.geometry.tables.row_shift]);
  for (int upper = 0; upper < 2; ++upper) {
    const auto there = side == T(R(upper == 0 ? -1 : 1));
    const auto value = [&](int v) {
      const R* const row = p.rim(2 * axis + upper, v, at.k);
      return axis == 0 ? T(row[at.j]) : load_as<T>(row + at.i);
    };
    const auto put = [&](int place, const T& number) {
      record[place] = select(there, number, record[place]);
    };
    const T across = value(rim_across), beside = value(rim_along);
    put(g_mass, value(rim_mass));
    put(g_below, across);
    put(g_above, across);
    put(g_along_below, beside);
    put(g_along_above, beside);
    put(g_w, value(rim_w));
    put(g_energy, value(rim_energy));
  }
}

}  // namespace watersmeet::atmosphere
