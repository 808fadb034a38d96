#include "core/error.hpp"
#include "exec/face_axis_cuda.hpp"
#include "systems/atmosphere/axes.hpp"
#include "systems/atmosphere/functors.hpp"

namespace watersmeet::atmosphere {

namespace {
template <Choices choices>
exec::StageLaunch stage_of(const exec::Strategy& strategy, const Case& of) {
  return exec::with_axis_stage(strategy, [&](auto stage) -> exec::StageLaunch {
    using Stage = decltype(stage);
    using F = Functors<double, Variant::flat>;
    using Scheme = Flow<double, Variant::flat, choices>;
    using Form = exec::FaceByAxes<double, Scheme, Finish<Scheme>>;
    return {[&of](const exec::Launch& l) {
              Stage::run(exec::arrays_of<double>(l), exec::rounded<double>(l.update),
                         Form{F::flow<choices>(of), F::finish<choices>(of)}, l.clock, l.queue);
            },
            [] { return Stage::template reports<double, Form>(); }, exec::name_of(strategy)};
  });
}
}  // namespace

exec::StageLaunch make_axis_stage(Choices choices, const exec::Strategy& strategy, const Case& of) {
  require(choices != Choices::all, "launches an axis have no limiter, and without c3 lmars alone");
  return choices == Choices::lmars_unlimited ? stage_of<Choices::lmars_unlimited>(strategy, of)
                                             : stage_of<Choices::transverse>(strategy, of);
}

}  // namespace watersmeet::atmosphere
