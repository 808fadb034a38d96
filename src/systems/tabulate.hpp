#pragma once
// Expressions of the input evaluated on the points of a grid.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "config/expression.hpp"
#include "config/input.hpp"
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

// A fault, and false, where an expression reads coordinates that its grid does not have: a box and a
// plane have x and y, a sphere lon and lat; a grid with heights has z besides.
struct CoordinateKind {
  bool sphere, heights;
};
bool check_coordinates(config::Input& input, const std::string& key, const std::string& text,
                       const config::Constants& constants, const CoordinateKind& grid);

// Error{user_input} at `key` of the first value that is not finite: what it is, and where, by the
// words of place(number of the value).
void require_finite(const config::Fault& key, std::span<const double> values,
                    const std::function<std::string(std::size_t)>& place);
// "x = 1, y = 2, z = 3" of a point of a grid by its number.
std::string point_text(const GridCoordinates& grid, std::size_t number);

// Up to `most` stretches of `width` of the indices 0 .. n - 1, evenly placed; where they reach
// all of them, each begins before the last one ends: what a look at a case takes of an axis of any
// length. A width of 2 or more.
struct Stretch {
  std::int64_t begin, end;
};
std::vector<Stretch> stretches(std::int64_t n, std::int64_t width, std::int64_t most);

}  // namespace watersmeet::systems
