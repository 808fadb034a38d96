#pragma once
// Launches an axis in place of the march of shallow water on a plane (exec/strategy.hpp).

#include "exec/strategy.hpp"
#include "systems/shallow_water/kernels.hpp"

namespace watersmeet::shallow_water {

// Of CUDA kernels in double precision; not Variant::general, and along both axes there is more than
// one cell. Error{unsupported} in a build without CUDA.
void use_axes(Kernels& kernels, Variant variant, const exec::Strategy& strategy);

}  // namespace watersmeet::shallow_water
