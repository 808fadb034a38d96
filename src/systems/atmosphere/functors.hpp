#pragma once
// The functors of the atmosphere, made of the parameters of a case and of the arrays of a launch,
// and rounded once to the precision of the loops.

#include <type_traits>

#include "core/rounded.hpp"
#if !defined(__CUDACC__)
#include "core/gather_pack.hpp"
#endif
#include "systems/atmosphere/column.hpp"
#include "systems/atmosphere/loops.hpp"

namespace watersmeet::atmosphere {

template <class Number, Traits traits>
struct Functors {
  using real = Number;
  using R = Number;
  using Case = std::conditional_t<traits.sphere, SphereCase, BoxCase>;
  using Launch = exec::Launch;
  using Flow = atmosphere::Flow<R, traits>;
  static constexpr Traits general = atmosphere::general(traits);
  // On a sphere one finish serves all numerics.
  using Finish =
      atmosphere::Finish<atmosphere::Flow<R, traits.sphere ? any_numerics(traits) : traits>>;
  // Which look whether there is terrain, and how thick levels are.
  using AnyMesh = std::conditional_t<traits.sphere, PanelMesh<R>, BoxMesh<R>>;

  template <class Scheme = Flow>
  static Scheme flow(const Case& of) {
    return {rounded_to<decltype(Scheme::p)>(of.flow)};
  }
  static Finish finish(const Case& of) { return {flow<decltype(Finish::flow)>(of)}; }
  static auto signal(const Case& of, const Launch&) {
    using Scheme = atmosphere::Flow<R, general>;
    return MeasureSignal<Scheme>{flow<Scheme>(of)};
  }

  static Probe<R, AnyMesh> probe(const Case& of) {
    Probe<R, AnyMesh> probe;
    probe.mesh = rounded_to<AnyMesh>(of.flow.mesh);
    probe.gamma = R(of.flow.gamma);
    probe.gas_constant = R(of.gas_constant);
    if constexpr (traits.sphere) {
      probe.extra.frame = rounded_to<PanelFrames<R>>(of.frame);
    } else {
      probe.extra.x = TableAddress<R>::rounded_from(of.x);
      probe.extra.surface = of.flow.mesh.ground;
    }
    return probe;
  }
  static Diagnose<R, AnyMesh> diagnose(const Case& of, const Launch&) { return {probe(of)}; }
  static Evaluate<R, AnyMesh> evaluate(const Case& of, const Launch&, int quantity) {
    return {static_cast<Quantity>(quantity), probe(of)};
  }

  // The solver for the columns of these registers.
  static auto columns(const Case& of, const Launch& l, const SplitCall& split) {
    using Mesh = typename atmosphere::Flow<R, general>::Mesh;
    const BlockLayout& layout = *l.registers.layout;
    SolveColumns<R, Mesh> s;
    s.mesh = rounded_to<Mesh>(of.flow.mesh);
    s.gas_gamma = R(of.flow.gamma);
    if constexpr (traits.sphere) {
      s.levels = s.mesh.levels;
    } else {
      s.levels = static_cast<int>(layout.n[2]);
    }
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

  // In a box.

  // Fills ghosts of `out`: at the sides of `axis`, or of all for -1, with so many cells behind their ends.
  static Exterior<R> exterior(const Case& of, const Launch& l, const BoundaryCall& boundaries,
                              int axis, int around) {
    const BlockLayout& layout = *l.registers.layout;
    Exterior<R> e{};
    e.only_axis = axis;
    for (int a = 0; a < 3; ++a) {
      e.around[a] = layout.ghosts[a] < around ? 0 : around;
      e.cells[a] = static_cast<int>(layout.n[a]);
    }
    for (int s = 0; s < 6; ++s) e.side[s] = boundaries.side[s];
    for (int s = 0; s < 4; ++s) e.beyond[s] = TableAddress<R>::rounded_from(boundaries.beyond[s]);
    e.medium = medium(of);
    e.gamma = R(of.flow.gamma);
    return e;
  }
  static DiffusingValues<R> diffusing(const Case& of) { return {medium(of), R(of.flow.gamma)}; }
  static Diffuse<R> diffusion(const Case& of, const Launch& l) {
    Diffuse<R> diffuse;
    diffuse.flow = flow<decltype(diffuse.flow)>(of);
    diffuse.stride_var = l.registers.layout->stride_var;
    diffuse.clock = l.clock;
    return diffuse;
  }

  // On a sphere.

  // The edges of the panels of `in`, whose ghosts are written.
  static PanelEdges<R> edges(const Case& of, const Launch& l) {
    const BlockLayout& layout = *l.registers.layout;
    return {of.links,
            of.flow.mesh.levels,
            cells(l),
            layout.stride[1],
            layout.stride[2],
            layout.stride_var,
            static_cast<R*>(of.strips.strips),
            TableAddress<R>::rounded_from(of.line),
            static_cast<R*>(of.rims)};
  }
  // Sides of panels are the same whether the flow is split or not. `across`: with the transverse
  // term.
  template <bool always_strips, bool across>
  static auto couple(const Case& of, const Launch& l) {
    constexpr Traits own = [] {
      Traits t = unsplit(general);
      t.transverse = across;
      return t;
    }();
    using Scheme = atmosphere::Flow<R, own>;
    return CouplePanels<R, own, always_strips>{{rounded_to<decltype(Scheme::p)>(of.whole_panels)},
                                               edges(of, l)};
  }
  static CopyLines<R> copy_lines(const Case& of, const Launch& l) { return {edges(of, l)}; }
  static mesh::PackStrips<R, PanelEdges<R>> pack(const Case& of, const Launch& l, void* message) {
    return {edges(of, l), static_cast<R*>(of.strips.strips), of.strips.elements_here,
            static_cast<R*>(message)};
  }
  static mesh::UnpackStrips<R> unpack(const Case& of, const void* message) {
    return {static_cast<R*>(of.strips.strips), of.strips.elements_there,
            static_cast<const R*>(message)};
  }
  static DampPanels<R> damping(const Case& of, const Launch& l) {
    const BlockLayout& layout = *l.registers.layout;
    const mesh::PanelPart& part = of.links.part;
    return {cells(l),         layout.stride[1],
            layout.stride[2], layout.stride_var,
            part.size(0),     part.size(1),
            part.panels_here, of.flow.mesh.levels,
            of.sponge_level,  TableAddress<R>::rounded_from(of.sponge),
            l.clock};
  }

 private:
  static Medium<R> medium(const Case& of) { return rounded_to<Medium<R>>(of.flow.mesh.medium); }
  // Cell (0, 0, 0) of `in`.
  static R* cells(const Launch& l) {
    return static_cast<R*>(const_cast<void*>(l.registers.in)) + l.registers.layout->first;
  }
};

}  // namespace watersmeet::atmosphere
