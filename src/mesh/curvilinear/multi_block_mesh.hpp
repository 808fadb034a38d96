#pragma once
// A mesh of curvilinear blocks: rectangles of their faces are joined node by node by links, in any
// orientation, or belong to named boundary patches. Nodes on a link are stored once per block.
//
//        block 0                 block 1, turned: its i runs downwards, its j to the right
//        o-----o-----o           o-----o-----o
//        |     |     A           a     |     |     link: A, B, C of face i_upper of block 0 are
//        o-----o-----o           o-----o-----o     a, b, c of face j_lower of block 1
//        |     |     B           b     |     |     orientation: axis {1, 0, 2}, sign {+1, -1, +1}
//        o-----o-----o           o-----o-----o
//        |     |     C           c     |     |
//        o-----o-----o           o-----o-----o
//
// Blocks, nodes and cells count from 0. Blocks are right-handed: the volumes of their cells are
// positive, so the orientations of links have determinant +1.

#include <string>
#include <vector>

#include "mesh/curvilinear/block.hpp"
#include "mesh/index_map.hpp"

namespace watersmeet::mesh {

// Directed: block sees neighbour. A mesh holds each link together with its inverse.
struct NodeLink {
  int block = 0;
  Face face;
  Box box;  // nodes of the block
  int neighbour = 0;
  Face neighbour_face;
  Box neighbour_box;        // nodes of the neighbour
  Orientation orientation;  // axes of the block -> axes of the neighbour
  Real3 shift{0, 0, 0};     // position in the neighbour = position in the block + shift: periodic

  bool operator==(const NodeLink&) const = default;

  // From nodes of the block on the face to the neighbour's nodes at the same place; apply cell().
  IndexMap map() const { return IndexMap::onto(orientation, box, neighbour_box); }
  NodeLink inverse() const;
  bool periodic() const { return shift != Real3{0, 0, 0}; }
};

// A rectangle of a face with a condition. Several patches may share a name: together they are the
// boundary that a case sets a condition for. `kind` is the condition it has unless the case says
// otherwise.
struct BoundaryPatch {
  std::string name;
  std::string kind;
  int block = 0;
  Face face;
  Box box;  // nodes

  bool operator==(const BoundaryPatch&) const = default;
};

// The conditions that a patch may name. "degenerate": the face has no area, as at a polar axis.
const std::vector<std::string>& patch_kinds();

struct MultiBlockMesh {
  std::vector<CurvilinearBlock> blocks;
  std::vector<NodeLink> links;
  std::vector<BoundaryPatch> patches;

  int dimensions() const { return blocks.empty() ? 3 : blocks.front().dimensions(); }
  const CurvilinearBlock& block(int number) const {
    return blocks[static_cast<std::size_t>(number)];
  }
  std::int64_t node_count() const;
  std::int64_t cell_count() const;
  // Names of the patches, each once, in their order.
  std::vector<std::string> patch_names() const;

  // Adds the link and its inverse.
  void add_link(const NodeLink& link);
  // Adds a patch on the whole face.
  void add_patch(const std::string& name, const std::string& kind, int block, Face face);
};

// The orientation of a link between two faces under which the first tangential axis of `face` lies
// along the first of `neighbour_face` (`swapped`: along the second), in the given directions.
Orientation face_orientation(Face face, Face neighbour_face, bool swapped, int first_sign,
                             int second_sign);

// Turns a block: its nodes, and what links and patches say about it.
void reorient(MultiBlockMesh& mesh, int block, const Orientation& orientation);

// Reverses the last axis (k, in 2-D j) of blocks whose volume is negative in the sum; which ones.
std::vector<int> make_right_handed(MultiBlockMesh& mesh);

}  // namespace watersmeet::mesh
