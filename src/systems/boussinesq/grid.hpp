#pragma once
// The staggered grid of a case: faces and centres along each axis, of equal cells or others, and the
// Poisson problem on it. Ghost centres mirror those next to a side.
//
//   face k     centre k     face k+1      width(k)     from face k to face k + 1
//     |-----------o-----------|           distance(k)  from centre k - 1 to centre k

#include <array>
#include <vector>

#include "mesh/geometry.hpp"
#include "solve/poisson/problem.hpp"

namespace watersmeet::boussinesq {

class StaggeredGrid {
 public:
  StaggeredGrid() = default;
  // Axes of one cell count as periodic. open: sides where the pressure is 0. faces: of each axis one
  // more than its cells, or none for uniform cells.
  StaggeredGrid(const Index3& cells, const Real3& lower, const Real3& upper,
                const std::array<bool, 3>& periodic, const std::array<bool, 6>& open,
                std::array<std::vector<double>, 3> faces);

  const Index3& cells() const { return cells_; }
  bool flat(int axis) const { return cells_[static_cast<std::size_t>(axis)] == 1; }
  bool periodic(int axis) const { return periodic_[static_cast<std::size_t>(axis)]; }
  bool stretched(int axis) const { return problem_.stretched(axis); }
  double length(int axis) const { return upper_[a(axis)] - lower_[a(axis)]; }
  // Coordinates of faces 0 .. cells and centres 0 .. cells - 1. Beyond a periodic axis indices wrap, beyond
  // others the last ones count.
  double face(int axis, std::int64_t index) const;
  double centre(int axis, std::int64_t index) const;
  double width(int axis, std::int64_t cell) const;     // beyond the ends that of the neighbour
  double distance(int axis, std::int64_t face) const;  // 0 .. cells
  double smallest_width(int axis) const;
  // sum over the axes along which something varies, but those left out, of 1 / (smallest width)^2
  double sum_of_inverse_squares(const std::array<bool, 3>& left_out = {}) const;

  const solve::PoissonProblem& problem() const { return problem_; }
  const mesh::Uniform& geometry() const { return geometry_; }

 private:
  static std::size_t a(int axis) { return static_cast<std::size_t>(axis); }
  // The index from 0 to `last` whose values stand at one beyond the grid too.
  std::int64_t known(int axis, std::int64_t index, std::int64_t last) const;
  Index3 cells_{1, 1, 1};
  Real3 lower_{0, 0, 0}, upper_{1, 1, 1};
  std::array<bool, 3> periodic_{true, true, true};
  mesh::Uniform geometry_;
  solve::PoissonProblem problem_;
};

}  // namespace watersmeet::boussinesq
