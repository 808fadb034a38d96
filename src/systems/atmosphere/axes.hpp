#pragma once
// A stage of the atmosphere in a box by launches an axis in place of tiles and sweeps (exec/strategy.hpp), for comparison.

#include "exec/strategy.hpp"
#include "systems/atmosphere/loops.hpp"

namespace watersmeet::atmosphere {

// The stage by CUDA kernels in double precision over flat ground, for the usual choices or those with the transverse term, and more than one cell
// along every axis. Error{unsupported} in a build without CUDA. The case must outlive it.
exec::StageLaunch make_axis_stage(const Traits& traits, const exec::Strategy& strategy,
                                  const BoxCase& of);

}  // namespace watersmeet::atmosphere
