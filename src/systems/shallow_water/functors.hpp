#pragma once
// The functors of shallow water, made of the parameters of a case and of the arrays of a launch, and
// rounded once to the precision of the loops.

#include "core/rounded.hpp"
#include "systems/shallow_water/loops.hpp"

namespace watersmeet::shallow_water {

template <class Number, Traits traits>
struct Functors {
  static constexpr bool sphere = traits.sphere;
  using real = Number;
  using R = Number;
  using Case = shallow_water::Case;
  using Launch = exec::Launch;

  static bool has_bed(const Launch& l) { return l.registers.extra != nullptr; }
  // Cell (0, 0, 0) of the bed, whose ghosts are written too; or null.
  static R* bed_of(const Launch& l) { return const_cast<R*>(exec::arrays_of<R>(l).extra); }

  static FlowParameters<R> parameters(const Case& of) {
    return rounded_to<FlowParameters<R>>(of.flow);
  }
  static MeshOf<R, sphere> mesh(const Case& of) {
    if constexpr (sphere) return rounded_to<PanelMesh<R>>(of.panel);
    if constexpr (!sphere) return rounded_to<PlaneMesh<R>>(of.plane);
  }
  static Flow<R, traits> flow(const Case& of) { return {parameters(of), mesh(of)}; }
  static Probe<R, sphere> probe(const Case& of, const Launch& l) {
    Probe<R, sphere> probe{parameters(of), mesh(of), has_bed(l), {}};
    if constexpr (sphere) probe.frame = rounded_to<SphereFrame<R>>(of.frame);
    return probe;
  }
  static Diagnose<R, sphere> diagnose(const Case& of, const Launch& l) { return {probe(of, l)}; }
  static MeasureSignal<Flow<R, traits>> signal(const Case& of, const Launch& l) {
    return {flow(of), has_bed(l)};
  }
  static Evaluate<R, sphere> evaluate(const Case& of, const Launch& l, int quantity) {
    return {static_cast<Quantity>(quantity), probe(of, l)};
  }

  // Fills ghosts of a plane. `axis`: whose sides, or -1.
  static Exterior<R> exterior(const Case& of, const Launch& l, const PlaneSides<double>& sides,
                              int axis) {
    const FlowParameters<double>& p = of.flow;
    SideParameters<double> at_sides{p.gravity, p.dry_depth, {}, p.friction};
    for (int a = 0; a < 2; ++a) {
      if (of.plane.active(a)) at_sides.spacing[a] = 1 / of.plane.inverse_spacing[a];
    }
    return {rounded_to<PlaneSides<R>>(sides), axis, rounded_to<SideParameters<R>>(at_sides),
            exec::arrays_of<R>(l).out, bed_of(l)};
  }
  static BedExterior<R> bed_exterior(const PlaneSides<double>& sides, int axis) {
    return {rounded_to<PlaneSides<R>>(sides), axis};
  }
  static SideOutflow<R, traits> outflow(const Case& of, const Launch& l,
                                        const PlaneSides<double>& sides,
                                        const OutflowLedger& ledger) {
    return {static_cast<const R*>(l.registers.in), static_cast<const R*>(l.registers.extra),
            exec::sides_of(*l.registers.layout, [&](int s) { return has_condition(sides, s); }),
            flow(of), ledger};
  }

  // The edges of the panels of `out`, on a sphere.
  static PanelEdges<R> edges(const Case& of, const Launch& l, bool bed_alone) {
    const exec::CellArrays<R> a = exec::arrays_of<R>(l);
    return {of.links,     a.out,      bed_of(l),       a.stride_j, a.stride_k,
            a.stride_var, strips(of), {of.line.start}, bed_alone};
  }
  static CouplePanels<R, traits> couple(const Case& of, const Launch& l, bool bed_alone) {
    return {{parameters(of), rounded_to<PanelMesh<R>>(of.whole_panel)}, edges(of, l, bed_alone)};
  }
  static mesh::PackStrips<R, PanelEdges<R>> pack(const Case& of, const Launch& l, void* message) {
    return {edges(of, l, false), strips(of), of.strips.elements_here, static_cast<R*>(message)};
  }
  static mesh::UnpackStrips<R> unpack(const Case& of, const void* message) {
    return {strips(of), of.strips.elements_there, static_cast<const R*>(message)};
  }

 private:
  static R* strips(const Case& of) { return static_cast<R*>(of.strips.strips); }
};

}  // namespace watersmeet::shallow_water
