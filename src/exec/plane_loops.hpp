#pragma once
// The face form on a plane for the back end of the compiler at hand, its boundaries, and what all systems launch.
#if defined(__CUDACC__)
#include "exec/boundary_cuda.hpp"
#include "exec/plane_cuda.hpp"
#include "exec/side_count_cuda.hpp"
#else
#include "exec/boundary_cpu.hpp"
#include "exec/plane_cpu.hpp"
#include "exec/side_count_cpu.hpp"
#endif
#include "exec/common_loops.hpp"
