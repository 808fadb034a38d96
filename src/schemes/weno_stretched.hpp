#pragma once
// The reconstructions of schemes/weno.hpp for cells of different widths. With s = (x - x_c)/h of
// the middle cell, whose average is c, the parabola with the averages of three neighbouring cells is
//
//   p(s) = c + p_1 s + p_2 (s^2 - 1/12)        at the edges  c -+ p_1/2 + p_2/6
//   beta = p_1^2 + 13/3 p_2^2                  (Jiang and Shu 1996, the integrals over the cell)
//
// and p_1, p_2 are linear in the two differences of its averages. Stored are 2 p_1 and 2 p_2, the
// `slope` and `curve` of weno.hpp, so that equal widths give its formulas. With the faces x_0 .. x_5
// of the five cells and l_ij = x_j - x_i the linear weights are
//
//   upper edge, x_3:  l_34 l_35 / (l_04 l_05),  1 - the others,  l_03 l_13 / (l_05 l_15)
//   lower edge, x_2:  l_24 l_25 / (l_04 l_05),  1 - the others,  l_02 l_12 / (l_05 l_15)
//
// which are positive on any grid. The formulas follow from the primitive function (Shu 1998; on such
// grids: Coralic and Colonius, J. Comput. Phys. 274, 2014); weno_stretched_test derives them again.

#include "schemes/weno.hpp"

namespace watersmeet::schemes {

// What the reconstruction of a cell needs to know of the widths around it, by its number in a table.
enum WenoNumber : int {
  weno_slope,                     // of candidate k: two numbers at 2 k
  weno_curve = weno_slope + 6,    // likewise
  weno_lower = weno_curve + 6,    // linear weights of the lower edge, three
  weno_upper = weno_lower + 3,    // of the upper edge
  weno3_slope = weno_upper + 3,   // third order: of b, c and of c, d
  weno3_share = weno3_slope + 2,  // linear weight of b, c at the lower edge, c, d at the upper
  weno_numbers = weno3_share + 2
};

// h: widths of the five cells, numbers[weno_numbers] of the middle one.
inline void weno_numbers_of(const double (&h)[5], double* numbers) {
  double x[6] = {0};  // faces
  for (int i = 0; i < 5; ++i) x[i + 1] = x[i] + h[i];
  const double centre = 0.5 * (x[2] + x[3]);
  for (int k = 0; k < 3; ++k) {
    const double h0 = h[k], h1 = h[k + 1], h2 = h[k + 2];
    // Twice the second derivative's half per difference of slopes, and the slope at the middle of
    // the candidate's first two cells against that at the centre.
    const double g = 1.5 / (h0 + h1 + h2);
    const double from_first = 0.5 * (x[k] + x[k + 1]) - centre;
    const double from_second = 0.5 * (x[k + 1] + x[k + 2]) - centre;
    const double m = from_first + from_second + (h1 - h0) / 6;
    const double first = 2 / (h0 + h1), second = 2 / (h1 + h2);
    numbers[weno_slope + 2 * k] = 2 * h[2] * first * (1 + g * m);
    numbers[weno_slope + 2 * k + 1] = -2 * h[2] * second * g * m;
    numbers[weno_curve + 2 * k] = -2 * h[2] * h[2] * g * first;
    numbers[weno_curve + 2 * k + 1] = 2 * h[2] * h[2] * g * second;
  }
  const auto l = [&x](int i, int j) { return x[j] - x[i]; };
  const auto weigh = [&](double* w, double first, double last) {
    w[0] = first;
    w[1] = 1 - first - last;
    w[2] = last;
  };
  weigh(numbers + weno_lower, l(2, 4) * l(2, 5) / (l(0, 4) * l(0, 5)),
        l(0, 2) * l(1, 2) / (l(0, 5) * l(1, 5)));
  weigh(numbers + weno_upper, l(3, 4) * l(3, 5) / (l(0, 4) * l(0, 5)),
        l(0, 3) * l(1, 3) / (l(0, 5) * l(1, 5)));
  numbers[weno3_slope] = 2 * h[2] / (h[1] + h[2]);
  numbers[weno3_slope + 1] = 2 * h[2] / (h[2] + h[3]);
  numbers[weno3_share] = l(2, 4) / l(1, 4);
  numbers[weno3_share + 1] = l(1, 3) / l(1, 4);
}

namespace detail {

// number(n): of the middle cell, by WenoNumber.
template <class T, class Number>
WM_HD Candidates<T> candidates5(const T& d1, const T& d2, const T& d3, const T& d4,
                                const Number& number) {
  using R = RealOf<T>;
  const T d[4] = {d1, d2, d3, d4};
  Candidates<T> c;
  for (int k = 0; k < 3; ++k) {
    const int slope_at = weno_slope + 2 * k, curve_at = weno_curve + 2 * k;
    const T slope = fma_(number(slope_at), d[k], number(slope_at + 1) * d[k + 1]);
    const T curve = fma_(number(curve_at), d[k], number(curve_at + 1) * d[k + 1]);
    const T half = R(0.5) * curve;
    c.lower[k] = fma_(T(R(-1.5)), slope, half);
    c.upper[k] = fma_(T(R(1.5)), slope, half);
    c.indicator[k] = fma_(R(13.0 / 3.0) * curve, curve, slope * slope);
  }
  return c;
}

template <class T, class Number>
WM_HD EdgeValues<T> weigh5(const T& c, const Candidates<T>& k, const T (&g)[3],
                           const Number& number) {
  return {weighted(c, number(weno_lower) * g[0], number(weno_lower + 1) * g[1],
                   number(weno_lower + 2) * g[2], k.lower),
          weighted(c, number(weno_upper) * g[0], number(weno_upper + 1) * g[1],
                   number(weno_upper + 2) * g[2], k.upper)};
}

}  // namespace detail

template <class T, class Number>
WM_HD EdgeValues<T> weno5_js(const T& a, const T& b, const T& c, const T& d, const T& f,
                             const WenoScale<RealOf<T>>& s, const Number& number) {
  const auto k = detail::candidates5(T(b - a), T(c - b), T(d - c), T(f - d), number);
  return detail::weigh5(c, k, detail::ShareJs<T>(k, s).of, number);
}

template <class T, class Number>
WM_HD EdgeValues<T> weno5_z(const T& a, const T& b, const T& c, const T& d, const T& f,
                            const WenoScale<RealOf<T>>& s, const Number& number) {
  const auto k = detail::candidates5(T(b - a), T(c - b), T(d - c), T(f - d), number);
  return detail::weigh5(c, k, detail::ShareZ<T>(k, s).of, number);
}

// Third order: lines through two cells, whose slopes over the width of the middle cell are also the
// roots of the indicators.
template <class T, class Number>
WM_HD EdgeValues<T> weno3(const T& b, const T& c, const T& d, const WenoScale<RealOf<T>>& s,
                          const Number& number) {
  using R = RealOf<T>;
  const T below = number(weno3_slope) * (c - b), above = number(weno3_slope + 1) * (d - c);
  const T e0 = fma_(below * below, T(R(4) * s.inverse_scale), T(s.epsilon));
  const T e1 = fma_(above * above, T(R(4) * s.inverse_scale), T(s.epsilon));
  const T g0 = e1 * e1, g1 = e0 * e0;
  const auto slope = [&](const T& w0, const T& w1) {
    return fma_(w0, below, w1 * above) * rcp_(w0 + w1);
  };
  const T low = number(weno3_share), high = number(weno3_share + 1);
  const T lower = slope(low * g0, (R(1) - low) * g1), upper = slope((R(1) - high) * g0, high * g1);
  return {fma_(T(R(-0.5)), lower, c), fma_(T(R(0.5)), upper, c)};
}

}  // namespace watersmeet::schemes
