#pragma once
// The order of a multigrid cycle, apart from what smoothing, transfer and the coarsest solve are.
//
//   V:   0 \        / 0
//        1  \      /  1
//        2   \bottom/
//
// Operations are a class with
//   int coarsest() const
//   void descend(int level, Start start)   smooth, then restrict the residual to level + 1
//   void solve_coarsest()
//   void ascend(int level)                 add the interpolated correction of level + 1, smooth

#include "core/host_device.hpp"

namespace watersmeet::solve {

enum class Start : int { zero, current };  // the guess that a level is smoothed from

// Operations of the host queue kernels, those of a kernel compute: both from here.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
template <class Operations>
WM_HD void v_cycle(Operations& operations, int finest, Start start) {
  for (int l = finest; l < operations.coarsest(); ++l) {
    operations.descend(l, l == finest ? start : Start::zero);
  }
  operations.solve_coarsest();
  for (int l = operations.coarsest() - 1; l >= finest; --l) operations.ascend(l);
}

}  // namespace watersmeet::solve
