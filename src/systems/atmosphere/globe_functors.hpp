#pragma once
// The functors of the atmosphere on a cubed sphere, as functors.hpp has those of a box.

#include "systems/atmosphere/functors.hpp"
#include "systems/atmosphere/globe_loops.hpp"

namespace watersmeet::atmosphere {

template <class Number, GlobeVariant variant>
struct GlobeFunctors {
  using real = Number;
  using R = Number;
  using Case = GlobeCase;
  using Launch = exec::Launch;
  static constexpr bool equal = equal_levels(variant);
  template <Choices choices = Choices::all>
  using Flow = GlobeFlow<R, variant, choices>;

  template <Choices choices = Choices::all>
  static Flow<choices> flow(const Case& of) {
    return {rounded_to<GlobeParameters<R, equal>>(of.flow)};
  }
  static Finish<Flow<>> finish(const Case& of) { return {flow(of)}; }
  static MeasureSignal<Flow<>> signal(const Case& of, const Launch&) { return {flow(of)}; }

  static GlobeProbe<R> probe(const Case& of) {
    return {rounded_to<GlobeGeometry<R, false>>(of.flow.geometry), R(of.flow.gamma),
            R(of.gas_constant), rounded_to<PanelFrames<R>>(of.frame)};
  }
  static DiagnoseGlobe<R> diagnose(const Case& of, const Launch&) { return {probe(of)}; }
  static EvaluateGlobe<R> evaluate(const Case& of, const Launch&, int quantity) {
    return {static_cast<GlobeQuantity>(quantity), probe(of)};
  }

  // Of `in`, whose ghosts are written.
  static GlobeEdges<R> edges(const Case& of, const Launch& l) {
    const BlockLayout& layout = *l.registers.layout;
    return {of.links,
            of.flow.geometry.levels,
            cells(l),
            layout.stride[1],
            layout.stride[2],
            layout.stride_var,
            static_cast<R*>(of.strips.strips),
            TableAddress<R>::rounded_from(of.line),
            static_cast<R*>(of.rims)};
  }
  // Sides of panels are the same whether the flow is split or not.
  template <bool always_strips, Choices choices>
  static CoupleGlobe<R, whole(variant), always_strips, choices> couple(const Case& of,
                                                                       const Launch& l) {
    return {{rounded_to<GlobeParameters<R, equal>>(of.whole_panels)}, edges(of, l)};
  }
  static CopyLines<R> copy_lines(const Case& of, const Launch& l) { return {edges(of, l)}; }
  static mesh::PackStrips<R, GlobeEdges<R>> pack(const Case& of, const Launch& l, void* message) {
    return {edges(of, l), static_cast<R*>(of.strips.strips), of.strips.elements_here,
            static_cast<R*>(message)};
  }
  static mesh::UnpackStrips<R> unpack(const Case& of, const void* message) {
    return {static_cast<R*>(of.strips.strips), of.strips.elements_there,
            static_cast<const R*>(message)};
  }

  static auto columns(const Case& of, const Launch& l, const SplitCall& split) {
    const auto geometry = rounded_to<GlobeGeometry<R, equal>>(of.flow.geometry);
    const GlobeColumns<R, variant> columns{geometry, geometry.medium, R(of.flow.gamma),
                                           R(of.flow.inverse_spacing[2])};
    return solver_of<R>(columns, *l.registers.layout, split);
  }

  static DampGlobe<R> damping(const Case& of, const Launch& l) {
    const BlockLayout& layout = *l.registers.layout;
    const mesh::PanelPart& part = of.links.part;
    return {cells(l),         layout.stride[1],
            layout.stride[2], layout.stride_var,
            part.size(0),     part.size(1),
            part.panels_here, of.flow.geometry.levels,
            of.sponge_level,  TableAddress<R>::rounded_from(of.sponge),
            l.clock};
  }

 private:
  // Cell (0, 0, 0) of `in`.
  static R* cells(const Launch& l) {
    return static_cast<R*>(const_cast<void*>(l.registers.in)) + l.registers.layout->first;
  }
};

}  // namespace watersmeet::atmosphere
