#pragma once
// Shock viscosity of central differences: a bulk viscosity where the flow converges, which spreads a shock over a few cells,
//
//   zeta_s = c_s h^2 smooth( max over the cell and its neighbours of max(0, -div u) )
//   force per mass   zeta_s [ grad div u + (div u) grad l ] + (div u) grad zeta_s = grad( rho zeta_s div u ) / rho
//   heating per mass zeta_s (div u)^2
//
// The maximum is over 3 cells along each axis, the smoothing has the weights 1/4, 1/2, 1/4 along each axis, h is the largest spacing. Sources: von
// Neumann and Richtmyer (1950), J. Appl. Phys. 21, 232; Haugen, Brandenburg and Mee (2004), MNRAS 353, 947, whose maximum is over 5 cells
// and whose h is the smallest spacing: with the largest one a shock is spread over the cells of every axis.
//
// Two passes before each stage: max(0, -div u) of all cells, then zeta_s of two layers of neighbours of these, corners included.

#include "core/host_device.hpp"
#include "core/math.hpp"
#include "core/vec.hpp"
#include "schemes/central.hpp"

namespace watersmeet::schemes {

// What a right-hand side of central differences contains besides the plain equations. Each has the terms of those before it.
enum class Terms : int { plain, extended, shock };

// max(0, -div u) of the velocity in the variables v, v + 1, v + 2.
template <class R, int v>
struct Compression {
  Weights6<R> w;
  template <class S>
  WM_HD typename S::value_type operator()(const S& s) const {
    using T = typename S::value_type;
    return max_(T(R(0)), T(-divergence6(s, v, w)));
  }
};

// zeta_s of the compression in variable 0.
template <class R>
struct ShockViscosity {
  R scale;  // c_s h^2

  template <class S>
  WM_HD typename S::value_type operator()(const S& s) const {
    using T = typename S::value_type;
    T plane[5][3][3];  // [k + 2][j + 1][i + 1], the largest of 3 x 3 cells of a plane
    for (int k = 0; k < 5; ++k) {
      T row[5][3];
      for (int j = 0; j < 5; ++j) {
        T cell[5];
        for (int i = 0; i < 5; ++i) cell[i] = s(0, i - 2, j - 2, k - 2);
        for (int i = 0; i < 3; ++i) row[j][i] = max_(max_(cell[i], cell[i + 1]), cell[i + 2]);
      }
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
          plane[k][j][i] = max_(max_(row[j][i], row[j + 1][i]), row[j + 2][i]);
    }
    T sum = T(R(0));
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i) {
          const int outside = (i != 1 ? 1 : 0) + (j != 1 ? 1 : 0) + (k != 1 ? 1 : 0);
          const R weight = R(outside == 0   ? 1.0 / 8
                             : outside == 1 ? 1.0 / 16
                             : outside == 2 ? 1.0 / 32
                                            : 1.0 / 64);
          sum += weight * max_(max_(plane[k][j][i], plane[k + 1][j][i]), plane[k + 2][j][i]);
        }
      }
    }
    return scale * sum;
  }
};

}  // namespace watersmeet::schemes
