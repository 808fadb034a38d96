#pragma once
// Summation-by-parts operators with diagonal norm for the first derivative, as exact fractions:
//
//   D = H^-1 Q,   Q + Q^T = B = diag(-1, 0, ..., 0, 1),   H diagonal and positive
//
// on n nodes of spacing 1. The inner rows are the central differences of order 2, 4, 6; the first
// and last 1, 4, 6 rows are of order 1, 2, 3. The upper end is the lower one turned round:
// Q(n-1-i, n-1-j) = -Q(i, j), H(n-1-i) = H(i).
//
// The closures of order 6 are a family with one parameter x1 = Q(4, 5):
//   compatible   342523/518400, the member that the narrow second derivative of Mattsson and
//                Nordstrom (J. Comput. Phys. 199, 2004) belongs to
//   accurate     70057/99900, near the smallest error of the derivatives of x^4 and x^5 and near
//                the smallest spectral radius (tests/unit/schemes/sbp_test.cpp measures both)
//
// Source: Strand (1994), J. Comput. Phys. 110, 47. The tests re-derive everything that the
// coefficients must satisfy, in exact arithmetic.

#include "schemes/rational.hpp"

namespace watersmeet::schemes {

constexpr Rational sbp6_accurate{70057, 99900};
constexpr Rational sbp6_compatible{342523, 518400};

// Sizes of the operator of inner order 2, 4 or 6.
constexpr int sbp_radius(int inner_order) { return inner_order / 2; }
constexpr int sbp_rows(int inner_order) { return inner_order == 2 ? 1 : inner_order; }
constexpr int sbp_columns(int inner_order) {
  return sbp_rows(inner_order) + sbp_radius(inner_order);
}
// Fewest nodes: the closures of both ends may touch and must not overlap.
constexpr int sbp_minimum(int inner_order) { return 2 * sbp_rows(inner_order); }

template <int order>
requires(order == 2 || order == 4 || order == 6) struct SbpExact {
  static constexpr int radius = sbp_radius(order);
  static constexpr int rows = sbp_rows(order);
  static constexpr int columns = sbp_columns(order);
  static constexpr int minimum = sbp_minimum(order);

  Rational norm[rows];          // H of the first nodes; 1 further inside
  Rational corner[rows][rows];  // Q of the first nodes among each other
  Rational central[radius];  // Q(i, i + m), m = 1 .. radius, where i or i + m lies further inside

  // Entry (i, j) of Q on n nodes.
  constexpr Rational q(int i, int j, int n) const {
    if (i < rows && j < rows) return corner[i][j];
    if (n - 1 - i < rows && n - 1 - j < rows) return -corner[n - 1 - i][n - 1 - j];
    const int m = j - i;
    if (m == 0 || m > radius || -m > radius) return {};
    return m > 0 ? central[m - 1] : -central[-m - 1];
  }
  constexpr Rational h(int i, int n) const {
    const int inward = i < n - 1 - i ? i : n - 1 - i;
    return inward < rows ? norm[inward] : Rational(1);
  }
};

namespace detail {

// Fills the corner of Q from its upper triangle, given row by row; Q(0, 0) = -1/2.
template <int order>
constexpr void set_corner(SbpExact<order>& s, const Rational* upper) {
  s.corner[0][0] = {-1, 2};
  for (int i = 0; i < s.rows; ++i) {
    for (int j = i + 1; j < s.rows; ++j) {
      s.corner[i][j] = *upper;
      s.corner[j][i] = -*upper++;
    }
  }
}

}  // namespace detail

// x1 matters to order 6 only.
template <int order>
constexpr SbpExact<order> sbp_exact(Rational x1 = sbp6_accurate) {
  SbpExact<order> s;
  if constexpr (order == 2) {
    s.norm[0] = {1, 2};
    s.central[0] = {1, 2};
    detail::set_corner(s, nullptr);
  } else if constexpr (order == 4) {
    const Rational norm[] = {{17, 48}, {59, 48}, {43, 48}, {49, 48}};
    const Rational upper[] = {{59, 96}, {-1, 12}, {-1, 32}, {59, 96}, 0, {59, 96}};
    for (int i = 0; i < 4; ++i) s.norm[i] = norm[i];
    s.central[0] = {2, 3};
    s.central[1] = {-1, 12};
    detail::set_corner(s, upper);
  } else {
    const Rational norm[] = {{13649, 43200}, {12013, 8640}, {2711, 4320},
                             {5359, 4320},   {7877, 8640},  {43801, 43200}};
    // The compatible member, and what one unit of x1 adds.
    Rational upper[] = {{104009, 172800}, {30443, 259200}, {-33311, 86400}, {5621, 28800},
                        {-601, 20736},    {-311, 51840},   {6743, 5760},    {-24337, 34560},
                        {36661, 259200},  {-2231, 5184},   {41287, 51840},  {-7333, 28800},
                        {4147, 17280},    {25427, 259200}, {342523, 518400}};
    const int family[] = {1, -4, 6, -4, 1, 10, -20, 15, -4, 20, -20, 6, 10, -4, 1};
    for (int e = 0; e < 15; ++e) upper[e] = upper[e] + (x1 - sbp6_compatible) * family[e];
    for (int i = 0; i < 6; ++i) s.norm[i] = norm[i];
    s.central[0] = {3, 4};
    s.central[1] = {-3, 20};
    s.central[2] = {1, 60};
    detail::set_corner(s, upper);
  }
  return s;
}

}  // namespace watersmeet::schemes
