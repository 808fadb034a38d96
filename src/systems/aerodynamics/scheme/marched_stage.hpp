#pragma once
// A stage of first order in the marching schedule (exec/node_march_cuda.hpp), compiled for what
// there is to decide and to keep: `local`, with steps of the nodes; radii are those of a first
// stage that makes these steps.

#include "exec/node_march.hpp"
#include "systems/aerodynamics/scheme/local_step.hpp"
#include "systems/aerodynamics/scheme/stage_epilogue.hpp"

namespace watersmeet::aerodynamics {

template <class R, exec::MarchParts parts_, bool local>
struct MarchedStage {
  static constexpr exec::MarchParts parts = parts_;
  static constexpr bool makes_steps = parts == exec::MarchParts::radii;
  exec::NodeArrays<R> arrays;
  NodeScheme<R, Features::plain> scheme;
  StageEpilogue<R> epilogue;
  LocalStep<R> stepping;
  bool signal = false;

  WM_HD bool tells_signal() const { return makes_steps && signal; }
  WM_HD bool has_faces() const { return epilogue.arrays.sums.start != nullptr; }
  WM_HD void prepare_faces(int number) const { epilogue.prepare_sum(number); }
  WM_HD Conserved<R> of_faces(int number) const {
    return epilogue.template penalties_at<R>(number);
  }
  // The rates of nodes on faces have their penalties.
  WM_HD StageEpilogue<R> compiled_epilogue() const {
    StageEpilogue<R> e = epilogue;
    e.arrays.sums = {};
    if constexpr (local) {
      e.update.form = StageForm::local;
      e.arrays.share = {};
    }
    if constexpr (!local || parts == exec::MarchParts::fluxes) e.update.makes_forcing = false;
    if constexpr (makes_steps) e.update.first = true;
    // The last stage has dissipation, and does not make steps.
    if constexpr (parts != exec::MarchParts::dissipation) e.arrays.pressure = {};
    return e;
  }
  using Loads = typename StageEpilogue<R>::template Loads<R>;
  WM_HD Loads load(const exec::NodePoint& p) const {
    return compiled_epilogue().template load<R>(p);
  }
  WM_HD R finish(const exec::NodePoint& p, const exec::NodeRates<R, n_variables>& rates,
                 const Loads& loads, const R& largest, exec::NodeReduction<R>& reduced) const {
    Loads known = loads;
    if constexpr (makes_steps) {
      reduced.signal = stepping.finish(p, largest, 1);
      known.local_step = stepping.cfl * rcp_(largest);
    }
    return compiled_epilogue().finish(p, rates, known, 1);
  }
};

}  // namespace watersmeet::aerodynamics
