#pragma once
// Turns the untyped calls of kernels.hpp into typed arrays and functors, rounded once to the
// precision of the loops: common to the CPU and CUDA instantiation files.

#include "systems/atmosphere/column.hpp"
#include "systems/atmosphere/kernels.hpp"
#include "systems/atmosphere/signal.hpp"

namespace watersmeet::atmosphere {

template <class R>
exec::CellArrays<R> arrays_of(const StageCall& call) {
  return exec::cell_arrays<R>(*call.layout, call.in, call.out, call.increment, call.box);
}

template <class R, bool equal = true>
Medium<R, equal> rounded(const Medium<double>& m, const TableAddresses& tables) {
  Medium<R, equal> r;
  r.terrain = m.terrain;
  r.gravity = R(m.gravity);
  r.bottom = R(m.bottom);
  r.depth = R(m.depth);
  r.inverse_depth = R(m.inverse_depth);
  r.spacing_zeta = R(m.spacing_zeta);
  r.first_level = R(m.first_level);
  r.levels = static_cast<const R*>(tables.levels);
  r.stretch = static_cast<const R*>(tables.stretch);
  r.columns = static_cast<const R*>(tables.columns);
  r.stride_j = m.stride_j;
  r.stride_value = m.stride_value;
  r.profile = static_cast<const R*>(tables.profile);
  r.profile_lower = R(m.profile_lower);
  r.inverse_step = R(m.inverse_step);
  r.last_interval = R(m.last_interval);
  return r;
}

template <class R, Variant variant, Choices choices = Choices::all>
Flow<R, variant, choices> flow_of(const StageCall& call) {
  const FlowParameters<double>& p = *call.flow;
  constexpr bool equal = equal_levels(choices);
  FlowParameters<R, equal> r;
  r.medium = rounded<R, equal>(p.medium, call.tables);
  r.stretched = p.stretched;
  r.gamma = R(p.gamma);
  r.c_p = R(p.c_p);
  for (int a = 0; a < 3; ++a) {
    r.inverse_spacing[a] = R(p.inverse_spacing[a]);
    r.sponge[a] = static_cast<const R*>(call.tables.sponge[a]);
  }
  r.ground = p.ground;
  r.lid = p.lid;
  r.kappa = {R(p.kappa.toward), R(p.kappa.away), R(p.kappa.transverse)};
  r.limiter = p.limiter;
  r.riemann = p.riemann;
  r.least_mach = R(p.least_mach);
  r.viscosity = R(p.viscosity);
  r.coriolis = R(p.coriolis);
  for (int a = 0; a < 2; ++a) r.wind[a] = R(p.wind[a]);
  return {r};
}

template <class R, Variant variant, Choices choices = Choices::all>
Finish<Flow<R, variant, choices>> finish_of(const StageCall& call) {
  return {flow_of<R, variant, choices>(call)};
}
template <class R, Variant variant>
MeasureSignal<Flow<R, variant>> signal_of(const StageCall& call) {
  return {flow_of<R, variant>(call)};
}

template <class R, class Columns>
SolveColumns<R, Columns> solver_of(const Columns& columns, const BlockLayout& layout,
                                   const SplitCall& split) {
  SolveColumns<R, Columns> s;
  s.columns = columns;
  s.gamma = R(split.gamma);
  s.delta = R(split.delta);
  s.second = split.second;
  const auto cell = [&](const void* start) {
    return start ? static_cast<R*>(const_cast<void*>(start)) + layout.first : nullptr;
  };
  s.q = cell(split.q);
  s.y = cell(split.y);
  s.first_sum = cell(split.first_sum);
  s.second_sum = cell(split.second_sum);
  s.elimination = cell(split.elimination);
  s.stride_j = layout.stride[1];
  s.stride_k = layout.stride[2];
  s.stride_var = layout.stride_var;
  return s;
}

template <class R, Variant variant>
auto columns_of(const StageCall& call, const SplitCall& split) {
  BoxColumns<R, over_terrain(variant)> columns;
  columns.medium = rounded<R, false>(call.flow->medium, call.tables);
  columns.gamma = R(call.flow->gamma);
  columns.inverse_spacing = R(call.flow->inverse_spacing[2]);
  columns.n_levels = static_cast<int>(call.layout->n[2]);
  return solver_of<R>(columns, *call.layout, split);
}

// change(arrays, functor): the loop of exec/cell_map.hpp that changes variables of arrays.out.
template <class R, class Change>
void run_diffusion(const StageCall& call, const DiffusionCall& diffusion, const Change& change) {
  const FlowParameters<double>& p = *call.flow;
  Box around = call.box;  // no farther: levels beyond the ground and the lid are not asked for
  for (std::size_t a = 0; a < 2; ++a) {
    if (!(p.inverse_spacing[a] > 0)) continue;
    --around.lower[a];
    ++around.upper[a];
  }
  change(exec::cell_arrays<R>(*call.layout, call.in, diffusion.values, nullptr, around),
         DiffusingValues<R>{rounded<R, false>(p.medium, call.tables), R(p.gamma)});
  Diffuse<R> diffuse;
  diffuse.flow = flow_of<R, Variant::terrain>(call);
  diffuse.stride_var = call.layout->stride_var;
  diffuse.clock = call.clock;
  const auto add = [&](void* to, double factor, bool last) {
    const auto arrays = exec::cell_arrays<R>(*call.layout, diffusion.values, to, nullptr, call.box);
    diffuse.target = arrays.out;
    diffuse.factor = R(factor);
    diffuse.last = last;
    change(arrays, diffuse);
  };
  // The increment w of a 2N scheme is added to the stage with the weight b, like everything there.
  if (call.update.form == exec::UpdateForm::stored && call.update.write_increment) {
    add(call.increment, 1, false);
  }
  add(call.out, call.update.b, call.update.last);
}

template <class R>
Probe<R> probe_of(const StageCall& call, const DiagnoseParameters& parameters) {
  Probe<R> probe;
  probe.medium = rounded<R, false>(call.flow->medium, call.tables);
  probe.gamma = R(call.flow->gamma);
  probe.gas_constant = R(parameters.gas_constant);
  probe.x = static_cast<const R*>(call.tables.x);
  probe.surface = parameters.surface;
  return probe;
}

// Of call.out; of the sides of an axis, or with -1 of all, with so many cells behind their ends.
template <class R>
Exterior<R> exterior_of(const StageCall& call, const BoundaryCall& boundaries, int axis,
                        int around) {
  Exterior<R> e{};
  e.only_axis = axis;
  for (int a = 0; a < 3; ++a) e.around[a] = call.layout->ghosts[a] < around ? 0 : around;
  for (int s = 0; s < 6; ++s) e.side[s] = boundaries.side[s];
  e.medium = rounded<R, false>(call.flow->medium, call.tables);
  e.gamma = R(call.flow->gamma);
  for (int a = 0; a < 3; ++a) e.cells[a] = static_cast<int>(call.layout->n[a]);
  return e;
}

}  // namespace watersmeet::atmosphere
