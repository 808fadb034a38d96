#pragma once
// How good a mesh is, in numbers: what `watersmeet mesh` prints.

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::mesh {

// A value and where it was found.
struct Extreme {
  double value = 0;
  int block = 0;
  Index3 at{};  // cell or node
};

// Distance from the nodes of a boundary to the next layer, along its normal.
struct FirstCells {
  std::string boundary;
  double smallest = 0, mean = 0, largest = 0;
};

struct MeshQuality {
  Extreme smallest_volume;  // of a cell; in 2-D an area
  Extreme largest_volume;
  // Smallest angle between two lines of the mesh that meet in a corner of a cell, degrees: 90 is
  // orthogonal.
  Extreme smallest_angle;
  // 1 - (e1 x e2) . e3 for the unit edges of a cell's corner, largest of all: 0 is a right corner,
  // 1 a flat one, more a corner that is folded.
  Extreme skewness;
  std::int64_t folded_corners = 0;
  // Ratio of the lengths of two neighbouring edges of a line, 1 or more. Not across blocks.
  Extreme stretching;
  Extreme aspect_ratio;                 // longest over shortest edge of a cell
  std::vector<FirstCells> first_cells;  // of each boundary of kind slip_wall
};

MeshQuality quality_of(const MultiBlockMesh& mesh);

}  // namespace watersmeet::mesh
