#include "core/error.hpp"
#include "systems/atmosphere/axes.hpp"

namespace watersmeet::atmosphere {
exec::StageLaunch make_axis_stage(const Traits&, const exec::Strategy&, const BoxCase&) {
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
}
}  // namespace watersmeet::atmosphere
