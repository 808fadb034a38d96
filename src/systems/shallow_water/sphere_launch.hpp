#pragma once
// launch.hpp on a cubed sphere: typed functors from the untyped calls of sphere_kernels.hpp.

#include <algorithm>

#include "systems/shallow_water/launch.hpp"
#include "systems/shallow_water/sphere_kernels.hpp"

namespace watersmeet::shallow_water {

// `whole_panels`: counts cells from the panel's first one, not from the first one here.
template <class R>
SphereGeometry<R> geometry_of(const SphereCall& s, bool whole_panels = false) {
  SphereGeometry<R> g;
  for (int a = 0; a < 2; ++a) {
    g.first[a] = whole_panels ? 0 : s.part.first[a];
    g.rim_face[a][0] = -g.first[a];
    g.rim_face[a][1] = s.part.n - g.first[a];
  }
  g.tan_centre = static_cast<const R*>(s.tan_centre) + g.first[0];
  g.cos2_centre = static_cast<const R*>(s.cos2_centre) + g.first[0];
  g.tan_face = static_cast<const R*>(s.tan_face) + g.first[0];
  g.cos2_face = static_cast<const R*>(s.cos2_face) + g.first[0];
  g.row_shift = g.first[1] - g.first[0];
  g.rims = static_cast<const R*>(s.rims);
  g.rim_pitch = s.rim_pitch;
  g.curvature = R(2 / s.radius);
  g.first_panel = s.part.first_panel;
  g.advection = s.advection;
  for (int p = 0; p < 6; ++p) {
    for (int c = 0; c < 3; ++c) {
      g.rotation[p][c] = R(s.rotation[p][c]);
      g.wind[p][c] = R(s.wind[p][c]);
    }
  }
  return g;
}

template <class R, Variant variant>
Flow<R, variant, SphereGeometry> sphere_flow_of(const StageCall& call, const SphereCall& s) {
  return {rounded<R>(*call.flow), geometry_of<R>(s)};
}

template <class R>
MeasureSignal<Flow<R, Variant::general, SphereGeometry>> sphere_signal_of(const StageCall& call,
                                                                          const SphereCall& s) {
  return {sphere_flow_of<R, Variant::general>(call, s), call.bed != nullptr};
}

// Of call.in, whose ghosts are written.
template <class R, Variant variant>
CouplePanels<R, variant> couple_of(const StageCall& call, const SphereCall& s, bool bed_alone) {
  CouplePanels<R, variant> c{{rounded<R>(*call.flow), geometry_of<R>(s, true)}, {}};
  PanelEdges<R>& e = c.e;
  std::copy_n(s.beyond, 24, e.beyond);
  std::copy_n(s.owner, 12, e.owner);
  e.edges = s.edges;
  e.part = s.part;
  e.cells = static_cast<R*>(const_cast<void*>(call.in)) + call.layout->first;
  if (call.bed) {
    e.bed = static_cast<R*>(const_cast<void*>(call.bed)) + call.bed_layout->first;
  }
  e.stride_j = call.layout->stride[1];
  e.stride_k = call.layout->stride[2];
  e.stride_var = call.layout->stride_var;
  e.strips = static_cast<R*>(s.strips.strips);
  e.line = static_cast<const R*>(s.line);
  e.rims = static_cast<R*>(s.rims);
  e.bed_alone = bed_alone;
  return c;
}

template <class R, Variant variant>
mesh::PackStrips<R, PanelEdges<R>> pack_of(const StageCall& call, const SphereCall& s,
                                           void* message) {
  return {couple_of<R, variant>(call, s, false).e, static_cast<R*>(s.strips.strips),
          s.strips.elements_here, static_cast<R*>(message)};
}
template <class R>
mesh::UnpackStrips<R> unpack_of(const SphereCall& s, const void* message) {
  return {static_cast<R*>(s.strips.strips), s.strips.elements_there,
          static_cast<const R*>(message)};
}

}  // namespace watersmeet::shallow_water
