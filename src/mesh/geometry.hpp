#pragma once
// Geometry of a mesh: where a point of the global index space lies. A small value passed to
// pointwise code.

#include <cstdint>

#include "mesh/orientation.hpp"

namespace watersmeet::mesh {

// Equidistant points along Cartesian axes: the coordinate of cell i is
//   lower + (i + offset) * spacing.
// Finite volumes have their value at the centre (offset 0.5); spectral-like periodic systems have
// points at lower + i spacing (offset 0). Staggered points lie half a spacing below either.
//
//        lower                                    lower
//          |---0---|---1---|---2---|  offset 0.5    0-------1-------2-------  offset 0
//
struct Uniform {
  Real3 lower{0, 0, 0};
  Real3 spacing{1, 1, 1};
  double offset = 0.5;

  // Coordinate of the cell with this global index.
  constexpr double coordinate(int axis, std::int64_t index) const {
    return lower[axis] + (static_cast<double>(index) + offset) * spacing[axis];
  }

  // Coordinates of a cell or staggered point.
  constexpr Real3 position(const Index3& index, Location where = Location::cell) const {
    Real3 x{};
    for (int a = 0; a < 3; ++a) {
      const double shift = staggered(where, a) ? offset - 0.5 : offset;
      x[a] = lower[a] + (static_cast<double>(index[a]) + shift) * spacing[a];
    }
    return x;
  }
};

}  // namespace watersmeet::mesh
