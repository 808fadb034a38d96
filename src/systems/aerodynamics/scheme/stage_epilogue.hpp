#pragma once
// The epilogue of the node form: the stage update of stage.hpp at a node, with the penalties of
// nodes on faces where there are sums of them or the rates have them.

#include <type_traits>

#include "core/launch_order.hpp"
#include "core/prefetch.hpp"
#include "systems/aerodynamics/scheme/node_scheme.hpp"
#include "systems/aerodynamics/scheme/stage.hpp"

namespace watersmeet::aerodynamics {

template <class R>
struct StageEpilogue {
  StageUpdate<R> update;
  StageArrays<R> arrays;
  FlowModel<R> model;
  const exec::Clock* clock = nullptr;  // has dt
  bool penalised = false;              // nodes on faces have their penalties after this

  // Numbers a node where there are sums of penalties: before what adds them.
  WM_HD void number(exec::NodePoint& p) const {
    if (arrays.sums) p.face_at = exec::face_number(p);
  }
  // Asks for the sum of penalties of a node on faces by its number, if any, before it is read.
  WM_HD void prepare_sum(int face_at) const {
    if (face_at < 0) return;
    prefetch(arrays.sums[face_at].value);
    prefetch(arrays.sums[face_at].value + n_variables - 1);
  }
  // Asks for what a local stage of the node will read besides the state that it is at, long before
  // it does. The first stage is at W_0.
  WM_HD void prepare(const exec::NodePoint& p) const {
    prepare_sum(p.face_at);
    if (update.form != StageForm::local || update.first) return;
    for (int v = 0; v < n_variables; ++v) {
      prefetch(arrays.base + v * arrays.pitch + p.node);
      if (update.blended) prefetch(arrays.kept + v * arrays.pitch + p.node);
    }
    prefetch(arrays.local_step + p.node);
  }

  // The sum of penalties of a node on faces by its number; zero where there is none.
  template <class T>
  WM_HD Conserved<T> penalties_at(int face_at) const {
    Conserved<T> penalties;
    for (int v = 0; v < n_variables; ++v) penalties[v] = T(R(0));
    if constexpr (std::is_same_v<T, R>) {
      if (face_at >= 0) {
        await_launch_before();  // what made the sums; all else is older
        const NodeSum<R> sum = arrays.sums[face_at];
        for (int v = 0; v < n_variables; ++v) penalties[v] = sum.value[v];
      }
    }
    return penalties;
  }

  WM_HD bool is_forced(int v) const { return arrays.forcing && (arrays.forced >> v & 1); }

  // What a stage of a node reads besides the state that it is at.
  template <class T>
  struct Loads {
    Conserved<T> before, base, forcing, penalties;
    T local_step, share;
  };
  template <class T>
  WM_HD Loads<T> load(const exec::NodePoint& p) const {
    const auto read = [&](const R* array, int v) {
      return load_as<T>(array + v * arrays.pitch + p.node);
    };
    const bool local = update.form == StageForm::local;
    Loads<T> l;
    l.penalties = penalties_at<T>(p.face_at);
    l.local_step = l.share = T(R(0));
    for (int v = 0; v < n_variables; ++v) {
      if (local && update.blended && !update.first) l.before[v] = read(arrays.kept, v);
      if (local) l.base[v] = read(arrays.base, v);
      if (update.form == StageForm::forcing) l.base[v] = read(arrays.out, v);
      if (is_forced(v)) l.forcing[v] = read(arrays.forcing, v);
    }
    if (local) l.local_step = load_as<T>(arrays.local_step + p.node);
    if (arrays.share) l.share = load_as<T>(arrays.share + p.node);
    return l;
  }

  // Returns how much the new state was limited: 1 where it was, else 0. All reads come before what
  // is written: a thread waits for them once.
  template <class T>
  WM_HD T operator()(const exec::NodePoint& p, const exec::NodeRates<T, n_variables>& rates,
                     int lanes) const {
    return finish(p, rates, load<T>(p), lanes);
  }
  template <class T>
  WM_HD T finish(const exec::NodePoint& p, const exec::NodeRates<T, n_variables>& rates,
                 const Loads<T>& loads, int lanes) const {
    const std::int64_t pitch = arrays.pitch;
    const auto load = [&](const R* array, int v) { return load_as<T>(array + v * pitch + p.node); };
    const Conserved<T>&before = loads.before, &base = loads.base, &forcing = loads.forcing;
    const bool blends = update.form == StageForm::local && update.blended;
    Conserved<T> r;
    for (int v = 0; v < n_variables; ++v) {
      T d = rates.dissipation[v];
      if (blends) {
        if (!update.first) {
          d = update.beta == R(0) ? before[v] : update.beta * d + (R(1) - update.beta) * before[v];
        }
        if (update.beta != R(0) && !update.last) {
          store_lanes(arrays.kept + v * pitch + p.node, d, lanes);
        }
      }
      r[v] = (rates.flux[v] + loads.penalties[v]) - d;
      if (update.makes_forcing) {
        store_lanes(arrays.forcing + v * pitch + p.node, forcing[v] - r[v], lanes);
        r[v] = forcing[v];
      } else if (is_forced(v)) {
        r[v] = r[v] + forcing[v];
      }
      if (arrays.share) r[v] = loads.share * r[v];
    }
    if (update.form == StageForm::residual || update.form == StageForm::forcing) {
      const bool whole = update.form == StageForm::residual;
      for (int v = 0; v < n_variables; ++v) {
        const T value = whole ? r[v] : base[v] - r[v];
        store_lanes(arrays.out + v * pitch + p.node, value, lanes);
      }
      return T(R(0));
    }
    if (update.form == StageForm::global) {
      const T step = R(clock->dt) * load_as<T>(arrays.inverse_volume + p.node);
      for (int v = 0; v < n_variables; ++v) {
        const T start = load(arrays.base, v);
        T sum = (update.c * step) * r[v];
        if (!update.first) sum = sum + load(arrays.kept, v);
        if (!update.last) store_lanes(arrays.kept + v * pitch + p.node, sum, lanes);
        const T w = update.last ? start - sum : start - (update.a * step) * r[v];
        store_lanes(arrays.out + v * pitch + p.node, w, lanes);
      }
      return T(R(0));
    }
    const T step = update.a * loads.local_step;
    Conserved<T> w;
    for (int v = 0; v < n_variables; ++v) w[v] = base[v] - step * r[v];
    T limited = T(R(0));
    if (penalised || !p.on_face()) {
      const Admitted<T> taken = admitted(base, w, model.gas, model.smallest_rho, model.smallest_p);
      w = taken.w;
      limited = select(taken.limited, T(R(1)), T(R(0)));
      if (arrays.troubled) mark(arrays.troubled + p.node, limited, lanes);
    }
    for (int v = 0; v < n_variables; ++v) store_lanes(arrays.out + v * pitch + p.node, w[v], lanes);
    if (arrays.pressure) store_lanes(arrays.pressure + p.node, primitive_of(w, model.gas).p, lanes);
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
