#pragma once
// A curvilinear block: ni x nj x nk nodes with their coordinates. Unknowns of nodal schemes live on
// the nodes; a cell is the hexahedron (in 2-D the quadrilateral) between neighbouring nodes. A
// block of a 2-D mesh has nk = 1 and z = 0.
//
//        j                                     faces: i_lower, i_upper, j_lower, j_upper,
//        2  o-----o-----o-----o                       k_lower, k_upper
//           |     |     |     |                4 x 3 nodes, 3 x 2 cells; nodes and cells count
//        1  o-----o-----o-----o                from 0
//           | 0,0 |     |     |
//        0  o-----o-----o-----o
//           0     1     2     3   i
//
// Rectangles of nodes on faces are boxes one node thick along the normal of the face, half open as
// all boxes are.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "mesh/link.hpp"

namespace watersmeet::mesh {

struct CurvilinearBlock {
  Index3 n{1, 1, 1};                     // nodes
  std::array<std::vector<double>, 3> x;  // of each coordinate, [k][j][i], i fastest

  CurvilinearBlock() = default;
  explicit CurvilinearBlock(const Index3& nodes) : n(nodes) {
    for (auto& coordinate : x) coordinate.resize(static_cast<std::size_t>(count()));
  }

  std::int64_t count() const { return n[0] * n[1] * n[2]; }
  std::int64_t cell_count() const { return cells().count(); }
  Box nodes() const { return {{0, 0, 0}, n}; }
  // A direction of one node has one layer of cells without thickness.
  Box cells() const {
    Box box = nodes();
    for (std::int64_t& upper : box.upper) upper = upper > 1 ? upper - 1 : 1;
    return box;
  }
  int dimensions() const { return n[2] == 1 ? 2 : 3; }

  std::size_t offset(const Index3& node) const {
    return static_cast<std::size_t>(node[0] + n[0] * (node[1] + n[1] * node[2]));
  }
  Real3 at(const Index3& node) const {
    const std::size_t o = offset(node);
    return {x[0][o], x[1][o], x[2][o]};
  }
  void set(const Index3& node, const Real3& position) {
    const std::size_t o = offset(node);
    for (std::size_t m = 0; m < 3; ++m) x[m][o] = position[m];
  }
};

// Length of the shortest edge at the node that has a length; 0 where none has.
double local_spacing(const CurvilinearBlock& block, const Index3& node);

// Area of a quadrilateral in the plane, or volume of the hexahedron with bilinear faces: positive
// where the axes i, j, k are right-handed. Exact also where the faces are not plane.
double cell_volume(const CurvilinearBlock& block, const Index3& cell);

// The nodes of the box as a block of their own.
CurvilinearBlock part_of(const CurvilinearBlock& block, const Box& nodes);

// The same nodes along other axes.
CurvilinearBlock reoriented(const CurvilinearBlock& block, const Orientation& orientation);

// "i_lower", and back.
std::string face_name(Face face);
std::optional<Face> face_named(const std::string& name);
// All faces of a mesh of so many dimensions: four or six.
std::vector<Face> faces_of(int dimensions);
const std::vector<std::string>& face_names();

// "nodes (0, 0, 0) to (0, 32, 16)", "(0, 32, 16)", "(0.25, 1, 0)".
std::string node_box_text(const Box& nodes);
std::string index_text(const Index3& index);
std::string point_text(const Real3& point);
// With three digits, "1.25e-05".
std::string short_text(double value);

}  // namespace watersmeet::mesh
