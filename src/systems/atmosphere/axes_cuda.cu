#include "core/error.hpp"
#include "exec/face_axis_cuda.hpp"
#include "systems/atmosphere/axes.hpp"
#include "systems/atmosphere/functors.hpp"

namespace watersmeet::atmosphere {

namespace {
template <Traits traits>
exec::StageLaunch stage_of(const exec::Strategy& strategy, const BoxCase& of) {
  return exec::with_axis_stage(strategy, [&](auto stage) -> exec::StageLaunch {
    using Stage = decltype(stage);
    using F = Functors<double, traits>;
    using Form = exec::FaceByAxes<double, typename F::Flow, typename F::Finish>;
    return {[&of](const exec::Launch& l) {
              Stage::run(exec::arrays_of<double>(l), exec::rounded<double>(l.update),
                         Form{F::flow(of), F::finish(of)}, l.clock, l.queue);
            },
            [] { return Stage::template reports<double, Form>(); }, exec::name_of(strategy)};
  });
}
}  // namespace

exec::StageLaunch make_axis_stage(const Traits& traits, const exec::Strategy& strategy,
                                  const BoxCase& of) {
  require(traits.transverse || traits.lmars,
          "launches an axis have no limiter, and without c3 lmars alone");
  return traits.transverse ? stage_of<Traits{.equal = true, .transverse = true}>(strategy, of)
                           : stage_of<Traits{.equal = true, .lmars = true}>(strategy, of);
}

}  // namespace watersmeet::atmosphere
