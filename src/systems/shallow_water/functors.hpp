#pragma once
// The functors of shallow water, made of the parameters of a case and of the arrays of a launch, and rounded once to the precision of the
// loops.

#include "core/rounded.hpp"
#include "systems/shallow_water/loops.hpp"

namespace watersmeet::shallow_water {

inline bool has_bed(const exec::Launch& l) { return l.registers.extra != nullptr; }
// Cell (0, 0, 0) of the bed, whose ghosts are written too; or null.
template <class R>
R* bed_of(const exec::Launch& l) {
  return const_cast<R*>(exec::arrays_of<R>(l).extra);
}

template <class Number>
struct Functors {
  using real = Number;
  using R = Number;
  using Case = shallow_water::Case;
  using Launch = exec::Launch;

  static FlowParameters<R> parameters(const Case& of) {
    return rounded_to<FlowParameters<R>>(of.flow);
  }
  template <Variant variant>
  static Flow<R, variant> flow(const Case& of) {
    return {parameters(of)};
  }
  static Probe<R> probe(const Case& of, const Launch& l) { return {parameters(of), has_bed(l)}; }
  static Diagnose<R> diagnose(const Case& of, const Launch& l) { return {probe(of, l)}; }
  static MeasureSignal<Flow<R, Variant::general>> signal(const Case& of, const Launch& l) {
    return {flow<Variant::general>(of), has_bed(l)};
  }
  static Evaluate<R> evaluate(const Case& of, const Launch& l, int quantity) {
    return {static_cast<Quantity>(quantity), probe(of, l)};
  }

  // `axis`: whose sides, or -1.
  static Exterior<R> exterior(const Case& of, const Launch& l, const PlaneSides<double>& sides,
                              int axis) {
    const FlowParameters<double>& p = of.flow;
    SideParameters<double> at_sides{p.gravity, p.wet_dry ? p.dry_depth : 0, {}, p.friction};
    for (int a = 0; a < 2; ++a) {
      if (p.inverse_spacing[a] > 0) at_sides.spacing[a] = 1 / p.inverse_spacing[a];
    }
    return {rounded_to<PlaneSides<R>>(sides), axis, rounded_to<SideParameters<R>>(at_sides),
            exec::arrays_of<R>(l).out, bed_of<R>(l)};
  }
  static BedExterior<R> bed_exterior(const PlaneSides<double>& sides, int axis) {
    return {rounded_to<PlaneSides<R>>(sides), axis};
  }
  template <Variant variant>
  static SideOutflow<R, variant> outflow(const Case& of, const Launch& l,
                                         const PlaneSides<double>& sides,
                                         const OutflowLedger& ledger) {
    return {static_cast<const R*>(l.registers.in), static_cast<const R*>(l.registers.extra),
            exec::sides_of(*l.registers.layout, [&](int s) { return has_condition(sides, s); }),
            flow<variant>(of), ledger};
  }
};

template <class Number>
struct SphereFunctors {
  using real = Number;
  using R = Number;
  using Case = shallow_water::Case;
  using Launch = exec::Launch;

  // `whole_panels`: counts cells from the panel's first one, not from the first one here.
  static SphereGeometry<R> geometry(const Panels& panels, bool whole_panels = false) {
    const mesh::PanelPart& part = panels.links.part;
    const int i = whole_panels ? 0 : part.first[0], j = whole_panels ? 0 : part.first[1];
    const auto from = [&](const memory::Buffer& table) { return table.as<R>() + table_lead; };
    return {{from(panels.tan_centre) + i, from(panels.cos2_centre) + i, from(panels.tan_face) + i,
             from(panels.cos2_face) + i, j - i},
            rounded_to<RotatingSphere<R>>(panels.sphere),
            {{-i, part.n - i}, {-j, part.n - j}},
            from(panels.rims),
            panels.rim_pitch,
            {i, j},
            part.first_panel};
  }
  template <Variant variant>
  static Flow<R, variant, SphereGeometry> flow(const Case& of, bool whole_panels = false) {
    return {Functors<R>::parameters(of), geometry(*of.panels, whole_panels)};
  }
  static SphereProbe<R> probe(const Case& of, const Launch& l) {
    return {Functors<R>::parameters(of), geometry(*of.panels),
            rounded_to<PanelFrames<R>>(of.panels->frame), rounded_to<KnownFlow<R>>(of.known),
            has_bed(l)};
  }
  static DiagnoseSphere<R> diagnose(const Case& of, const Launch& l) { return {probe(of, l)}; }
  static MeasureSignal<Flow<R, Variant::general, SphereGeometry>> signal(const Case& of,
                                                                         const Launch& l) {
    return {flow<Variant::general>(of), has_bed(l)};
  }
  static EvaluateSphere<R> evaluate(const Case& of, const Launch& l, int quantity) {
    return {static_cast<SphereQuantity>(quantity), probe(of, l)};
  }

  // Of `out`.
  static PanelEdges<R> edges(const Case& of, const Launch& l, bool bed_alone) {
    const Panels& panels = *of.panels;
    const exec::CellArrays<R> a = exec::arrays_of<R>(l);
    return {panels.links,
            a.out,
            bed_of<R>(l),
            a.stride_j,
            a.stride_k,
            a.stride_var,
            strips(panels),
            panels.line.as<R>(),
            panels.rims.as<R>() + table_lead,
            bed_alone};
  }
  template <Variant variant>
  static CouplePanels<R, variant> couple(const Case& of, const Launch& l, bool bed_alone) {
    return {flow<variant>(of, true), edges(of, l, bed_alone)};
  }
  static mesh::PackStrips<R, PanelEdges<R>> pack(const Case& of, const Launch& l, void* message) {
    return {edges(of, l, false), strips(*of.panels), of.panels->strips.elements_here,
            static_cast<R*>(message)};
  }
  static mesh::UnpackStrips<R> unpack(const Case& of, const void* message) {
    return {strips(*of.panels), of.panels->strips.elements_there, static_cast<const R*>(message)};
  }

 private:
  static R* strips(const Panels& panels) { return static_cast<R*>(panels.strips.strips); }
};

}  // namespace watersmeet::shallow_water
