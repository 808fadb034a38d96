#pragma once
// The epilogue of the node form: the stage update of stage.hpp at a node, without the penalties of
// nodes on faces.

#include <type_traits>

#include "systems/aerodynamics/node_scheme.hpp"
#include "systems/aerodynamics/stage.hpp"

namespace watersmeet::aerodynamics {

template <class R>
struct StageEpilogue {
  StageUpdate<R> update;
  StageArrays<R> arrays;
  FlowModel<R> model;
  const exec::Clock* clock = nullptr;  // has dt

  // Returns how much the new state was limited: 1 where it was, else 0.
  template <class T>
  WM_HD T operator()(const exec::NodePoint& p, const exec::NodeRates<T, n_variables>& rates,
                     int lanes) const {
    const std::int64_t pitch = arrays.pitch;
    const auto load = [&](const R* array, int v) { return load_as<T>(array + v * pitch + p.node); };
    State<T> r;
    for (int v = 0; v < n_variables; ++v) {
      T d = rates.dissipation[v];
      if (update.form == StageForm::local && update.blended) {
        if (!update.first) {
          const T before = load(arrays.kept, v);
          d = update.beta == R(0) ? before : update.beta * d + (R(1) - update.beta) * before;
        }
        if (update.beta != R(0) && !update.last) {
          store_lanes(arrays.kept + v * pitch + p.node, d, lanes);
        }
      }
      r[v] = rates.flux[v] - d;
      if (arrays.forcing) r[v] = r[v] + load(arrays.forcing, v);
    }
    if (update.form == StageForm::residual || update.form == StageForm::forcing) {
      const bool whole = update.form == StageForm::residual;
      for (int v = 0; v < n_variables; ++v) {
        const T value = whole ? r[v] : load(arrays.out, v) - r[v];
        store_lanes(arrays.out + v * pitch + p.node, value, lanes);
      }
      return T(R(0));
    }
    if (update.form == StageForm::global) {
      const T step = R(clock->dt) * load_as<T>(arrays.inverse_volume + p.node);
      for (int v = 0; v < n_variables; ++v) {
        const T base = load(arrays.base, v);
        T sum = (update.c * step) * r[v];
        if (!update.first) sum = sum + load(arrays.kept, v);
        if (!update.last) store_lanes(arrays.kept + v * pitch + p.node, sum, lanes);
        const T w = update.last ? base - sum : base - (update.a * step) * r[v];
        store_lanes(arrays.out + v * pitch + p.node, w, lanes);
      }
      return T(R(0));
    }
    const T step = update.a * load_as<T>(arrays.local_step + p.node);
    State<T> base, w;
    for (int v = 0; v < n_variables; ++v) {
      base[v] = load(arrays.base, v);
      w[v] = base[v] - step * r[v];
    }
    T limited = T(R(0));
    if (!p.on_face()) {
      const Admitted<T> taken = admitted(base, w, model.gas, model.smallest_rho, model.smallest_p);
      w = taken.w;
      limited = select(taken.limited, T(R(1)), T(R(0)));
      if (arrays.troubled) mark(arrays.troubled + p.node, limited, lanes);
    }
    for (int v = 0; v < n_variables; ++v) store_lanes(arrays.out + v * pitch + p.node, w[v], lanes);
    return limited;
  }

 private:
  // A single node is written to only where it was limited, which is rare.
  template <class T>
  WM_HD static void mark(R* at, const T& limited, int lanes) {
    if constexpr (std::is_same_v<T, R>) {
      if (limited > R(0)) *at = limited;
    } else {
      store_lanes(at, max_(limited, load_as<T>(at)), lanes);
    }
  }
};

}  // namespace watersmeet::aerodynamics
