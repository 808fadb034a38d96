#pragma once
// Splits blocks until every link joins complete faces. Where two blocks share a complete face, both
// differentiate along it with the same closures, find the same normals, and the coupling conserves.
//
//        +-------+---+          +-------+---+       a cut at one end of a link continues through the
//        |       | b |          |       | b |       block to the opposite face, and from there
//        |   a   +---+    ->    +-------+---+       through complete links into the neighbours
//        |       | c |          |       | c |
//        +-------+---+          +-------+---+
//
// Patches need not be complete faces: they are cut where their block is, and cut nothing.

#include <array>
#include <set>
#include <utility>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::mesh {

struct SplitMesh {
  MultiBlockMesh mesh;
  // For each block of `mesh`: the block it was part of, and its first node there.
  std::vector<int> parent;
  std::vector<Index3> first_node;
};

// Nodes of each block and axis at which it is to be cut, its two ends included.
using Cuts = std::vector<std::array<std::set<std::int64_t>, 3>>;

// The least cuts, beside those given (empty: none), with which every link joins complete faces.
Cuts complete_face_cuts(const MultiBlockMesh& mesh, Cuts cuts = {});

// Cuts all blocks; the mesh must be valid. Parts of a block are joined by links. Internal error
// when the cuts on two sides of a link differ.
SplitMesh split_at(MultiBlockMesh mesh, const Cuts& cuts);

inline SplitMesh split_to_complete_faces(MultiBlockMesh mesh) {
  const Cuts cuts = complete_face_cuts(mesh);
  return split_at(std::move(mesh), cuts);
}

}  // namespace watersmeet::mesh
