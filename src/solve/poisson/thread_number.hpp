#pragma once
// Number of the OpenMP thread that runs this, for memory of its own.

#include <cstddef>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace watersmeet::solve {

inline std::size_t thread_number() {
#if defined(_OPENMP)
  return static_cast<std::size_t>(omp_get_thread_num());
#else
  return 0;
#endif
}

}  // namespace watersmeet::solve
