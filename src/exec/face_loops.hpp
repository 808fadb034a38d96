#pragma once
// The face form for the back end of the compiler at hand, its limiter and boundaries, and what all systems launch.
#if defined(__CUDACC__)
#include "exec/boundary_cuda.hpp"
#include "exec/face_limit_cuda.hpp"
#include "exec/face_sweep_cuda.hpp"
#include "exec/side_count_cuda.hpp"
#else
#include "exec/boundary_cpu.hpp"
#include "exec/face_cpu.hpp"
#include "exec/face_limit_cpu.hpp"
#include "exec/rate_update_cpu.hpp"
#include "exec/side_count_cpu.hpp"
#endif
#include "exec/common_loops.hpp"
