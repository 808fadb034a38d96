#pragma once
// What all faces of a sphere do, those between levels and the others.

#include "systems/atmosphere/globe_parameters.hpp"

namespace watersmeet::atmosphere {

template <class T, int values>
WM_HD Point<T> point_of(const Vec<T, values>& edge) {
  Point<T> w;
  for (int v = 0; v < n_primitives; ++v) w[v] = edge[v];
  return w;
}

// What the mass through a face brings along: velocity, and the work of the pressure.
template <class T>
struct Carried {
  Point<T> w;
  T work;
};
template <class T>
WM_HD Carried<T> carried(const FaceFlux<T>& f, const FaceSide<T>& a, const FaceSide<T>& b,
                         const Point<T>& l, const Point<T>& r) {
  const auto from_left = f.mass >= T(RealOf<T>(0));
  Carried<T> from;
  for (int v = w_u; v <= w_w; ++v) from.w[v] = select(from_left, l[v], r[v]);
  from.work = select(from_left, a.work, b.work);
  return from;
}

// By the solver of the case; `lmars_unlimited`: known to be lmars.
template <bool lmars_unlimited, class Parameters, class T>
WM_HD FaceFlux<T> solved(const Parameters& p, const FaceSide<T>& a, const FaceSide<T>& b,
                         const Reference<T>& here) {
  return lmars_unlimited || p.riemann == Riemann::lmars ? lmars_flux(a, b)
         : p.riemann == Riemann::ausm                   ? ausm_flux(a, b, here.p, p.least_mach)
                                                        : hllc_flux(a, b);
}

}  // namespace watersmeet::atmosphere
