#include "core/error.hpp"
#include "exec/plane_axis_cuda.hpp"
#include "systems/shallow_water/axes.hpp"
#include "systems/shallow_water/functors.hpp"

namespace watersmeet::shallow_water {

namespace {
template <Variant variant>
exec::StageLaunch stage_of(const exec::Strategy& strategy, const Case& of) {
  return exec::with_axis_stage(strategy, [&](auto stage) -> exec::StageLaunch {
    using Stage = decltype(stage);
    using Form = exec::PlaneByAxes<double, Flow<double, variant>>;
    return {[&of](const exec::Launch& l) {
              Stage::run(exec::arrays_of<double>(l), exec::rounded<double>(l.update),
                         Form{Functors<double>::flow<variant>(of)}, l.clock, l.queue);
            },
            [] { return Stage::template reports<double, Form>(); }, exec::name_of(strategy)};
  });
}
}  // namespace

exec::StageLaunch make_axis_stage(Variant variant, const exec::Strategy& strategy, const Case& of) {
  require(variant != Variant::general, "launches an axis have neither limiters nor dry cells");
  return variant == Variant::points13 ? stage_of<Variant::points13>(strategy, of)
                                      : stage_of<Variant::points9>(strategy, of);
}

}  // namespace watersmeet::shallow_water
