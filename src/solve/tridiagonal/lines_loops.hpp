#pragma once
// Tridiagonal systems along lines for the back end of the compiler at hand.
#if defined(__CUDACC__)
#include "solve/tridiagonal/lines_cuda.hpp"
#else
#include "solve/tridiagonal/lines_cpu.hpp"
#endif
