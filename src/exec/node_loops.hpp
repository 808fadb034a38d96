#pragma once
// The node form for the back end of the compiler at hand, and what all systems launch.
#if defined(__CUDACC__)
#include "exec/node_cube_cuda.hpp"
#include "exec/node_joined_cuda.hpp"
#include "exec/node_march_cuda.hpp"
#else
#include "exec/node_cpu.hpp"
#endif
#include "exec/common_loops.hpp"
