#include "core/error.hpp"
#include "exec/plane_axis_cuda.hpp"
#include "systems/shallow_water/axes.hpp"
#include "systems/shallow_water/functors.hpp"

namespace watersmeet::shallow_water {

namespace {
template <Traits traits>
exec::StageLaunch stage_of(const exec::Strategy& strategy, const Case& of) {
  return exec::with_axis_stage(strategy, [&](auto stage) -> exec::StageLaunch {
    using Stage = decltype(stage);
    using Form = exec::PlaneByAxes<double, Flow<double, traits>>;
    return {[&of](const exec::Launch& l) {
              Stage::run(exec::arrays_of<double>(l), exec::rounded<double>(l.update),
                         Form{Functors<double, traits>::flow(of)}, l.clock, l.queue);
            },
            [] { return Stage::template reports<double, Form>(); }, exec::name_of(strategy)};
  });
}
}  // namespace

exec::StageLaunch make_axis_stage(const Traits& traits, const exec::Strategy& strategy,
                                  const Case& of) {
  require(!traits.general && !traits.sphere,
          "launches an axis have neither limiters, dry cells nor panels");
  return traits.transverse ? stage_of<Traits{.transverse = true}>(strategy, of)
                           : stage_of<Traits{}>(strategy, of);
}

}  // namespace watersmeet::shallow_water
