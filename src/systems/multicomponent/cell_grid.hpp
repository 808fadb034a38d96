#pragma once
// Where the cells of a case lie: a box of cells along Cartesian axes, equally wide along an axis or not. All places are computed from the
// index in the whole grid, so that they do not depend on how the grid is cut.

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/geometry.hpp"

namespace watersmeet::multicomponent {

struct CellGrid {
  mesh::Uniform geometry;  // of the whole grid, values at cell centres; `spacing` is the mean width
  Index3 cells{1, 1, 1};
  // Along an axis of cells of different widths, one more than the cells; else empty. Set by stretch().
  std::array<std::vector<double>, 3> faces{};
  Real3 narrowest{0, 0, 0}, widest{0, 0, 0};  // of those cells

  void stretch(std::size_t axis, std::vector<double> axis_faces);

  bool active(std::size_t axis) const { return cells[axis] > 1; }
  std::array<bool, 3> active() const { return {active(0), active(1), active(2)}; }
  bool stretched(std::size_t axis) const { return !faces[axis].empty(); }
  bool stretched() const { return stretched(0) || stretched(1) || stretched(2); }
  // Lower face, centre or upper face of a cell: side = -1, 0, 1. A face has the same coordinate
  // seen from both its cells.
  double place(std::size_t axis, std::int64_t index, int side) const {
    if (stretched(axis)) {
      const double* const x = faces[axis].data() + index;
      return side < 0 ? x[0] : side > 0 ? x[1] : 0.5 * (x[0] + x[1]);
    }
    return geometry.lower[axis] +
           (static_cast<double>(index) + (0.5 + 0.5 * side)) * geometry.spacing[axis];
  }
  Real3 centre(const Index3& cell) const {
    return {place(0, cell[0], 0), place(1, cell[1], 0), place(2, cell[2], 0)};
  }
  double lower(std::size_t axis) const { return geometry.lower[axis]; }
  double upper(std::size_t axis) const {
    return geometry.lower[axis] + static_cast<double>(cells[axis]) * geometry.spacing[axis];
  }
  double width(std::size_t axis, std::int64_t index) const {
    return stretched(axis) ? place(axis, index, 1) - place(axis, index, -1)
                           : geometry.spacing[axis];
  }
  double smallest_width(std::size_t axis) const {
    return stretched(axis) ? narrowest[axis] : geometry.spacing[axis];
  }
  double largest_width(std::size_t axis) const {
    return stretched(axis) ? widest[axis] : geometry.spacing[axis];
  }
  // A coordinate in cells from the lower side: 2.5 is the middle of cell 2 of equal cells; beyond the grid in cells of the mean width.
  double in_cells(std::size_t axis, double x) const;

  // Along the active axes: the largest width of a cell, and of all cells; half the longest diagonal.
  double largest_spacing(const Index3& cell) const;
  double largest_spacing() const;
  double half_diagonal() const;
};

}  // namespace watersmeet::multicomponent
