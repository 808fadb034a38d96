#pragma once
// Loops over lists for the back end of the compiler at hand.
#if defined(__CUDACC__)
#include "exec/index_cuda.hpp"
#else
#include "exec/index_cpu.hpp"
#endif
