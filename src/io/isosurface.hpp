#pragma once
// Where values at the points of a lattice are those asked for: triangles in space, pieces of lines in a plane, and their file (VTKHDF, PolyData).
//
// Marching tetrahedra: a cube of eight neighbouring points is six tetrahedra about the diagonal from its lowest to its highest point, one for each
// order in which a path along the edges takes the axes (H. Freudenthal, Ann. Math. 43, 580 (1942)); a square is two triangles likewise. Cubes that
// meet cut their common side in the same way, so that surfaces are closed and have each point once. Values are linear along the edges.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "io/provenance.hpp"

namespace watersmeet::io {

// A point of the surface on the edge from a point of the lattice to another one: (1 - share) of the former and `share` of the latter.
struct EdgePoint {
  std::int64_t from = 0, to = 0;
  double share = 0;
};

struct Isosurface {
  int corners = 3;  // of a cell: triangles; 2: pieces of lines
  std::vector<EdgePoint> points;
  std::vector<double> levels;       // at each point
  std::vector<std::int64_t> cells;  // numbers of points, `corners` each

  // Interpolates values at all points of the lattice, `components` each.
  std::vector<double> at_points(const std::vector<double>& values, int components) const;
};

// Adds that of the values, [k][j][i], from the number `first` on, of a lattice of n points, two or more along three axes or along two; cubes with values
// that are not finite have none. Seen from outside, where values are lower, the corners of triangles go round counter-clockwise.
void add_isosurface(Isosurface& surface, const Index3& n, std::int64_t first,
                    std::span<const double> values, double level);

// Values at the points of a surface, for its file.
struct PointValues {
  std::string name, units;
  int components = 1;
  std::vector<double> values;
};
struct IsosurfaceRun {
  double time = 0;
  std::int64_t step = 0;
  std::string length_units, time_units;
};
// Writes PATH atomically. `places`: x, y, z of each point. Error{io}.
void write_isosurface(const std::string& path, const Isosurface& surface,
                      const std::vector<double>& places, const std::vector<PointValues>& values,
                      const IsosurfaceRun& run, const Provenance& provenance);

}  // namespace watersmeet::io
