#pragma once
// Turns the untyped calls of kernels.hpp into typed arrays and functors, rounded once to the
// precision of the loops: common to the CPU and CUDA instantiation files.

#include <cstddef>

#include "systems/shallow_water/kernels.hpp"

namespace watersmeet::shallow_water {

template <class R>
exec::CellArrays<R> arrays_of(const StageCall& call) {
  auto a = exec::cell_arrays<R>(*call.layout, call.in, call.out, call.increment, call.box);
  if (call.bed) a.extra = static_cast<const R*>(call.bed) + call.bed_layout->first;
  return a;
}

template <class R>
FlowParameters<R> rounded(const FlowParameters<double>& p) {
  FlowParameters<R> r;
  r.gravity = R(p.gravity);
  for (int a = 0; a < 2; ++a) r.inverse_spacing[a] = R(p.inverse_spacing[a]);
  r.kappa = {R(p.kappa.toward), R(p.kappa.away), R(p.kappa.transverse)};
  r.transverse = p.transverse;
  r.limiter = p.limiter;
  r.riemann = p.riemann;
  r.wet_dry = p.wet_dry;
  r.dry_depth = R(p.dry_depth);
  r.coriolis_first = R(p.coriolis_first);
  r.coriolis_step = R(p.coriolis_step);
  r.first_j = p.first_j;
  r.friction = {R(p.friction.manning), R(p.friction.drag), R(p.friction.linear)};
  r.euler_step = R(p.euler_step);
  return r;
}

template <class R, Variant variant>
Flow<R, variant> flow_of(const StageCall& call) {
  return {rounded<R>(*call.flow)};
}

template <class R>
MeasureSignal<Flow<R, Variant::general>> signal_of(const StageCall& call) {
  return {flow_of<R, Variant::general>(call), call.bed != nullptr};
}

// Of call.out; `axis`: whose sides, or -1.
template <class R>
Exterior<R> exterior_of(const StageCall& call, const BoundaryCall& boundaries, int axis) {
  Exterior<R> e{};
  for (int s = 0; s < 4; ++s) e.side[s] = boundaries.side[s];
  e.start = static_cast<const R*>(call.out) + call.layout->first;
  if (call.bed) e.bed_start = static_cast<R*>(call.bed) + call.bed_layout->first;
  for (int a = 0; a < 2; ++a) {
    const double inverse = call.flow->inverse_spacing[a];
    e.spacing[a] = inverse > 0 ? R(1 / inverse) : R(0);
  }
  e.friction = rounded<R>(*call.flow).friction;
  e.gravity = R(call.flow->gravity);
  e.dry_depth = R(call.flow->dry_depth);
  e.wet_dry = call.flow->wet_dry;
  e.only_axis = axis;
  e.edges = boundaries.edges;
  return e;
}
template <class R>
BedExterior<R> bed_exterior_of(const BoundaryCall& boundaries, int axis) {
  BedExterior<R> e{};
  for (int s = 0; s < 4; ++s) e.side[s] = boundaries.side[s];
  e.only_axis = axis;
  return e;
}

template <class R, Variant variant>
SideOutflow<R, variant> outflow_of(const StageCall& call, const BoundaryCall& boundaries,
                                   const OutflowCall& ledger) {
  const auto has = [&](int s) { return s < 4 && boundaries.side[s].kind != BoundaryKind::none; };
  return {static_cast<const R*>(call.in), static_cast<const R*>(call.bed),
          exec::sides_of(*call.layout, has), flow_of<R, variant>(call), ledger};
}

// fill(axis, around): once for all sides, or one axis after the other where edges count.
template <class Fill>
void for_each_pass(const BoundaryCall& boundaries, const Fill& fill) {
  if (!boundaries.any) return;
  if (!boundaries.edges) {
    fill(-1, 0);
    return;
  }
  for (int axis = 0; axis < 2; ++axis) fill(axis, 1);
}

}  // namespace watersmeet::shallow_water
