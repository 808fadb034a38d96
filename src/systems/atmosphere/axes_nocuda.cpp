#include "core/error.hpp"
#include "systems/atmosphere/axes.hpp"

namespace watersmeet::atmosphere {
exec::StageLaunch make_axis_stage(Choices, const exec::Strategy&, const Case&) {
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
}
}  // namespace watersmeet::atmosphere
