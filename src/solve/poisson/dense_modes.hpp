#pragma once
// The modes of an axis whose cells differ in width: the eigenvectors of its second difference, from
// the dense symmetric matrix S = M^(-1/2) K M^(-1/2) = Q diag(mu) Q^T, where M are the widths of
// the cells and K is -D G times them (fast diagonalisation: Lynch, Rice & Thomas, Numer. Math. 6
// (1964) 185).
//
//   mode m of a line f:  sum_j forward(m, j) f_j,    forward  = Q^T M^(1/2)
//   and back:            sum_m backward(j, m) f_m,   backward = M^(-1/2) Q = M^(-1) forward^T

#include <vector>

#include "solve/poisson/problem.hpp"

namespace watersmeet::solve {

// Longest axis: two matrices of 32 MiB, and minutes for their eigenvectors.
constexpr std::int64_t most_dense_cells = 2048;

struct DenseModes {
  std::vector<double> mu;                 // ascending; 0 exactly where constants are a mode
  std::vector<double> forward, backward;  // n x n, [row][column]
};

DenseModes dense_modes(const PoissonProblem& problem, int axis);

}  // namespace watersmeet::solve
