#pragma once
// WENO reconstruction of cell averages at both edges of a cell (Jiang and Shu 1996; WENO-Z: Borges
// et al. 2008, power 2). The three smoothness indicators of a cell serve both edges. Everything is
// written in differences of neighbours, so that a uniform field gives its value without rounding,
// and in explicit multiply-adds, so that every loop gives the same bits.
//
//        cells       a     b     c     d     f
//                             |     |
//        edges of c         lower upper
//
//   differences      d1 = b - a, d2 = c - b, d3 = d - c, d4 = f - d
//   linear weights   1, 6, 3 tenths (upper edge); 3, 6, 1 tenths (lower edge)
//
// The indicators below are four times those of the literature, as sums of squares (the expanded
// form goes negative in finite precision):
//   beta_0 = 13/3 (a - 2b + c)^2 + (a - 4b + 3c)^2
//   beta_1 = 13/3 (b - 2c + d)^2 + (b - d)^2
//   beta_2 = 13/3 (c - 2d + f)^2 + (3c - 4d + f)^2

#include <type_traits>

#include "core/math.hpp"
#include "schemes/edge_values.hpp"

namespace watersmeet::schemes {

// The indicators are made dimensionless: epsilon + beta_k * inverse_scale, where
// inverse_scale = 1 / (4 s^2) for a field of magnitude s.
template <class R>
struct WenoScale {
  R epsilon, inverse_scale;
};

namespace detail {

// Polynomials at the edges minus the cell's own value, times 6, and the indicators.
template <class T>
struct Candidates {
  T lower[3], upper[3], indicator[3];
};

template <class T>
WM_HD Candidates<T> candidates5(const T& d1, const T& d2, const T& d3, const T& d4) {
  using R = RealOf<T>;
  Candidates<T> k;
  k.upper[0] = fma_(T(R(-2)), d1, R(5) * d2);
  k.upper[1] = fma_(T(R(2)), d3, d2);
  k.upper[2] = fma_(T(R(4)), d3, -d4);
  k.lower[0] = fma_(T(R(-4)), d2, d1);
  k.lower[1] = -fma_(T(R(2)), d2, d3);
  k.lower[2] = fma_(T(R(2)), d4, R(-5) * d3);
  const T curve[3] = {d2 - d1, d3 - d2, d4 - d3};
  const T slope[3] = {fma_(T(R(3)), d2, -d1), d2 + d3, fma_(T(R(-3)), d3, d4)};
  for (int i = 0; i < 3; ++i) {
    k.indicator[i] = fma_(R(13.0 / 3.0) * curve[i], curve[i], slope[i] * slope[i]);
  }
  return k;
}

// c + sum_k w_k q_k / (6 sum_k w_k)
template <class T>
WM_HD T weighted(const T& c, const T& w0, const T& w1, const T& w2, const T (&q)[3]) {
  using R = RealOf<T>;
  const T numerator = fma_(w0, q[0], fma_(w1, q[1], w2 * q[2]));
  const T share = R(1.0 / 6.0) * rcp_(w0 + (w1 + w2));
  return fma_(numerator, share, c);
}

template <class T>
WM_HD EdgeValues<T> weigh5(const T& c, const Candidates<T>& k, const T (&g)[3]) {
  using R = RealOf<T>;
  const T middle = R(6) * g[1];
  return {weighted(c, R(3) * g[0], middle, g[2], k.lower),
          weighted(c, g[0], middle, R(3) * g[2], k.upper)};
}

}  // namespace detail

namespace detail {

// 1/(epsilon + beta_k)^2, brought to one denominator: g_k is the squared product of the other two,
// so that no reciprocal is needed but those of the two sums. In single precision this holds for
// epsilon from 1e-8 on and beta up to 1e8.
template <class T>
struct ShareJs {
  T of[3];
  WM_HD ShareJs(const Candidates<T>& k, const WenoScale<RealOf<T>>& s) {
    T e[3];
    for (int i = 0; i < 3; ++i) e[i] = fma_(k.indicator[i], T(s.inverse_scale), T(s.epsilon));
    const T p01 = e[0] * e[1], p02 = e[0] * e[2], p12 = e[1] * e[2];
    of[0] = p12 * p12;
    of[1] = p02 * p02;
    of[2] = p01 * p01;
  }
};

// 1 + (tau / (epsilon + beta_k))^2, tau = |beta_0 - beta_2|.
template <class T>
struct ShareZ {
  T of[3];
  WM_HD ShareZ(const Candidates<T>& k, const WenoScale<RealOf<T>>& s) {
    using R = RealOf<T>;
    const T tau = s.inverse_scale * abs_(k.indicator[0] - k.indicator[2]);
    for (int i = 0; i < 3; ++i) {
      T ratio = tau * rcp_(fma_(k.indicator[i], T(s.inverse_scale), T(s.epsilon)));
      // Its square must stay finite.
      if constexpr (std::is_same_v<R, float>) ratio = min_(ratio, T(R(1e18)));
      of[i] = fma_(ratio, ratio, T(R(1)));
    }
  }
};

}  // namespace detail

template <class T>
WM_HD EdgeValues<T> weno5_js(const T& a, const T& b, const T& c, const T& d, const T& f,
                             const WenoScale<RealOf<T>>& s) {
  const auto k = detail::candidates5(T(b - a), T(c - b), T(d - c), T(f - d));
  return detail::weigh5(c, k, detail::ShareJs<T>(k, s).of);
}

template <class T>
WM_HD EdgeValues<T> weno5_z(const T& a, const T& b, const T& c, const T& d, const T& f,
                            const WenoScale<RealOf<T>>& s) {
  const auto k = detail::candidates5(T(b - a), T(c - b), T(d - c), T(f - d));
  return detail::weigh5(c, k, detail::ShareZ<T>(k, s).of);
}

// Third order: beta_0 = (c - b)^2, beta_1 = (d - c)^2, weights 1/(epsilon + beta_k)^2, linear
// weights 1, 2 (upper) and 2, 1 (lower) thirds. The scale is that of weno5, with its factor of 4.
template <class T>
WM_HD EdgeValues<T> weno3(const T& b, const T& c, const T& d, const WenoScale<RealOf<T>>& s) {
  using R = RealOf<T>;
  const T d2 = c - b, d3 = d - c;
  const T e0 = fma_(d2 * d2, T(R(4) * s.inverse_scale), T(s.epsilon));
  const T e1 = fma_(d3 * d3, T(R(4) * s.inverse_scale), T(s.epsilon));
  const T g0 = e1 * e1, g1 = e0 * e0;
  const T upper = fma_(g0, d2, R(2) * g1 * d3) * rcp_(fma_(T(R(2)), g1, g0));
  const T lower = fma_(R(2) * g0, d2, g1 * d3) * rcp_(fma_(T(R(2)), g0, g1));
  return {fma_(T(R(-0.5)), lower, c), fma_(T(R(0.5)), upper, c)};
}

}  // namespace watersmeet::schemes
