#pragma once
// The update of a stage in host memory without the end of a step, of any right-hand side (exec/rate_update_cpu.hpp).

#include "core/types.hpp"
#include "exec/loops.hpp"

namespace watersmeet::exec {

// Registers of the launch: `out` the solution, `increment` what the update reads and keeps beside it, `extra` the rates of the box alone.
void update_from_rates(const Launch& launch, int variables, Precision precision);

}  // namespace watersmeet::exec
