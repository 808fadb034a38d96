#include "core/error.hpp"
#include "systems/shallow_water/axes.hpp"

namespace watersmeet::shallow_water {
exec::StageLaunch make_axis_stage(const Traits&, const exec::Strategy&, const Case&) {
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
}
}  // namespace watersmeet::shallow_water
