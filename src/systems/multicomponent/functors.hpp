#pragma once
// The functors of the multicomponent system, made of the parameters of a case and rounded once to the precision of the loops.

#include "core/rounded.hpp"
#include "systems/multicomponent/loops.hpp"

namespace watersmeet::multicomponent {

template <class Number>
struct Functors {
  using real = Number;
  using R = Number;
  using Case = multicomponent::Case;

  template <Variant variant>
  static Flow<R, variant> flow(const Case& of) {
    return {rounded_to<FlowParameters<R>>(of.flow)};
  }
  static Finish<R> finish(const Case& of) { return rounded_to<Finish<R>>(of.finish); }
  static Diagnose<R> diagnose(const Case& of, const exec::Launch&) {
    return Diagnose<R>(of.diagnose);
  }
  static MeasureSignal<R> signal(const Case& of, const exec::Launch&) { return {finish(of)}; }
  static Evaluate<R> evaluate(const Case& of, const exec::Launch&, int quantity) {
    EvaluateParameters parameters = of.evaluate;
    parameters.quantity = static_cast<Quantity>(quantity);
    return Evaluate<R>(parameters);
  }
  static MeasureSteepness<R> steepness(const Case& of) {
    return {rounded_to<Vec<R, 3>>(of.flow.inverse_spacing)};
  }
  static exec::LimitPass<R> limit_pass(const LimitPassCall& call) {
    const BlockLayout& l = *call.layout;
    exec::LimitPass<R> pass;
    pass.flags = {static_cast<R*>(call.flags) + l.first, l.stride[1], l.stride[2]};
    pass.record = call.record;
    pass.number = call.pass;
    pass.alone = call.alone;
    return pass;
  }
};

}  // namespace watersmeet::multicomponent
