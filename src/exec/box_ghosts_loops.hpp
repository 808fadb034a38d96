#pragma once
// Ghosts of a box for the back end of the compiler at hand.
#if defined(__CUDACC__)
#include "exec/box_ghosts_cuda.hpp"
#else
#include "exec/box_ghosts_cpu.hpp"
#endif
