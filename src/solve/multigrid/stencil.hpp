#pragma once
// The formulas of the smoothers and of the residual at a point, for scalars and packs.

#include "core/math.hpp"

namespace watersmeet::solve {

// Weights of L at a point: those of the six neighbours, and the diagonal.
template <class T>
struct PointWeights {
  T x_lower, x_upper, y_lower, y_upper, z_lower, z_upper, diagonal;
};
template <class T>
struct Neighbours {
  T x_lower, x_upper, y_lower, y_upper, z_lower, z_upper;
};

// Sum of the neighbours' parts of L phi, less f.
template <class T>
WM_HD T neighbour_sum(const PointWeights<T>& w, const Neighbours<T>& u, const T& f) {
  T sum = fma_(w.x_lower, u.x_lower, -f);
  sum = fma_(w.x_upper, u.x_upper, sum);
  sum = fma_(w.y_lower, u.y_lower, sum);
  sum = fma_(w.y_upper, u.y_upper, sum);
  sum = fma_(w.z_lower, u.z_lower, sum);
  return fma_(w.z_upper, u.z_upper, sum);
}

// phi <- phi + omega ((sum of neighbours - f) / diagonal - phi)
template <class T>
WM_HD T relaxed(const PointWeights<T>& w, const Neighbours<T>& u, const T& own, const T& f,
                const T& omega) {
  const T equilibrium = neighbour_sum(w, u, f) * rcp_(w.diagonal);
  return fma_(omega, equilibrium - own, own);
}

// f - L phi
template <class T>
WM_HD T residual_of(const PointWeights<T>& w, const Neighbours<T>& u, const T& own, const T& f) {
  return fma_(w.diagonal, own, -neighbour_sum(w, u, f));
}

}  // namespace watersmeet::solve
