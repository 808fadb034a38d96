#pragma once
// The equiangular gnomonic panel of a cubed sphere (Ronchi, Iacono and Paolucci 1996, J. Comput.
// Phys. 124, 93): a face of a cube with the coordinates alpha and beta in [-pi/4, pi/4], projected
// from the centre onto the unit sphere. With X = tan(alpha), Y = tan(beta) and the panel's
// right-handed triad ea, eb, n:
//
//   rr = n + X ea + Y eb,  d = |rr|,  position r = rr/d
//   base vectors        e1 = dr/dalpha = (1+X^2)/d^3 [(1+Y^2) ea - X Y eb - X n],  e2 likewise
//   covariant metric    g_11 = (1+X^2)^2 (1+Y^2)/d^4,  g_12 = -X Y (1+X^2)(1+Y^2)/d^4
//   area                L = (1+X^2)(1+Y^2)/d^3
//   contravariant       g^11 = d^2/(1+X^2),  g^12 = d^2 X Y/((1+X^2)(1+Y^2)),  g^22 = d^2/(1+Y^2)
//
// Everything follows from the tangents and squared cosines of alpha and beta: tables of one axis.
// The formulas commute: exchanging the axes exchanges the results to the last bit.

#include "core/math.hpp"
#include "core/vec.hpp"

namespace watersmeet::schemes {

template <class T>
struct PanelPoint {
  T x, y;          // X, Y
  T cos2x, cos2y;  // 1/(1+X^2), 1/(1+Y^2)
  T d2;

  WM_HD T g11() const { return d2 * cos2x; }
  WM_HD T g22() const { return d2 * cos2y; }
  WM_HD T g12() const { return d2 * ((x * cos2x) * (y * cos2y)); }
  WM_HD T inverse_area() const { return (cos2x * cos2y) * (d2 * root_(d2)); }
  WM_HD T area() const { return rcp_(inverse_area()); }
};

template <class T>
WM_HD PanelPoint<T> panel_point(const T& x, const T& cos2x, const T& y, const T& cos2y) {
  using R = RealOf<T>;
  return {x, y, cos2x, cos2y, R(1) + (x * x + y * y)};
}

// |u e1 + v e2|^2.
template <class T>
WM_HD T squared_length(const PanelPoint<T>& p, const T& u, const T& v) {
  using R = RealOf<T>;
  const T wx = R(1) + p.x * p.x, wy = R(1) + p.y * p.y, inverse = rcp_(p.d2);
  const T sum = (wx * (u * u) + wy * (v * v)) - (R(2) * (p.x * p.y)) * (u * v);
  return (wx * wy) * (inverse * inverse) * sum;
}

// The covariant components (g_11 u + g_12 v, g_12 u + g_22 v).
template <class T>
WM_HD Vec<T, 2> covariant(const PanelPoint<T>& p, const T& u, const T& v) {
  using R = RealOf<T>;
  const T wx = R(1) + p.x * p.x, wy = R(1) + p.y * p.y, xy = p.x * p.y, inverse = rcp_(p.d2);
  const T factor = (wx * wy) * (inverse * inverse);
  return {{factor * (wx * u - xy * v), factor * (wy * v - xy * u)}};
}

// u e1 + v e2 along ea, eb and n.
template <class T>
WM_HD Vec<T, 3> panel_vector(const PanelPoint<T>& p, const T& u, const T& v) {
  using R = RealOf<T>;
  const T wx = R(1) + p.x * p.x, wy = R(1) + p.y * p.y, xy = p.x * p.y;
  const T inverse = rcp_(p.d2 * root_(p.d2));
  const T a = wx * u, b = wy * v;
  return {
      {inverse * (wy * a - xy * b), inverse * (wx * b - xy * a), -inverse * (p.x * a + p.y * b)}};
}

// The contravariant components of a vector along ea, eb and n; what it has along r does not count.
template <class T>
WM_HD Vec<T, 2> panel_components(const PanelPoint<T>& p, const Vec<T, 3>& w) {
  const T d = root_(p.d2);
  return {{(d * p.cos2x) * (w[0] - p.x * w[2]), (d * p.cos2y) * (w[1] - p.y * w[2])}};
}

// The contravariant components of w x r, the velocity of a rotation w along ea, eb and n.
template <class T>
WM_HD Vec<T, 2> rotation_components(const PanelPoint<T>& p, const RealOf<T>* w) {
  const T round_x = w[2] + w[0] * p.x, round_y = w[2] + w[1] * p.y;
  return {{w[1] - round_x * (p.y * p.cos2x), round_y * (p.x * p.cos2y) - w[0]}};
}

// ea, eb and n of each panel, by Cartesian components.
template <class R>
using PanelFrames = Vec<Vec<R, 9>, 6>;

// Cartesian components of a vector along ea, eb and n.
template <class R, class T>
WM_HD Vec<T, 3> cartesian(const Vec<R, 9>& frame, const Vec<T, 3>& w) {
  Vec<T, 3> r;
  for (int c = 0; c < 3; ++c) r[c] = frame[c] * w[0] + frame[3 + c] * w[1] + frame[6 + c] * w[2];
  return r;
}

// Of a place r, the distance from the axis through the poles; of a vector there, what it has to the east and away from that axis. At the
// poles, where nothing is east, east is towards +y.
template <class T>
struct AboutPoles {
  T distance, east, outwards;
};
template <class T>
WM_HD AboutPoles<T> about_poles(const Vec<T, 3>& r, const Vec<T, 3>& vector) {
  using R = RealOf<T>;
  const T off2 = r[0] * r[0] + r[1] * r[1], one = T(R(1));
  const auto off = off2 > T(R(0));
  const T inverse = select(off, rcp_(root_(select(off, off2, one))), T(R(0)));
  const T cos_lon = select(off, r[0] * inverse, one), sin_lon = r[1] * inverse;
  return {sqrt_(off2), cos_lon * vector[1] - sin_lon * vector[0],
          cos_lon * vector[0] + sin_lon * vector[1]};
}

}  // namespace watersmeet::schemes
