#pragma once
// launch.hpp on a cubed sphere: typed functors from the untyped calls of globe_kernels.hpp.

#include <algorithm>

#include "systems/atmosphere/globe_kernels.hpp"
#include "systems/atmosphere/launch.hpp"

namespace watersmeet::atmosphere {

template <class R>
exec::CellArrays<R> arrays_of(const GlobeCall& call) {
  return exec::cell_arrays<R>(*call.layout, call.in, call.out, call.increment, call.box);
}

// `whole_panels`: counts cells from the first panel's first one, not from the first one here.
template <class R, bool equal>
GlobeGeometry<R, equal> geometry_of(const GlobeCall& call, bool whole_panels = false) {
  const GlobeGeometry<double>& g = call.flow->geometry;
  GlobeGeometry<R, equal> r;
  r.medium = rounded<R, equal>(g.medium, call.tables);
  r.tables.tan_centre = static_cast<const R*>(call.tan_centre);
  r.tables.cos2_centre = static_cast<const R*>(call.cos2_centre);
  r.tables.tan_face = static_cast<const R*>(call.tan_face);
  r.tables.cos2_face = static_cast<const R*>(call.cos2_face);
  r.n = g.n;
  r.set_levels(g.levels);
  r.curvature = R(g.curvature);
  r.inverse_radius = R(g.inverse_radius);
  const mesh::PanelPart& part = call.part;
  const int first_panel = whole_panels ? 0 : part.first_panel;
  for (int p = 0; p + first_panel < 6; ++p) {
    for (int c = 0; c < 3; ++c) r.rotation[p][c] = R(g.rotation[p + first_panel][c]);
  }
  if (whole_panels) return r;
  for (int a = 0; a < 2; ++a) r.first[a] = part.first[a];
  for (const R** table :
       {&r.tables.tan_centre, &r.tables.cos2_centre, &r.tables.tan_face, &r.tables.cos2_face}) {
    *table += part.first[0];
  }
  r.tables.row_shift = part.first[1] - part.first[0];
  if (r.medium.columns) {
    r.medium.columns +=
        r.medium.stride_j * (part.first[1] + first_panel * (g.n + rows_between_panels)) +
        part.first[0];
  }
  return r;
}

template <class R, GlobeVariant variant, Choices choices = Choices::all>
GlobeFlow<R, variant, choices> flow_of(const GlobeCall& call, bool whole_panels = false) {
  const GlobeParameters<double>& p = *call.flow;
  GlobeParameters<R, equal_levels(variant)> r;
  r.geometry = geometry_of<R, equal_levels(variant)>(call, whole_panels);
  r.gamma = R(p.gamma);
  for (int a = 0; a < 3; ++a) r.inverse_spacing[a] = R(p.inverse_spacing[a]);
  r.kappa = {R(p.kappa.toward), R(p.kappa.away), R(p.kappa.transverse)};
  r.limiter = p.limiter;
  r.riemann = p.riemann;
  r.least_mach = R(p.least_mach);
  r.rims = static_cast<const R*>(call.rims);
  r.rim_pitch = p.rim_pitch;
  r.rim_value = p.rim_value;
  return {r};
}

template <class R, GlobeVariant variant>
Finish<GlobeFlow<R, variant>> finish_of(const GlobeCall& call) {
  return {flow_of<R, variant>(call)};
}
template <class R, GlobeVariant variant>
MeasureSignal<GlobeFlow<R, variant>> signal_of(const GlobeCall& call) {
  return {flow_of<R, variant>(call)};
}

template <class R>
GlobeEdges<R> edges_of(const GlobeCall& call) {
  GlobeEdges<R> e;
  std::copy_n(call.beyond, 24, e.beyond);
  std::copy_n(call.owner, 12, e.owner);
  e.edges = call.edges;
  e.part = call.part;
  e.levels = call.flow->geometry.levels;
  e.strips = static_cast<R*>(call.strips.strips);
  e.cells = static_cast<R*>(const_cast<void*>(call.in)) + call.layout->first;
  e.stride_j = call.layout->stride[1];
  e.stride_k = call.layout->stride[2];
  e.stride_var = call.layout->stride_var;
  e.line = static_cast<const R*>(call.line);
  e.rims = static_cast<R*>(call.rims);
  return e;
}

// Of call.in, whose ghosts are written. Sides of panels are the same whether the flow is split or
// not.
template <class R, GlobeVariant variant, bool always_strips = false, Choices choices = Choices::all>
CoupleGlobe<R, whole(variant), always_strips, choices> couple_of(const GlobeCall& call) {
  return {flow_of<R, whole(variant), choices>(call, true), edges_of<R>(call)};
}

template <class R>
mesh::PackStrips<R, GlobeEdges<R>> pack_of(const GlobeCall& call, void* message) {
  return {edges_of<R>(call), static_cast<R*>(call.strips.strips), call.strips.elements_here,
          static_cast<R*>(message)};
}
template <class R>
mesh::UnpackStrips<R> unpack_of(const GlobeCall& call, const void* message) {
  return {static_cast<R*>(call.strips.strips), call.strips.elements_there,
          static_cast<const R*>(message)};
}

template <class R, GlobeVariant variant>
auto columns_of(const GlobeCall& call, const SplitCall& split) {
  GlobeColumns<R, variant> columns;
  columns.geometry = geometry_of<R, equal_levels(variant)>(call);
  columns.medium = columns.geometry.medium;
  columns.gamma = R(call.flow->gamma);
  columns.inverse_spacing = R(call.flow->inverse_spacing[2]);
  return solver_of<R>(columns, *call.layout, split);
}

template <class R>
DampGlobe<R> damping_of(const GlobeCall& call) {
  DampGlobe<R> d;
  d.cells = static_cast<R*>(const_cast<void*>(call.in)) + call.layout->first;
  d.stride_j = call.layout->stride[1];
  d.stride_k = call.layout->stride[2];
  d.stride_var = call.layout->stride_var;
  d.columns = call.part.size(0);
  d.rows = call.part.size(1);
  d.panels = call.part.panels_here;
  d.levels = call.flow->geometry.levels;
  d.first_level = call.sponge_level;
  d.rates = static_cast<const R*>(call.sponge);
  d.clock = call.clock;
  return d;
}

template <class R>
GlobeProbe<R> probe_of(const GlobeCall& call, const GlobeProbeParameters& parameters) {
  return {parameters, geometry_of<R, false>(call), R(call.flow->gamma)};
}

}  // namespace watersmeet::atmosphere
