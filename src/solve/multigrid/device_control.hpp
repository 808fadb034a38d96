#pragma once
// What a solve that decides on the device keeps in device memory.

#include "exec/clock.hpp"
#include "solve/multigrid/control.hpp"

namespace watersmeet::solve {

// Longest run of cycles between two residuals that is queued.
inline constexpr int most_inner_cycles = 4;

struct DeviceControl {
  SolveControl solve;
  void* solution = nullptr;  // cell (0, 0, 0) of the caller's arrays, set for each solve
  void* right_side = nullptr;
  void* spare = nullptr;  // of the shape of the solution
  int in_spare = 0;       // 1: phi is there for the moment
  int from_zero = 0;      // 1: phi is 0, and stands nowhere yet
  int carried_out = 0;    // 0: this solve does not happen (its clock is inactive)
  double solution_mean = 0;
  std::uint64_t largest[2] = {0, 0};  // bit patterns: of the residual, of the solution
};

}  // namespace watersmeet::solve
