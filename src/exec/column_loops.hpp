#pragma once
// The line form along z for the back end of the compiler at hand.
#if defined(__CUDACC__)
#include "exec/column_cuda.hpp"
#else
#include "exec/column_cpu.hpp"
#endif
