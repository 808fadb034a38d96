#pragma once
// What is wrong with a mesh of curvilinear blocks, before anything is computed on it.

#include <string>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::mesh {

// Nodes that a link joins coincide when they are no farther apart than this part of the local
// spacing, the shortest edge at either node.
inline constexpr double coincidence = 1e-6;

// All faults as messages that name block, face, node or cell, and coordinates; empty when the mesh
// is valid. Checked: sizes; coordinates are finite; every cell has a positive volume; boxes of
// links and patches lie on their faces; the two sides of a link fit each other, node by node; each
// link has its inverse; every part of every face belongs to exactly one link or patch; kinds of
// patches are known, and their names can be those of files and columns.
std::vector<std::string> validate(const MultiBlockMesh& mesh, double tolerance = coincidence);

// The parts of faces that belong to no link and no patch.
struct OpenFace {
  int block = 0;
  Face face;
  Box box;  // nodes
};
std::vector<OpenFace> open_faces(const MultiBlockMesh& mesh);

// "block 1, j_lower, nodes (0, 0, 0) to (8, 0, 0) from (1, 0, 0) to (20, 0, 0)", for messages.
std::string rectangle_text(const MultiBlockMesh& mesh, int block, Face face, const Box& nodes);
// What is said of a kind of boundary that there is not, with the nearest one.
std::string unknown_kind_text(const std::string& kind);

// Throws user_input with all of validate(), beginning "NAME is not a valid mesh:".
void require_valid(const MultiBlockMesh& mesh, const std::string& name,
                   double tolerance = coincidence);
// The same for sizes alone, on which all other functions of a mesh rely.
void require_sizes(const MultiBlockMesh& mesh, const std::string& name);

}  // namespace watersmeet::mesh
