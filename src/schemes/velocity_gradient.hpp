#pragma once
// Invariants of the velocity gradient g[i][j] = d u_i / d x_j, for output.

#include "core/host_device.hpp"
#include "core/math.hpp"
#include "core/vec.hpp"

namespace watersmeet::schemes {

// Q = (|Omega|^2 - |S|^2)/2 = -g_ij g_ji/2, Omega and S the antisymmetric and the symmetric part of g: positive where rotation exceeds strain, in
// vortices (J. C. R. Hunt, A. A. Wray and P. Moin, Center for Turbulence Research Report CTR-S88, 1988). Where div u = 0 it is the second invariant.
template <class T>
WM_HD T q_criterion(const Vec<Vec<T, 3>, 3>& g) {
  using R = RealOf<T>;
  const T diagonal = g[0][0] * g[0][0] + g[1][1] * g[1][1] + g[2][2] * g[2][2];
  return R(-0.5) * diagonal - (g[0][1] * g[1][0] + g[0][2] * g[2][0] + g[1][2] * g[2][1]);
}

}  // namespace watersmeet::schemes
