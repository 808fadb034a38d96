#pragma once
// A stage of shallow water on a plane by launches an axis in place of the march (exec/strategy.hpp), for comparison.

#include "exec/strategy.hpp"
#include "systems/shallow_water/loops.hpp"

namespace watersmeet::shallow_water {

// For set_stage() of CUDA loops in double precision; not of a sphere, not general, and along both axes there is more than one cell.
// Error{unsupported} in a build without CUDA. The case must outlive it.
exec::StageLaunch make_axis_stage(const Traits& traits, const exec::Strategy& strategy,
                                  const Case& of);

}  // namespace watersmeet::shallow_water
