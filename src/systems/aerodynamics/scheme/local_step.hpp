#pragma once
// What is measured of a state before a step, node by node:
//
//   dt/V = CFL / sum_k max(lambda_k at i-1, i, i+1 along k),  lambda_k = |S^k . u| + c |S^k|
//
// The maximum keeps the step finite where S^k nearly vanishes at one node, as at a sharp trailing
// edge of an O-grid or on a polar axis. Also the shock sensor of dissipation.hpp, and as the signal
// sum_k lambda_k / V, which limits the step of a run with one time for all nodes. It is not a
// number where density or pressure is below its floor: that ends a run, which the floor of c alone
// would hold in registers. And the share max(0, 1 - k nu) of what transfers between grids move at a node,
// nu the largest of its sensors (transfer.hpp).

#include <limits>

#include "systems/aerodynamics/scheme/node_scheme.hpp"

namespace watersmeet::aerodynamics {

// The sensor of a level, and the shares of transfers: each where there is an array for it.
template <class R>
struct Sensor {
  FlowModel<R> model;
  ArrayAddress<R> sensor;  // [direction][pitch]
  ArrayAddress<R> share;
  std::int64_t pitch = 0;
  bool hold = false;  // never below what it was; there is an array of it
  TableAddress<R> troubled;

  WM_HD bool needed() const { return sensor || share; }

  // The sensor of a node along a direction, which is stored. At a troubled node 1/k2 or more: all
  // stencils that hold it are left with first differences.
  template <class T, class P, class Rho>
  WM_HD T along(const exec::NodePoint& p, int d, const P& pressure, const Rho& density,
                int lanes) const {
    const int i = p.index[d], n = p.block->n[d];
    T nu = widened_sensor_at(i, n, pressure);
    if (model.density_sensor) nu = max_(nu, widened_sensor_at(i, n, density));
    const std::int64_t place = d * pitch + p.node;
    if (hold) nu = max_(nu, load_as<T>(sensor + place));
    if (troubled) nu = max_(nu, (R(1) / model.shock_k2) * load_as<T>(troubled + p.node));
    if (sensor) store_lanes(sensor + place, nu, lanes);
    return nu;
  }
  // By the largest of the directions.
  template <class T>
  WM_HD void store_share(const exec::NodePoint& p, const T& largest, int lanes) const {
    if (!share) return;
    store_lanes(share + p.node, max_(T(R(0)), R(1) - model.transfer_damping * largest), lanes);
  }
};

// The sensor alone, of nodes whose pressures were made before: a node needs those of twelve others.
template <class R>
struct SensorOfPressures {
  Sensor<R> sensor;
  TableAddress<R> pressure, state;  // of the state the density is looked at

  template <class T>
  WM_HD T operator()(const exec::NodePoint& p, const T*, int lanes) const {
    T largest = T(R(0));
    WM_UNROLL
    for (int d = 0; d < 3; ++d) {
      if (p.block->n[d] == 1) continue;
      const auto at = [&](const R* array, int m) {
        return load_as<T>(array + p.node + m * p.stride[d]);
      };
      const T nu = sensor.template along<T>(
          p, d, [&](int m) { return at(pressure, m); },
          [&](int m) { return at(state + s_rho * sensor.pitch, m); }, lanes);
      largest = max_(largest, nu);
    }
    sensor.store_share(p, largest, lanes);
    return largest;
  }
};
template <class R>
struct Pressures {
  TableAddress<R> state;  // [variable][pitch]
  std::int64_t pitch = 0;
  Gas<R> gas;
  ArrayAddress<R> pressure;

  WM_HD int operator()(std::int64_t node) const {
    Conserved<R> w;
    for (int v = 0; v < n_variables; ++v) w[v] = state[v * pitch + node];
    pressure[node] = primitive_of(w, gas).p;
    return 0;
  }
};

template <class R>
struct LocalStep {
  exec::NodeArrays<R> arrays;
  FlowModel<R> model;
  R cfl = R(1);
  TableAddress<R> inverse_volume;
  ArrayAddress<R> local_step;
  bool steps = true;  // else the sensor alone
  Sensor<R> sensor;   // where needed

  template <class T>
  WM_HD T operator()(const exec::NodePoint& p, const T*, int lanes) const {
    T sum = T(R(0)), largest = T(R(0));
    WM_UNROLL
    for (int d = 0; d < 3; ++d) {
      const int i = p.index[d], n = p.block->n[d];
      if (n == 1) continue;
      const auto line = exec::node_line<T, n_variables>(arrays, p, d);
      // Beyond an end stands the node itself, so that no read waits for a decision.
      const auto radius = [&](int m) {
        const int at = i + m < 0 || i + m > n - 1 ? 0 : m;
        return spectral_radius(primitive_of(line.state(at), model.gas), line.area(at), model.gas);
      };
      if (steps) sum = sum + max_(max_(radius(0), radius(-1)), radius(1));
      if (sensor.needed()) {
        const T nu = sensor.template along<T>(
            p, d, [&](int m) { return primitive_of(line.state(m), model.gas).p; },
            [&](int m) { return line.state(m)[s_rho]; }, lanes);
        largest = max_(largest, nu);
      }
    }
    sensor.store_share(p, largest, lanes);
    return steps ? finish(p, sum, lanes) : sum;
  }

  // Stores the step of a node from its sum of radii, and returns its signal.
  template <class T>
  WM_HD T finish(const exec::NodePoint& p, const T& sum, int lanes) const {
    store_lanes(local_step + p.node, cfl * rcp_(sum), lanes);
    const auto here = exec::node_line<T, n_variables>(arrays, p, 0);
    const auto good =
        admissible(primitive_of(here.state(0), model.gas), model.smallest_rho, model.smallest_p);
    return select(good, sum * load_as<T>(inverse_volume + p.node),
                  T(std::numeric_limits<R>::quiet_NaN()));
  }
};

}  // namespace watersmeet::aerodynamics
