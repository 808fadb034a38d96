#pragma once
// Exact solution on the coarsest level, by fast diagonalisation (Lynch, Rice & Thomas 1964): L is a
// sum of operators along the axes, each symmetric in the inner product weighted with the widths d,
// so that
//
//   S = d^{1/2} L_axis d^{-1/2} = Q Lambda Q^T,   phi = B (Lambda_x + Lambda_y + Lambda_z)^{-1} F f
//   F = Q^T d^{1/2},  B = d^{-1/2} Q  along every axis
//
// Six products with small matrices, whatever the sides and the sizes; 2 (nx + ny + nz)
// multiplications a cell. The mode of the eigenvalue 0 of a singular problem is dropped: this is
// the pseudo-inverse, which also takes the mean off the right-hand side and off the solution.

#include <array>
#include <vector>

#include "solve/multigrid/levels.hpp"

namespace watersmeet::solve {

// Matrices are stored as [from * n + to].
struct AxisModes {
  std::int64_t n = 1;
  std::vector<double> forward, back, eigenvalue;
};

struct BottomModes {
  // The eigenvalue 0 of an axis without a Dirichlet side is exactly 0.
  std::array<AxisModes, 3> axis;
};
BottomModes make_bottom_modes(const Level& level);

}  // namespace watersmeet::solve
