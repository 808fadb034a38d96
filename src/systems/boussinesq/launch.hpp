#pragma once
// Turns the untyped calls of kernels.hpp into typed arrays and functors, rounded once to the
// precision of the loops: common to the CPU and CUDA instantiation files.

#include "systems/boussinesq/kernels.hpp"
#include "systems/boussinesq/open_faces.hpp"

namespace watersmeet::boussinesq {

template <class R>
exec::CellArrays<R> arrays_of(const FlowCall& call) {
  return exec::cell_arrays<R>(*call.layout, call.in, call.out, call.history, call.box);
}

// Of a loop over the pressure's arrays that writes the right-hand side.
template <class R>
exec::CellArrays<R> pressure_arrays_of(const FlowCall& call) {
  return exec::cell_arrays<R>(*call.pressure_layout, call.phi, call.rhs, nullptr, call.box);
}

template <class R>
OtherArray<R> other_array(const BlockLayout& layout, const void* start) {
  OtherArray<R> a;
  a.first = static_cast<const R*>(start) + layout.first;
  a.stride_j = layout.stride[1];
  a.stride_k = layout.stride[2];
  a.stride_var = layout.stride_var;
  a.step_x = layout.ghosts[0] > 0 ? 1 : 0;
  return a;
}

template <class R>
Metrics<R> metrics_of(const FlowCall& call) {
  return {R(call.inverse_x), R(call.inverse_y), static_cast<const R*>(call.tables.inverse_width),
          static_cast<const R*>(call.tables.inverse_distance)};
}

template <class R>
Coefficients<R> coefficients_of(const FlowCall& call) {
  const Coefficients<double>& p = *call.coefficients;
  Coefficients<R> c;
  c.viscosity = R(p.viscosity);
  for (int n = 0; n < most_scalars; ++n) {
    c.diffusivity[n] = R(p.diffusivity[n]);
    c.source[n] = R(p.source[n]);
    for (int a = 0; a < 3; ++a) c.buoyancy[a][n] = R(p.buoyancy[a][n]);
  }
  for (int a = 0; a < 3; ++a) {
    c.acceleration[a] = R(p.acceleration[a]);
    c.coriolis[a] = R(p.coriolis[a]);
  }
  c.rotating = p.rotating;
  if (call.fields) {
    c.fields = static_cast<const R*>(call.fields) + call.fields_layout->first;
    c.fields_stride = call.fields_layout->stride_var;
  }
  return c;
}

template <class R, int n_variables, Advection advection>
RightHandSide<R, n_variables, advection> right_hand_side_of(const FlowCall& call) {
  return {metrics_of<R>(call), coefficients_of<R>(call), advanced_faces<R>(call.wall)};
}

// Stages have no epilogue beside the update: the velocity is not final before its projection.
template <class R>
struct NoFinish {
  template <class T, int n, class S>
  WM_HD Finished<T> operator()(Vec<T, n>&, const S&) const {
    return {T(R(0)), T(R(0))};
  }
};

template <class R>
Divergence<R> divergence_of(const FlowCall& call) {
  return {metrics_of<R>(call), other_array<R>(*call.layout, call.out)};
}

template <class R>
Projection<R> projection_of(const FlowCall& call) {
  return {metrics_of<R>(call), advanced_faces<R>(call.wall),
          other_array<R>(*call.pressure_layout, call.phi), call.last, call.watched_scalars};
}

template <class R>
GuessPressure<R> guess_of(const FlowCall& call, const GuessCall& guess) {
  return {other_array<R>(*call.pressure_layout, guess.before), call.clock, R(guess.ratio),
          guess.extrapolate, guess.first};
}
// Of a loop over phi that changes it.
template <class R>
exec::CellArrays<R> phi_arrays_of(const FlowCall& call) {
  return exec::cell_arrays<R>(*call.pressure_layout, call.phi, const_cast<void*>(call.phi), nullptr,
                              call.box);
}

template <class R, int variables>
exec::BoxRules<R, variables> rules_of(const BlockLayout& layout, const RulesCall& call) {
  exec::BoxRules<R, variables> rules;
  for (int a = 0; a < 3; ++a) {
    rules.n[a] = static_cast<int>(layout.n[a]);
    rules.stride[a] = layout.stride[a];
  }
  rules.stride_var = layout.stride_var;
  for (int v = 0; v < variables; ++v) rules.normal[v] = variables > 1 && v < 3 ? v : -1;
  for (int s = 0; s < 6; ++s) {
    rules.kind[s] = call.kind[s];
    rules.plane[s] = {static_cast<const R*>(call.plane[s]), call.plane_stride[s]};
    for (int v = 0; v < variables; ++v) {
      rules.rule[s][v] = {R(call.factor[s][v]), R(call.constant[s][v]),
                          static_cast<const R*>(call.table[s][v])};
    }
  }
  return rules;
}

template <class R>
OpenSides<R> open_sides_of(const OpenCall& call) {
  OpenSides<R> sides;
  sides.count = call.count;
  for (int s = 0; s < call.count; ++s) {
    const OpenCall::Side& from = call.side[s];
    sides.side[s] = {from.side,
                     {from.n[0], from.n[1]},
                     from.stride,
                     static_cast<R*>(from.now),
                     static_cast<R*>(from.next),
                     static_cast<R*>(from.rate),
                     static_cast<const R*>(from.force)};
  }
  for (int a = 0; a < 3; ++a) sides.wraps[a] = call.wraps[a];
  return sides;
}
template <class R>
OpenBlock<R> open_block_of(const FlowCall& call) {
  OpenBlock<R> block;
  block.m = metrics_of<R>(call);
  for (int a = 0; a < 3; ++a) {
    block.n[a] = static_cast<int>(call.layout->n[a]);
    block.stride[a] = call.layout->stride[a];
  }
  block.stride_var = call.layout->stride_var;
  return block;
}
template <class R, int n_variables, Advection advection>
AdvanceOpen<R, n_variables, advection> advance_open_of(const FlowCall& call) {
  return {open_block_of<R>(call), coefficients_of<R>(call),
          static_cast<const R*>(call.in) + call.layout->first};
}
template <class R>
CorrectOpen<R> correct_open_of(const FlowCall& call) {
  CorrectOpen<R> c;
  c.block = open_block_of<R>(call);
  c.velocity = static_cast<const R*>(call.out) + call.layout->first;
  c.phi = static_cast<const R*>(call.phi) + call.pressure_layout->first;
  for (int a = 0; a < 3; ++a) c.stride[a] = call.pressure_layout->stride[a];
  return c;
}

template <class R>
Diagnose<R> diagnose_of(const FlowCall& call, const DiagnoseParameters& parameters) {
  Diagnose<R> d;
  d.m = metrics_of<R>(call);
  d.c = coefficients_of<R>(call);
  d.weight = static_cast<const R*>(call.tables.weight);
  d.first_of_row = static_cast<const R*>(call.tables.first_of_row);
  d.last_of_row = static_cast<const R*>(call.tables.last_of_row);
  d.p = parameters;
  return d;
}

template <class R>
Evaluate<R> evaluate_of(const FlowCall& call, const DiagnoseParameters& parameters,
                        Quantity quantity, double inverse_dt) {
  return {diagnose_of<R>(call, parameters), other_array<R>(*call.pressure_layout, call.phi),
          R(inverse_dt), quantity};
}

}  // namespace watersmeet::boussinesq
