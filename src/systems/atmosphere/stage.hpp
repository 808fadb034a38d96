#pragma once
// The stage on the CPU, and by sweeps on CUDA, for the headers of its variants.

#include "core/error.hpp"
#include "exec/face_loops.hpp"
#include "systems/atmosphere/built.hpp"
#include "systems/atmosphere/functors.hpp"

namespace watersmeet::atmosphere {

template <class BackEnd, class R, const auto& list, class Case>
exec::StageLaunch face_stage(const Traits& traits, const Case& of) {
  exec::StageLaunch stage;
  const bool found = with_compiled<list>(traits, [&]<Traits own>() {
    using F = Functors<R, own>;
    stage = {[&of](const exec::Launch& l) {
               exec::face_stage(BackEnd{}, exec::arrays_of<R>(l), exec::rounded<R>(l.update),
                                F::flow(of), F::finish(of), l.clock, l.queue);
             },
             [] { return exec::face_reports<R, typename F::Flow, typename F::Finish>(BackEnd{}); },
             BackEnd::device ? "sweeps" : "cpu"};
  });
  require(found, "a case has a compiled stage");
  return stage;
}

}  // namespace watersmeet::atmosphere
