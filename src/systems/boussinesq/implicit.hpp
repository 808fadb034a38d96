#pragma once
// Diffusion that is implicit along some axes, by Crank and Nicolson, beside Adams-Bashforth for the rest. With D the diffusion along these axes
// and E what else is on the right-hand side,
//
//   prod_a (1 - dt/2 D_a) (u* - u) = dt ((1 + r/2) E - r/2 E_before + D u) - r G phi_before,   r = dt/dt_before
//   u** = u* + r G phi_before,   D G phi = D u**,   new u = u** - G phi
//
// in the increment, factor by factor (Kim and Moin 1985, J. Comput. Phys. 59, 308). u* carries the pressure of the step before, so that
// the projection moves the velocity along walls by dt^2 alone (van Kan 1986, SIAM J. Sci. Stat. Comput. 7, 870); for scalars there is none.
// In a steady state u* = u, and the factors have no part in it. Conditions on sides across these axes are constant in time: the
// increment has the same rules without constants.
//
// The stage before has made u + dt ((1 + r/2) (E + D) - r/2 E_before) and has kept E + D. Two passes over cells, before and after the lines:

#include <cstdint>

#include "exec/cell.hpp"
#include "systems/boussinesq/equations.hpp"
#include "systems/boussinesq/projection.hpp"

namespace watersmeet::boussinesq {

// For the loop of exec/column_loops.hpp, whose rows are here those of all planes and whose blocks are variables.
template <class R>
struct AroundLines {
  RightHandSide<R, 3, Advection::centred, StretchedMetrics<R>> rate;
  Vec<R, most_variables> diffusivity{};
  OtherArray<R> phi;  // of the step before
  exec::CellArrays<R> a;
  const exec::Clock* clock = nullptr;
  bool along[3] = {false, false, false};
  int rows_of_plane = 1;
  bool after = false;

  template <int axis, class S>
  WM_HD typename S::value_type diffused_along(const S& s, int var) const {
    using T = typename S::value_type;
    if (!along[axis]) return T(R(0));
    if (var == axis) return rate.template second_difference<axis, true>(s, var);
    return rate.template second_difference<axis, false>(s, var);
  }
  // G phi at the points of a component, 0 on walls.
  template <int axis, class S>
  WM_HD typename S::value_type gradient(const S& s) const {
    using T = typename S::value_type;
    constexpr int x = axis == 0, y = axis == 1, z = axis == 2;
    return (phi.template at<T>(s, 0, 0, 0, 0) - phi.template at<T>(s, 0, -x, -y, -z)) *
           rate.m.template over_distance<axis>(s);
  }

  template <class T>
  WM_HD void operator()(int i, int row, int var, int lanes, R dt) const {
    const auto s = exec::direct_accessor<T>(a, -1, i, row % rows_of_plane, row / rows_of_plane);
    const double r = clock->dt_before > 0.0 ? clock->dt / clock->dt_before : 0.0;
    const R as_before = r > 0.0 ? R(r) : R(1);
    T advanced = T(R(1)), pressure = T(R(0));
    if (var == 0) {
      advanced = rate.advanced.along_x(s);
      pressure = gradient<0>(s) * (as_before * advanced);
    } else if (var == 1) {
      advanced = T(rate.advanced.along_y(s));
      pressure = gradient<1>(s) * (as_before * advanced);
    } else if (var == 2) {
      advanced = T(rate.advanced.along_z(s));
      pressure = gradient<2>(s) * (as_before * advanced);
    }
    const std::int64_t at = var * a.stride_var + s.offset;
    const T value = load_as<T>(a.out + at);
    if (after) {
      store_lanes(a.out + at, s(var, 0, 0, 0) + (value + pressure), lanes);
      return;
    }
    const T diffused =
        (diffused_along<0>(s, var) + diffused_along<1>(s, var) + diffused_along<2>(s, var)) *
        (diffusivity[var] * advanced);
    store_lanes(a.increment + at, load_as<T>(a.increment + at) - diffused, lanes);
    store_lanes(a.out + at, (value - s(var, 0, 0, 0)) - ((R(0.5 * r) * dt) * diffused + pressure),
                lanes);
  }
};

}  // namespace watersmeet::boussinesq
