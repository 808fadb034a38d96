#pragma once
// Dissipation along a line of nodes (schemes/sbp.hpp has its structure) and the sensor that finds
// shocks:
//
//   record of a stencil   eps lambda d   (scalar)    or    eps |A| d   (matrix),   d = Delta^q W
//   DISS_i = -(1/H_i) sum_m Delta(i - m) record_m
//
//   nu_i = |p_(i+1) - 2 p_i + p_(i-1)| / (p_(i+1) + 2 p_i + p_(i-1)),
//          at an end that of the neighbour, then the largest of i-1, i, i+1
//          (Jameson, Schmidt and Turkel 1981)
//   first differences with   eps_1 = min(1/2, k2 max(nu_m, nu_(m+1)))
//   high ones with           eps_q max(0, 1 - 2 k2 nu),  nu the largest of the stencil
//
// Matrix dissipation with floors of the eigenvalues: Swanson and Turkel (1992).

#include "schemes/sbp.hpp"
#include "systems/aerodynamics/riemann.hpp"

namespace watersmeet::aerodynamics {

// Floors of matrix dissipation.
template <class R>
WM_HD constexpr EigenvalueFloors<R> matrix_floors() {
  return {R(0.25), R(0.025)};
}

// Undivided difference of order q of the states w(0) .. w(q) of a stencil.
template <int q, class W>
WM_HD auto state_difference(const W& w) {
  auto d = w(0);
  for (int v = 0; v < n_variables; ++v) {
    d[v] = schemes::undivided<q>([&](int j) { return w(j)[v]; });
  }
  return d;
}

// lambda: spectral radius in the middle of the stencil, middle_radius() of schemes/sbp.hpp.
template <int q, class T, class W>
WM_HD Conserved<T> scalar_record(const T& epsilon, const T& lambda, const W& w) {
  Conserved<T> d = state_difference<q>(w);
  for (int v = 0; v < n_variables; ++v) d[v] = epsilon * lambda * d[v];
  return d;
}

// area: mean of the two nodes in the middle of the stencil.
template <int q, class T, class W>
WM_HD Conserved<T> matrix_record(const T& epsilon, const Area<T>& area, const W& w,
                                 const Gas<RealOf<T>>& gas,
                                 const EigenvalueFloors<RealOf<T>>& floors) {
  using R = RealOf<T>;
  Conserved<T> middle, d = state_difference<q>(w);
  for (int v = 0; v < n_variables; ++v) {
    middle[v] = R(0.5) * (w(schemes::middle_lower(q))[v] + w(schemes::middle_upper(q))[v]);
    d[v] = epsilon * d[v];
  }
  return absolute_jacobian(mean_at(middle, gas), area, d, gas, floors);
}

// Dissipation at node i of n; record(m) is that of the stencil whose first node lies m from node i,
// m = -q .. 0, asked for only where the stencil is complete.
template <int q, class R, class Record>
WM_HD auto dissipation_at(int i, int n, R inverse_norm, const Record& record) {
  using Sum = decltype(record(0));
  using T = decltype(Sum{}[0] + Sum{}[0]);
  Sum sum;
  for (int v = 0; v < n_variables; ++v) sum[v] = T(R(0));
  WM_UNROLL
  for (int m = -q; m <= 0; ++m) {
    if (i + m < 0 || i + m + q > n - 1) continue;
    const auto one = record(m);
    const R weight = -inverse_norm * R(schemes::difference_weight(q, -m));
    for (int v = 0; v < n_variables; ++v) sum[v] = sum[v] + weight * one[v];
  }
  return sum;
}

// The largest sensor of node i of n and its neighbours, at an end that of the neighbour; p(m) is
// the pressure m nodes further up the line, asked for where there is such a node. Zero on lines of
// two nodes.
template <class P>
WM_HD auto widened_sensor_at(int i, int n, const P& p) {
  using T = decltype(p(0));
  using R = RealOf<T>;
  constexpr int reach = 2;
  T at[2 * reach + 1];
  WM_UNROLL
  for (int m = -reach; m <= reach; ++m) at[m + reach] = p(i + m < 0 || i + m > n - 1 ? 0 : m);
  T largest = T(R(0));
  WM_UNROLL
  for (int m = 1; m < 2 * reach; ++m) {
    const T sides = at[m + 1] + at[m - 1], twice = R(2) * at[m];
    const T nu = abs_(sides - twice) * rcp_(sides + twice);
    const int node = i + m - reach;
    if (node >= 1 && node <= n - 2) largest = max_(largest, nu);
  }
  return largest;
}

// nu: the largest of the two nodes of a first difference.
template <class T>
WM_HD T shock_epsilon(const T& nu, RealOf<T> k2) {
  using R = RealOf<T>;
  return min_(T(R(0.5)), k2 * nu);
}

// nu: the largest of a stencil's nodes.
template <class T>
WM_HD T smooth_epsilon(RealOf<T> epsilon, const T& nu, RealOf<T> k2) {
  using R = RealOf<T>;
  return max_(T(R(0)), epsilon * (R(1) - R(2) * k2 * nu));
}

}  // namespace watersmeet::aerodynamics
