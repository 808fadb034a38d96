#pragma once
// Turns the untyped calls of kernels.hpp into typed bodies, rounded once to the precision of the
// loops: common to the CPU and CUDA instantiation files.

#include <type_traits>

#include "exec/cell.hpp"
#include "exec/node_gather.hpp"
#include "exec/node_march.hpp"
#include "systems/aerodynamics/joined_stage.hpp"
#include "systems/aerodynamics/kernels.hpp"

namespace watersmeet::aerodynamics {

template <class R>
exec::NodeArrays<R> node_arrays_of(const StageCall& call) {
  const LevelArrays& l = *call.level;
  exec::NodeArrays<R> a;
  a.state = static_cast<const R*>(call.in);
  a.area = static_cast<const R*>(l.area);
  a.value = static_cast<const R*>(l.sensor);
  a.pitch = l.pitch;
  return a;
}

template <class R>
StageArrays<R> stage_arrays_of(const StageCall& call) {
  const LevelArrays& l = *call.level;
  StageArrays<R> a;
  a.out = static_cast<R*>(call.out);
  a.base = static_cast<const R*>(call.base);
  a.kept = static_cast<R*>(call.kept);
  a.forcing = static_cast<R*>(call.forcing);
  a.local_step = static_cast<const R*>(l.local_step);
  a.inverse_volume = static_cast<const R*>(l.inverse_volume);
  a.troubled = static_cast<R*>(l.troubled);
  if (call.pressures) a.pressure = static_cast<R*>(l.pressure);
  if (call.damped) a.share = static_cast<const R*>(l.share);
  a.pitch = l.pitch;
  if (call.summed) a.sums = static_cast<const NodeSum<R>*>(l.sums);
  return a;
}

template <class R, Features features, int fixed>
using FlowResidual = exec::NodeResidual<R, NodeScheme<R, features>, StageEpilogue<R>, fixed>;

template <class R, Features features, int fixed>
FlowResidual<R, features, fixed> residual_of(const StageCall& call) {
  const FlowModel<R> model = rounded<R>(*call.model);
  const StageUpdate<R> update = rounded<R>(call.update);
  return {node_arrays_of<R>(call),
          exec::rounded<R>(*call.level->operators),
          {model},
          parts_of(update),
          {update, stage_arrays_of<R>(call), model, call.clock, call.summed}};
}

template <class R>
Sensor<R> sensor_of(const StageCall& call) {
  const LevelArrays& l = *call.level;
  Sensor<R> s;
  s.model = rounded<R>(*call.model);
  // One that is held is remembered from here.
  if (call.sensor || (call.shares && l.hold_sensor)) s.sensor = static_cast<R*>(l.sensor);
  if (call.shares) s.share = static_cast<R*>(l.share);
  s.pitch = l.pitch;
  s.hold = l.hold_sensor;
  s.troubled = static_cast<const R*>(l.troubled);
  return s;
}
template <class R>
SensorOfPressures<R> sensor_of_pressures_of(const StageCall& call) {
  const LevelArrays& l = *call.level;
  return {sensor_of<R>(call), static_cast<const R*>(l.pressure),
          static_cast<const R*>(call.in) + s_rho * l.pitch};
}
template <class R>
Pressures<R> pressures_of(const StageCall& call) {
  const LevelArrays& l = *call.level;
  return {static_cast<const R*>(call.in), l.pitch, rounded<R>(*call.model).gas,
          static_cast<R*>(l.pressure)};
}

template <class R>
LocalStep<R> local_step_of(const StageCall& call) {
  LocalStep<R> body;
  body.arrays = node_arrays_of<R>(call);
  body.model = rounded<R>(*call.model);
  body.cfl = R(call.cfl);
  body.inverse_volume = static_cast<const R*>(call.level->inverse_volume);
  body.local_step = static_cast<R*>(call.level->local_step);
  body.steps = call.steps;
  if (call.sensor || call.shares) body.sensor = sensor_of<R>(call);
  return body;
}

template <class R>
SurfaceArrays<R> surface_arrays_of(const StageCall& call) {
  const LevelArrays& l = *call.level;
  SurfaceArrays<R> a;
  a.node = l.surface_node;
  a.first = l.surface_first;
  a.surfaces = l.surfaces;
  a.outside = static_cast<const R*>(l.outside);
  a.given = l.given;
  a.received = static_cast<const R*>(l.received);
  a.in = static_cast<const R*>(call.in);
  a.area = static_cast<const R*>(l.area);
  a.pitch = l.pitch;
  a.outside_pitch = l.outside_pitch;
  a.nodes = l.nodes;
  return a;
}

template <class R>
SurfaceStage<R> surface_stage_of(const StageCall& call) {
  return {surface_arrays_of<R>(call), rounded<R>(call.update), stage_arrays_of<R>(call),
          rounded<R>(*call.model), call.clock};
}

template <class R>
SurfaceSums<R> surface_sums_of(const StageCall& call) {
  const LevelArrays& l = *call.level;
  SurfaceSums<R> s;
  s.entries = l.sum_entries;
  s.count = l.sum_count;
  s.areas = static_cast<const R*>(l.sum_areas);
  s.factors = static_cast<const R*>(l.sum_factors);
  s.surfaces = surface_arrays_of<R>(call);
  s.sums = static_cast<NodeSum<R>*>(l.sums);
  s.model = rounded<R>(*call.model);
  return s;
}

// What the direct schedule computes a right-hand side by.
template <Features features, int fixed>
constexpr bool gathers = (features == Features::plain && fixed >= 1 &&
                          fixed <= exec::highest_gathered) ||
                         (features == Features::matrix && fixed == 3);
template <class R, Features features, int fixed>
using DirectResidual = std::conditional_t<
    gathers<features, fixed>,
    exec::GatheredResidual<R, NodeScheme<R, features>, StageEpilogue<R>, LocalStep<R>, fixed>,
    FlowResidual<R, features, fixed>>;
template <class R, Features features, int fixed>
DirectResidual<R, features, fixed> direct_residual_of(const StageCall& call) {
  const FlowResidual<R, features, fixed> r = residual_of<R, features, fixed>(call);
  if constexpr (gathers<features, fixed>) {
    return {r.arrays,   r.operators, r.scheme, r.parts, r.epilogue, local_step_of<R>(call),
            call.steps, call.signal};
  } else {
    return r;
  }
}

// A stage of first order in the marching schedule (exec/node_march_cuda.hpp), compiled for what
// there is to decide and to keep: `local`, with steps of the nodes; radii are those of a first
// stage that makes these steps.
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
  WM_HD bool has_faces() const { return epilogue.arrays.sums != nullptr; }
  WM_HD void prepare_faces(int number) const { epilogue.prepare_sum(number); }
  WM_HD State<R> of_faces(int number) const { return epilogue.template penalties_at<R>(number); }
  // The rates of nodes on faces have their penalties.
  WM_HD StageEpilogue<R> compiled_epilogue() const {
    StageEpilogue<R> e = epilogue;
    e.arrays.sums = nullptr;
    if constexpr (local) {
      e.update.form = StageForm::local;
      e.arrays.share = nullptr;
    }
    if constexpr (!local || parts == exec::MarchParts::fluxes) e.update.makes_forcing = false;
    if constexpr (makes_steps) e.update.first = true;
    // The last stage has dissipation, and does not make steps.
    if constexpr (parts != exec::MarchParts::dissipation) e.arrays.pressure = nullptr;
    return e;
  }
  using Loads = typename StageEpilogue<R>::template Loads<R>;
  WM_HD Loads load(const exec::NodePoint& p) const {
    return compiled_epilogue().template load<R>(p);
  }
  WM_HD R finish(const exec::NodePoint& p, const exec::NodeRates<R, n_variables>& rates,
                 const Loads& loads, const R& largest, exec::NodeTold<R>& told) const {
    Loads known = loads;
    if constexpr (makes_steps) {
      told.signal = stepping.finish(p, largest, 1);
      known.local_step = stepping.cfl * rcp_(largest);
    }
    return compiled_epilogue().finish(p, rates, known, 1);
  }
};
template <class R, exec::MarchParts parts, bool local>
MarchedStage<R, parts, local> marched_stage_of(const StageCall& call) {
  const FlowResidual<R, Features::plain, 1> r = residual_of<R, Features::plain, 1>(call);
  return {r.arrays, r.scheme, r.epilogue, local_step_of<R>(call), call.signal};
}

// `penalises`: compiled for penalties; `joined`: they are wanted.
template <class R, Features features, int fixed, bool penalises>
using DirectStage = JoinedStage<R, DirectResidual<R, features, fixed>, penalises>;
template <class R, Features features, int fixed, bool penalises>
DirectStage<R, features, fixed, penalises> direct_stage_of(const StageCall& call, bool joined) {
  DirectStage<R, features, fixed, penalises> stage{direct_residual_of<R, features, fixed>(call),
                                                   surface_arrays_of<R>(call),
                                                   local_step_of<R>(call), call.steps, call.signal};
  stage.volume.epilogue.penalised = joined || call.summed;
  return stage;
}

template <class R>
Inject<R> inject_of(const TransferCall& c) {
  return {*c.tables,
          static_cast<const R*>(c.fine),
          static_cast<R*>(c.coarse),
          static_cast<R*>(c.injected),
          c.fine_level->pitch,
          c.coarse_level->pitch};
}
template <class R>
Restrict<R> restrict_of(const TransferCall& c) {
  return {*c.tables, static_cast<const R*>(c.fine), static_cast<R*>(c.coarse), c.fine_level->pitch,
          c.coarse_level->pitch};
}
template <class R>
Descend<R> descend_of(const TransferCall& c) {
  TransferCall down = c;
  down.fine = c.fine_residual;
  down.coarse = c.forcing;
  return {restrict_of<R>(down), inject_of<R>(c)};
}
template <class R>
Correct<R> correct_of(const TransferCall& c) {
  return {*c.tables,
          rounded<R>(*c.model),
          static_cast<R*>(c.fine),
          static_cast<const R*>(c.coarse),
          static_cast<const R*>(c.injected),
          c.fine_level->pitch,
          c.coarse_level->pitch,
          static_cast<const R*>(c.fine_level->share)};
}
template <class R>
ProgramGrid<R> program_grid_of(const ProgramGridCall& c) {
  const LevelArrays& l = *c.level;
  StageCall call;
  call.level = &l;
  ProgramGrid<R> g;
  g.blocks = l.blocks;
  g.places = c.places;
  g.nodes = static_cast<std::int32_t>(l.nodes);
  g.pitch = l.pitch;
  for (int r = 0; r < program_registers; ++r) g.registers[r] = static_cast<R*>(c.registers[r]);
  g.area = static_cast<const R*>(l.area);
  g.inverse_volume = static_cast<const R*>(l.inverse_volume);
  g.local_step = static_cast<R*>(l.local_step);
  g.surfaces = surface_arrays_of<R>(call);
  g.surface_of = l.surface_of;
  if (c.transfer) g.transfer = *c.transfer;
  return g;
}
template <class R>
CoarseProgram<R> program_of(const ProgramCall& c) {
  CoarseProgram<R> p;
  for (std::size_t g = 0; g < c.grids.size(); ++g) {
    p.grids[g] = program_grid_of<R>(c.grids[g]);
    if (!c.plan->shares.empty()) p.grids[g].share = c.plan->shares[g];
  }
  p.count = static_cast<int>(c.grids.size());
  p.solution = c.solution;
  p.blocks = c.plan->blocks;
  p.directions = c.plan->directions;
  p.operators = exec::rounded<R>(*c.grids[0].level->operators);
  p.model = rounded<R>(*c.model);
  p.cfl = R(c.cfl);
  for (std::size_t s = 0; s < c.stages.size(); ++s) p.stages[s] = rounded<R>(c.stages[s]);
  p.clock = c.clock;
  return p;
}

// The pool as rows for the reduce form: whole rows, and a last one with the rest.
// pass(arrays, sampler) for each.
template <class R, class Pass>
void for_each_part(const StageCall& call, const DiagnosisCall& wanted, const Pass& pass) {
  constexpr std::int64_t row = 1024;
  const LevelArrays& l = *call.level;
  const std::int64_t rows = l.nodes / row, rest = l.nodes - rows * row;
  for (const bool whole : {true, false}) {
    if ((whole ? rows : rest) == 0) continue;
    exec::CellArrays<R> a;
    Diagnosis<R> d;
    d.first = whole ? 0 : rows * row;
    a.in = static_cast<const R*>(call.in) + d.first;
    a.stride_j = row;
    a.stride_var = l.pitch;
    a.upper[0] = static_cast<int>(whole ? row : rest);
    a.upper[1] = static_cast<int>(whole ? rows : 1);
    a.upper[2] = 1;
    d.model = rounded<R>(*call.model);
    d.residual = static_cast<const R*>(wanted.residual);
    d.inverse_volume = static_cast<const R*>(l.inverse_volume);
    d.node_volume = static_cast<const R*>(wanted.node_volume);
    d.pitch = l.pitch;
    d.enthalpy = R(wanted.enthalpy);
    pass(a, d);
  }
}

// Copies the states of listed nodes, [node][variable].
template <class R>
struct Gather {
  const R* state;
  std::int64_t pitch;
  const std::int32_t* nodes;
  R* packed;

  WM_HD int operator()(std::int64_t at) const {
    for (int v = 0; v < n_variables; ++v) {
      packed[n_variables * at + v] = state[v * pitch + nodes[at]];
    }
    return 0;
  }
};

}  // namespace watersmeet::aerodynamics
