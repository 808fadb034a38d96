#pragma once
// Whether loops can run on the GPU at hand.

#include "core/error.hpp"
#include "exec/loops.hpp"

namespace watersmeet::systems {

// Whether the current device has the registers and the shared memory that each kernel of a stage takes.
inline bool fits_device(const exec::Loops& loops) {
  try {
    return exec::emptiest(loops.describe()).warps_per_multiprocessor > 0;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::device) throw;
    return false;
  }
}

}  // namespace watersmeet::systems
