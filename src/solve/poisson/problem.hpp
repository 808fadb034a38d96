#pragma once
// The Poisson problem that all solvers share: L phi = rhs on a box of cells, where L = D G is the divergence
// of the gradient on the staggered grid, the 7-point operator
//
//   (L phi)_i = [ (phi_{i+1} - phi_i) / dc_{i+1} - (phi_i - phi_{i-1}) / dc_i ] / d_i
//               + the same along y and z
//
//   face i        cell i        face i+1       d_i   width of the cell
//     |-------------o-------------|            dc_i  distance of the centres of cells i - 1 and i;
//                                                    at a side twice that of centre and face
//
// A Neumann side has no flux: its face drops out of the sum. A Dirichlet side has phi = 0 on the
// face: the ghost is -phi. An axis of one cell is flat where it is periodic or Neumann: no part.

#include <array>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace watersmeet::solve {

enum class PoissonSide : int { periodic, neumann, dirichlet };

struct PoissonProblem {
  Index3 cells{1, 1, 1};
  Real3 spacing{1, 1, 1};  // of the axes whose `faces` are empty
  // Faces of a stretched axis, cells + 1 of them, ascending; empty: uniform.
  std::array<std::vector<double>, 3> faces;
  // 2 axis + (upper). Both sides of a periodic axis are periodic.
  std::array<PoissonSide, 6> sides{};

  bool periodic(int axis) const {
    return sides[static_cast<std::size_t>(2 * axis)] == PoissonSide::periodic;
  }
  bool stretched(int axis) const { return !faces[static_cast<std::size_t>(axis)].empty(); }
  // Whether constants are in the null space: no Dirichlet side.
  bool singular() const;
  // Why it is no problem of this kind, as text with the numbers; empty when it is one.
  std::string fault() const;

  double width(int axis, std::int64_t cell) const;     // d
  double distance(int axis, std::int64_t face) const;  // dc, face 0 .. cells
};

}  // namespace watersmeet::solve
