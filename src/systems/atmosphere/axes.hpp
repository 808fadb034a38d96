#pragma once
// Launches an axis in place of the tiles and sweeps of the atmosphere (exec/strategy.hpp).

#include "exec/strategy.hpp"
#include "systems/atmosphere/kernels.hpp"

namespace watersmeet::atmosphere {

// Of CUDA kernels in double precision over flat ground, for the usual choices or those with the
// transverse term, and more than one cell along every axis. Error{unsupported} in a build without
// CUDA.
void use_axes(Kernels& kernels, Choices choices, const exec::Strategy& strategy);

}  // namespace watersmeet::atmosphere
