#pragma once
// The functors of the atmosphere in a box, made of the parameters of a case and of the arrays of a launch, and rounded once to the precision
// of the loops.

#include "core/rounded.hpp"
#if !defined(__CUDACC__)
#include "core/gather_pack.hpp"
#endif
#include "systems/atmosphere/column.hpp"
#include "systems/atmosphere/loops.hpp"

namespace watersmeet::atmosphere {

// The solver for the columns of these registers.
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

template <class Number, Variant variant>
struct Functors {
  using real = Number;
  using R = Number;
  using Case = atmosphere::Case;
  using Launch = exec::Launch;
  template <Choices choices = Choices::all>
  using Flow = atmosphere::Flow<R, variant, choices>;

  static Medium<R, false> medium(const Case& of) {
    return rounded_to<Medium<R, false>>(of.flow.medium);
  }
  template <Choices choices = Choices::all>
  static Flow<choices> flow(const Case& of) {
    return {rounded_to<FlowParameters<R, equal_levels(choices)>>(of.flow)};
  }
  template <Choices choices = Choices::all>
  static Finish<Flow<choices>> finish(const Case& of) {
    return {flow<choices>(of)};
  }
  static MeasureSignal<Flow<>> signal(const Case& of, const Launch&) { return {flow(of)}; }

  static Probe<R> probe(const Case& of) {
    Probe<R> probe;
    probe.medium = medium(of);
    probe.gamma = R(of.flow.gamma);
    probe.gas_constant = R(of.gas_constant);
    probe.x = TableAddress<R>::rounded_from(of.x);
    probe.surface = of.flow.ground;
    return probe;
  }
  static Diagnose<R> diagnose(const Case& of, const Launch&) { return {probe(of)}; }
  static Evaluate<R> evaluate(const Case& of, const Launch&, int quantity) {
    return {static_cast<Quantity>(quantity), probe(of)};
  }

  // Of `out`; of the sides of an axis, or with -1 of all, with so many cells behind their ends.
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
    e.medium = medium(of);
    e.gamma = R(of.flow.gamma);
    return e;
  }

  static auto columns(const Case& of, const Launch& l, const SplitCall& split) {
    const BlockLayout& layout = *l.registers.layout;
    const BoxColumns<R, over_terrain(variant)> columns{
        medium(of), R(of.flow.gamma), R(of.flow.inverse_spacing[2]), static_cast<int>(layout.n[2])};
    return solver_of<R>(columns, layout, split);
  }

  static DiffusingValues<R> diffusing(const Case& of) { return {medium(of), R(of.flow.gamma)}; }
  static Diffuse<R> diffusion(const Case& of, const Launch& l) {
    Diffuse<R> diffuse;
    diffuse.flow = flow(of);
    diffuse.stride_var = l.registers.layout->stride_var;
    diffuse.clock = l.clock;
    return diffuse;
  }
};

}  // namespace watersmeet::atmosphere
