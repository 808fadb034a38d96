#include "core/error.hpp"
#include "systems/atmosphere/axes.hpp"

namespace watersmeet::atmosphere {
void use_axes(Kernels&, Choices, const exec::Strategy&) {
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
}
}  // namespace watersmeet::atmosphere
