#pragma once
// The summation-by-parts derivatives of sbp_exact.hpp as tables of numbers for loops and kernels,
// the dissipation that goes with them, and the table of schemes of order 1 to 6.
//
// Dissipation along a line of n nodes (Mattsson, Svard and Nordstrom 2004, complete stencils only):
//
//   DISS_i = -(1/H_i) sum_m  Delta(i - m) eps lambda_m d_m,     d_m = sum_j Delta(j) w_(m+j)
//
//        node        m       m+1      ...     m+q              m = 0 .. n-1-q
//                    |________________________|
//                    difference d_m of order q, scaled by lambda of its middle
//
// With Delta(j) = (-1)^(q-j) binomial(q, j). It is negative semi-definite in H, its sum with
// weights H is zero, and a constant gives zero. eps makes the central difference of a linear
// advection equation the upwind-biased one of order 2q - 1.

#include "core/math.hpp"
#include "schemes/sbp_exact.hpp"

namespace watersmeet::schemes {

template <class R, int order>
struct Sbp {
  static constexpr int radius = sbp_radius(order);
  static constexpr int rows = sbp_rows(order);
  static constexpr int columns = sbp_columns(order);
  static constexpr int minimum = sbp_minimum(order);

  R norm[rows];              // H of the first nodes
  R closure[rows][columns];  // D of the first nodes
  R central[radius];         // on f(+m) - f(-m) elsewhere

  // As core/rounded.hpp asks for.
  template <class F>
  static Sbp rounded_from(const Sbp<F, order>& table) {
    Sbp r{};
    for (int i = 0; i < rows; ++i) {
      r.norm[i] = static_cast<R>(table.norm[i]);
      for (int j = 0; j < columns; ++j) r.closure[i][j] = static_cast<R>(table.closure[i][j]);
    }
    for (int m = 0; m < radius; ++m) r.central[m] = static_cast<R>(table.central[m]);
    return r;
  }
};

template <class R, int order>
constexpr Sbp<R, order> make_sbp(Rational x1 = sbp6_accurate) {
  const SbpExact<order> exact = sbp_exact<order>(x1);
  const int n = 2 * sbp_columns(order);  // long enough for a lower end without an upper one
  Sbp<R, order> table{};
  for (int i = 0; i < table.rows; ++i) {
    table.norm[i] = static_cast<R>(exact.norm[i].value());
    for (int j = 0; j < table.columns; ++j) {
      table.closure[i][j] = static_cast<R>((exact.q(i, j, n) / exact.norm[i]).value());
    }
  }
  for (int m = 0; m < table.radius; ++m) {
    table.central[m] = static_cast<R>(exact.central[m].value());
  }
  return table;
}

// H of node i of n.
template <class R, int order>
WM_HD R sbp_norm(const Sbp<R, order>& table, int i, int n) {
  const int inward = i < n - 1 - i ? i : n - 1 - i;
  return inward < table.rows ? table.norm[inward] : R(1);
}

// Derivative at node i of n; f(m) is the value m nodes further up the line. Written in explicit
// multiply-adds that start from the nearer end: turning a line round changes no bit but the sign,
// so that both sides of an interface compute the same normal (mesh/metrics.hpp).
template <class R, int order, class F>
WM_HD auto sbp_first(const Sbp<R, order>& table, int i, int n, const F& f) {
  using T = decltype(f(0));
  const bool low = i < table.rows, high = n - 1 - i < table.rows;
  if (low || high) {
    const int row = low ? i : n - 1 - i, step = low ? 1 : -1;
    const R* const c = table.closure[row];
    T sum = c[0] * f(-step * row);
    for (int j = 1; j < table.columns; ++j) sum = fma_(T(c[j]), f(step * (j - row)), sum);
    return low ? sum : -sum;
  }
  T sum = table.central[0] * (f(1) - f(-1));
  for (int m = 2; m <= table.radius; ++m) {
    sum = fma_(T(table.central[m - 1]), f(m) - f(-m), sum);
  }
  return sum;
}

// Delta(j) of the undivided difference of order q.
constexpr int difference_weight(int q, int j) {
  // Without a loop, which the compiler for GPUs would leave to run. For q <= 5.
  const int inward = j < q - j ? j : q - j;
  const int binomial = inward == 0 ? 1 : inward == 1 ? q : q * (q - 1) / 2;
  return (q - j) % 2 == 0 ? binomial : -binomial;
}

// Undivided difference of f(0) .. f(q).
template <int q, class F>
WM_HD auto undivided(const F& f) {
  using T = decltype(f(0));
  using R = RealOf<T>;
  T sum = R(difference_weight(q, 0)) * f(0);
  WM_UNROLL
  for (int j = 1; j <= q; ++j) sum = sum + R(difference_weight(q, j)) * f(j);
  return sum;
}

// The two nodes in the middle of the stencil of a difference of order q, counted from its first;
// the same node twice when q is even.
constexpr int middle_lower(int q) { return q / 2; }
constexpr int middle_upper(int q) { return (q + 1) / 2; }

// lambda of a stencil from that of the two nodes in its middle: the mean. Of first differences it
// is the larger one, as in Rusanov's flux, which keeps what is positive so: where a node flows away
// from its neighbour, as behind the base of a body, the mean is less than its speed and takes more
// out of the slow one than is there.
template <int q, class T>
WM_HD T middle_radius(const T& lower, const T& upper) {
  if constexpr (q == 1) return max_(lower, upper);
  return RealOf<T>(0.5) * (lower + upper);
}

// What a scheme of order 1 to 6 is made of. Odd orders are upwind-biased; even ones are central
// with a dissipation two orders higher.
struct SchemeOrder {
  int inner;         // of the derivative: 2, 4, 6
  int difference;    // q of the dissipation
  Rational epsilon;  // its coefficient
  int minimum;       // fewest nodes
};
constexpr SchemeOrder scheme_order(int order) {
  constexpr SchemeOrder table[] = {{2, 1, {1, 2}, 2},  {2, 2, {1, 12}, 3},  {4, 2, {1, 12}, 8},
                                   {4, 3, {1, 60}, 8}, {6, 3, {1, 60}, 12}, {6, 4, {1, 280}, 12}};
  return table[order - 1];
}

// Order along a direction of n nodes when `requested` is wanted: thin directions get a lower one.
// It depends on nothing else, so that blocks that share a face use the same operators along it.
// A direction of one node has none: 0.
constexpr int order_for(int requested, std::int64_t n) {
  const int allowed = n >= 12 ? 6 : n >= 8 ? 4 : n >= 3 ? 2 : n == 2 ? 1 : 0;
  return requested < allowed ? requested : allowed;
}

}  // namespace watersmeet::schemes
