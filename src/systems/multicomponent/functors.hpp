#pragma once
// The functors of the multicomponent system, made of the parameters of a case and rounded once to the precision of the loops.

#include <type_traits>

#include "core/rounded.hpp"
#include "systems/multicomponent/loops.hpp"
#include "systems/multicomponent/stretched.hpp"

namespace watersmeet::multicomponent {

template <class R>
StretchedCells<R> stretched_cells(const Case& of) {
  const CellNumbers& numbers = of.numbers;
  StretchedCells<R> cells;
  cells.inverse_spacing = rounded_to<Vec<R, 3>>(of.flow.inverse_spacing);
  for (std::size_t a = 0; a < 3; ++a) {
    cells.start[a] = static_cast<const R*>(numbers.start[a]) + numbers.first[a];
    cells.pitch[a] = numbers.pitch[a];
  }
  return cells;
}

template <class Number, Variant variant>
struct Functors {
  using real = Number;
  using R = Number;
  using Case = multicomponent::Case;
  static constexpr bool stretched = variant == Variant::stretched;
  using Cells = std::conditional_t<stretched, StretchedCells<R>, EqualCells<R>>;

  static Cells cells(const Case& of) {
    if constexpr (stretched) {
      return stretched_cells<R>(of);
    } else {
      return {rounded_to<Vec<R, 3>>(of.flow.inverse_spacing)};
    }
  }
  static auto flow(const Case& of) {
    const auto parameters = rounded_to<FlowParameters<R>>(of.flow);
    if constexpr (stretched) {
      return StretchedFlow<R>{{parameters}, cells(of)};
    } else {
      return Flow<R, variant>{parameters};
    }
  }
  static auto finish(const Case& of) {
    const auto parameters = rounded_to<Finish<R>>(of.finish);
    if constexpr (stretched) {
      return StretchedFinish<R>{parameters, cells(of)};
    } else {
      return parameters;
    }
  }
  static Diagnose<R, Cells> diagnose(const Case& of, const exec::Launch&) {
    return {of.diagnose, cells(of)};
  }
  static auto signal(const Case& of, const exec::Launch&) {
    return MeasureSignal<decltype(finish(of))>{finish(of)};
  }
  static Evaluate<R, Cells> evaluate(const Case& of, const exec::Launch&, int quantity) {
    EvaluateParameters parameters = of.evaluate;
    parameters.quantity = static_cast<Quantity>(quantity);
    return {parameters, cells(of)};
  }
  static MeasureSteepness<Cells> steepness(const Case& of) { return {cells(of)}; }
  static exec::LimitPass<R> limit_pass(const LimitPassCall& call) {
    const BlockLayout& l = *call.layout;
    exec::LimitPass<R> pass;
    pass.flags = {static_cast<R*>(call.flags) + l.first, l.stride[1], l.stride[2]};
    pass.rows = call.rows;
    pass.record = call.record;
    pass.number = call.pass;
    pass.alone = call.alone;
    return pass;
  }
};

}  // namespace watersmeet::multicomponent
