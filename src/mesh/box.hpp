#pragma once
// The mesh of a box: one block, linked to itself along each periodic axis.

#include "mesh/mesh.hpp"

namespace watersmeet::mesh {

// cells: number per axis, at least 1. lower, upper: corners of the box; upper above lower in each
// axis. point_offset: see Uniform. Throws user_input.
Mesh make_box(Index3 cells, Real3 lower, Real3 upper, std::array<bool, 3> periodic,
              double point_offset = 0.5);

}  // namespace watersmeet::mesh
