#pragma once
// A stage of shallow water on a plane by launches an axis in place of the march (exec/strategy.hpp), for comparison.

#include "exec/strategy.hpp"
#include "systems/shallow_water/loops.hpp"

namespace watersmeet::shallow_water {

// Of CUDA kernels in double precision; not Variant::general, and along both axes there is more than one cell. Error{unsupported} in a build
// without CUDA. The case must outlive it.
exec::StageLaunch make_axis_stage(Variant variant, const exec::Strategy& strategy, const Case& of);

}  // namespace watersmeet::shallow_water
