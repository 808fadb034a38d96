#pragma once
// Loops over nodes and arithmetic of points, for the host code of curvilinear meshes.

#include <cmath>

#include "mesh/curvilinear/block.hpp"

namespace watersmeet::mesh {

// Calls f(index) for every index of the box, i fastest.
template <class F>
void for_each_node(const Box& box, const F& f) {
  for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k) {
    for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j) {
      for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i) f(Index3{i, j, k});
    }
  }
}

inline Real3 difference_of(const Real3& a, const Real3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Real3 sum_of(const Real3& a, const Real3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Real3 scaled(double factor, const Real3& a) {
  return {factor * a[0], factor * a[1], factor * a[2]};
}
inline double dot_product(const Real3& a, const Real3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Real3 cross_product(const Real3& a, const Real3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double length_of(const Real3& a) { return std::sqrt(dot_product(a, a)); }
inline double distance(const Real3& a, const Real3& b) { return length_of(difference_of(a, b)); }

// The cells of a face between the nodes of a rectangle on it: one fewer along the face, one layer
// across it. Along the third axis of a 2-D block, where there is one node, one cell.
inline Box face_cells(const Box& nodes, Face face) {
  Box cells = nodes;
  for (int a = 0; a < 3; ++a) {
    if (a != face.axis && nodes.size(a) > 1) --cells.upper[a];
  }
  return cells;
}

// The nodes around a rectangle of cells of a face.
inline Box face_nodes(const Box& cells, Face face, int dimensions) {
  Box nodes = cells;
  for (int a = 0; a < dimensions; ++a) {
    if (a != face.axis) ++nodes.upper[a];
  }
  return nodes;
}

}  // namespace watersmeet::mesh
