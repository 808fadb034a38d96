#pragma once
// Expressions of the input evaluated on the points of a grid.

#include <string>
#include <vector>

#include "config/expression.hpp"
#include "mesh/mesh.hpp"

namespace watersmeet::systems {

// Coordinates of the points along the three axes.
struct GridCoordinates {
  std::vector<double> x, y, z;
};
GridCoordinates coordinates_of(const mesh::Mesh& mesh, int block);
// At most `most` of the points along each axis, evenly chosen, for estimates.
GridCoordinates coarse_coordinates(const GridCoordinates& all, std::size_t most);

// out[k][j][i] = expression of x, y, z, r = sqrt(x^2 + y^2 + z^2) and the constants. Rows in
// parallel, one parser a thread.
void tabulate(const std::string& expression, const config::Constants& constants,
              const GridCoordinates& grid, int threads, double* out);

}  // namespace watersmeet::systems
