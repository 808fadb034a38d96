#pragma once
// The cell form for the back end of the compiler at hand, and what all systems launch.
#if defined(__CUDACC__)
#include "exec/cell_ring_cuda.hpp"
#else
#include "exec/cell_cpu.hpp"
#endif
#include "exec/common_loops.hpp"
