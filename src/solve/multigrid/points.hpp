#pragma once
// What loops that take a level point by point compute at one point. Values(i, j, k) are those of the
// cells of a level, in its own memory (kernels_cuda.hpp) or packed in fast memory (small.hpp).

#include "solve/multigrid/arrays.hpp"
#include "solve/multigrid/stencil.hpp"

namespace watersmeet::solve {

template <class R>
struct Around {
  PointWeights<R> weights;
  Neighbours<R> values;
};
// Neighbours are found by their indices, also around a period.
template <class R, class Values>
WM_HD Around<R> around(const LevelArrays<R>& a, const Values& u, int i, int j, int k) {
  const int xl = i > 0 ? i - 1 : a.below[0], xu = i < a.n[0] - 1 ? i + 1 : a.above[0];
  const int yl = j > 0 ? j - 1 : a.below[1], yu = j < a.n[1] - 1 ? j + 1 : a.above[1];
  const int zl = k > 0 ? k - 1 : a.below[2], zu = k < a.n[2] - 1 ? k + 1 : a.above[2];
  return {{a.lower[0][i], a.upper[0][i], a.lower[1][j], a.upper[1][j], a.lower[2][k], a.upper[2][k],
           a.diagonal[0][i] + (a.diagonal[1][j] + a.diagonal[2][k])},
          {u(xl, j, k), u(xu, j, k), u(i, yl, k), u(i, yu, k), u(i, j, zl), u(i, j, zu)}};
}

// The average of f - L u over the children of a coarse cell.
template <class R, class Values>
WM_HD R restricted(const LevelArrays<R>& fine, const TransferArrays<R>& t, const Values& u,
                   const Values& f, int ic, int jc, int kc) {
  const int cx = t.coarsened[0] ? 2 : 1, cy = t.coarsened[1] ? 2 : 1, cz = t.coarsened[2] ? 2 : 1;
  R sum = R(0);
  for (int k = cz * kc; k < cz * kc + cz; ++k) {
    for (int j = cy * jc; j < cy * jc + cy; ++j) {
      const R share = t.share[1][j] * t.share[2][k];
      for (int i = cx * ic; i < cx * ic + cx; ++i) {
        const Around<R> r = around(fine, u, i, j, k);
        const R value = residual_of(r.weights, r.values, u(i, j, k), f(i, j, k));
        sum = fma_(share * t.share[0][i], value, sum);
      }
    }
  }
  return sum;
}

// The values of a coarse level at a fine cell.
template <class R, class Values>
WM_HD R interpolated(const TransferArrays<R>& t, const LevelArrays<R>& coarse, const Values& u,
                     int i, int j, int k) {
  const auto beyond = [&](int axis, int index) {
    if (!t.coarsened[axis]) return index;
    const int far = index / 2 + (index % 2 == 0 ? -1 : 1);
    return far < 0 ? coarse.below[axis] : far >= coarse.n[axis] ? coarse.above[axis] : far;
  };
  const int x[2] = {t.coarsened[0] ? i / 2 : i, beyond(0, i)};
  const int y[2] = {t.coarsened[1] ? j / 2 : j, beyond(1, j)};
  const int z[2] = {t.coarsened[2] ? k / 2 : k, beyond(2, k)};
  R sum = R(0);
  WM_UNROLL
  for (int e = 0; e < 2; ++e) {
    WM_UNROLL
    for (int d = 0; d < 2; ++d) {
      const R w = (e == 0 ? t.near[2][k] : t.far[2][k]) * (d == 0 ? t.near[1][j] : t.far[1][j]);
      const R line = fma_(t.far[0][i], u(x[1], y[d], z[e]), t.near[0][i] * u(x[0], y[d], z[e]));
      sum = fma_(w, line, sum);
    }
  }
  return sum;
}

}  // namespace watersmeet::solve
