#pragma once
// Sixth-order central differences on a uniform grid, offsets -3..3, written on an accessor s(var,
// di, dj, dk).
//
//   first    (1/(60 h))      { -1, 9, -45, 0, 45, -9, 1 }            6 points, exact to degree 6
//   second   (1/(180 h^2))   { 2, -27, 270, -490, 270, -27, 2 }      7 points, exact to degree 7
//   mixed    (1/(720 hx hy)) sum_m b_m [(f(m,m) - f(-m,m)) - (f(m,-m) - f(-m,-m))],  b = 270, -27, 2,
//                                                                    12 points
//   sixth    (1/h^6)         { 1, -6, 15, -20, 15, -6, 1 }           for upwinding and
//                                                                    hyperviscosity
//
// Sources: Brandenburg (2003), "Computational aspects of astrophysical MHD and turbulence", for
// first, second and the bidiagonal mixed derivative; Dobler, Stix & Brandenburg (2006), ApJ 638,
// 336, for the sixth-derivative upwinding. The weights are re-derived by
// tests/unit/schemes/central_test.cpp (exactness on monomials, symbols on Fourier modes).
//
// Spacing is folded into the weights once on the host; an axis of one cell has weights zero, so its
// derivatives are exactly zero.

#include "core/host_device.hpp"
#include "core/math.hpp"
#include "core/vec.hpp"

namespace watersmeet::schemes {

constexpr int radius6 = 3;

// Weights of one axis for a given spacing.
template <class R>
struct AxisWeights {
  R first[3];   // on f(+m) - f(-m), m = 1..3
  R second[4];  // on f(0), then f(+m) + f(-m)
};

template <class R>
struct Weights6 {
  AxisWeights<R> axis[3];
  R mixed[3][3];  // [pair xy, xz, yz][m]
};

// inverse_spacing = 0 for an axis of one cell.
template <class R>
Weights6<R> make_weights6(const double inverse_spacing[3]) {
  Weights6<R> w{};
  for (int a = 0; a < 3; ++a) {
    const double g = inverse_spacing[a];
    w.axis[a] = {{R(45.0 / 60.0 * g), R(-9.0 / 60.0 * g), R(1.0 / 60.0 * g)},
                 {R(-490.0 / 180.0 * g * g), R(270.0 / 180.0 * g * g), R(-27.0 / 180.0 * g * g),
                  R(2.0 / 180.0 * g * g)}};
  }
  const int pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int p = 0; p < 3; ++p) {
    const double g = inverse_spacing[pair[p][0]] * inverse_spacing[pair[p][1]] / 720.0;
    w.mixed[p][0] = R(270.0 * g);
    w.mixed[p][1] = R(-27.0 * g);
    w.mixed[p][2] = R(2.0 * g);
  }
  return w;
}

// Value m points along an axis.
template <int axis, class S>
WM_HD auto along(const S& s, int var, int m) {
  return s(var, axis == 0 ? m : 0, axis == 1 ? m : 0, axis == 2 ? m : 0);
}

template <int axis, class S, class R>
WM_HD auto first6(const S& s, int var, const Weights6<R>& w) {
  const R* const c = w.axis[axis].first;
  return c[0] * (along<axis>(s, var, 1) - along<axis>(s, var, -1)) +
         c[1] * (along<axis>(s, var, 2) - along<axis>(s, var, -2)) +
         c[2] * (along<axis>(s, var, 3) - along<axis>(s, var, -3));
}

template <int axis, class S, class R>
WM_HD auto second6(const S& s, int var, const Weights6<R>& w) {
  const R* const c = w.axis[axis].second;
  return c[0] * s(var, 0, 0, 0) + c[1] * (along<axis>(s, var, 1) + along<axis>(s, var, -1)) +
         c[2] * (along<axis>(s, var, 2) + along<axis>(s, var, -2)) +
         c[3] * (along<axis>(s, var, 3) + along<axis>(s, var, -3));
}

// Sixth difference, without spacing: multiply by 1/h^6, or by |u|/(60 h) for fifth-order upwinding.
template <int axis, class S>
WM_HD auto sixth_difference(const S& s, int var) {
  using R = RealOf<decltype(s(var, 0, 0, 0))>;
  return R(-20) * s(var, 0, 0, 0) + R(15) * (along<axis>(s, var, 1) + along<axis>(s, var, -1)) -
         R(6) * (along<axis>(s, var, 2) + along<axis>(s, var, -2)) +
         (along<axis>(s, var, 3) + along<axis>(s, var, -3));
}

// Mixed second derivative along two different axes a < b; w.mixed index 0: xy, 1: xz, 2: yz.
template <int a, int b, class S>
WM_HD auto diagonal(const S& s, int var, int ma, int mb) {
  return s(var, a == 0 ? ma : 0, a == 1 ? ma : (b == 1 ? mb : 0), b == 2 ? mb : 0);
}
template <int a, int b, class S>
WM_HD auto slope_change(const S& s, int var, int m) {
  return (diagonal<a, b>(s, var, m, m) - diagonal<a, b>(s, var, -m, m)) -
         (diagonal<a, b>(s, var, m, -m) - diagonal<a, b>(s, var, -m, -m));
}
template <int a, int b, class S, class R>
WM_HD auto mixed6(const S& s, int var, const Weights6<R>& w) {
  static_assert(a < b);
  const R* const c = w.mixed[a + b - 1];
  return c[0] * slope_change<a, b>(s, var, 1) + c[1] * slope_change<a, b>(s, var, 2) +
         c[2] * slope_change<a, b>(s, var, 3);
}

// What component m of the vector in the variables v, v + 1 and v + 2 gives to the mixed derivatives in grad div: add(axis, value). Where an
// accessor sums those with z from plane to plane (exec/cell_ring.hpp), the last component gives them for all three.
template <int m, class S, class R, class Add>
WM_HD void mixed_derivatives(const S& s, int v, const Weights6<R>& w, Add&& add) {
  if constexpr (requires { s.mixed_with_z(v, w); }) {
    if constexpr (m < 2) {
      add(1 - m, mixed6<0, 1>(s, v + m, w));
    } else {
      const auto with_z = s.mixed_with_z(v, w);
      for (int axis = 0; axis < 3; ++axis) add(axis, with_z[axis]);
    }
  } else {
    constexpr int a = m == 0 ? 1 : 0, b = m == 2 ? 1 : 2;  // the other two axes
    add(a, mixed6<(m < a ? m : a), (m < a ? a : m)>(s, v + m, w));
    add(b, mixed6<(m < b ? m : b), (m < b ? b : m)>(s, v + m, w));
  }
}

// The gradient of a scalar; the divergence of the vector in the variables v, v + 1 and v + 2.
template <class S, class R>
WM_HD Vec<typename S::value_type, 3> gradient6(const S& s, int var, const Weights6<R>& w) {
  return {{first6<0>(s, var, w), first6<1>(s, var, w), first6<2>(s, var, w)}};
}
template <class S, class R>
WM_HD typename S::value_type divergence6(const S& s, int v, const Weights6<R>& w) {
  return first6<0>(s, v, w) + first6<1>(s, v + 1, w) + first6<2>(s, v + 2, w);
}
template <class S, class R>
WM_HD Vec<typename S::value_type, 3> curl6(const S& s, int v, const Weights6<R>& w) {
  return {{first6<1>(s, v + 2, w) - first6<2>(s, v + 1, w),
           first6<2>(s, v, w) - first6<0>(s, v + 2, w),
           first6<0>(s, v + 1, w) - first6<1>(s, v, w)}};
}

template <class S, class R>
WM_HD typename S::value_type laplacian6(const S& s, int var, const Weights6<R>& w) {
  return second6<0>(s, var, w) + second6<1>(s, var, w) + second6<2>(s, var, w);
}

template <class T>
struct SecondDerivatives {
  Vec<T, 3> laplacian, grad_div;  // of a vector
};

// What component m of the vector in the variables v, v + 1 and v + 2 gives to them.
template <int m, class S, class T, class R>
WM_HD void add_component(SecondDerivatives<T>& d, const S& s, int v, const Weights6<R>& w) {
  const int var = v + m;
  const Vec<T, 3> pure = {{second6<0>(s, var, w), second6<1>(s, var, w), second6<2>(s, var, w)}};
  d.laplacian[m] = pure[0] + pure[1] + pure[2];
  d.grad_div[m] += pure[m];
  mixed_derivatives<m>(s, v, w, [&](int axis, const T& value) { d.grad_div[axis] += value; });
}

// Second derivatives of the vector in the variables v, v + 1 and v + 2.
template <class S, class R>
WM_HD SecondDerivatives<typename S::value_type> second_derivatives6(const S& s, int v,
                                                                    const Weights6<R>& w) {
  SecondDerivatives<typename S::value_type> d{};
  add_component<0>(d, s, v, w);
  add_component<1>(d, s, v, w);
  add_component<2>(d, s, v, w);
  return d;
}

}  // namespace watersmeet::schemes
