#include "core/error.hpp"
#include "systems/shallow_water/axes.hpp"

namespace watersmeet::shallow_water {
void use_axes(Kernels&, Variant, const exec::Strategy&) {
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
}
}  // namespace watersmeet::shallow_water
