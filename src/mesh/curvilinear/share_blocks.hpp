#pragma once
// Blocks of a mesh over ranks: whole blocks, neighbours in the order of the mesh, so that the nodes
// of a rank are one range of all nodes. The largest rank is as small as that allows.
//
//        nodes of all blocks   | block 0 ....... | block 1 . | block 2 ........... | block 3 |
//        ranks                 |        0        |            1            |         2

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"
#include "mesh/decompose.hpp"

namespace watersmeet::mesh {

// First node of each block in the order of all nodes, and their number at the end.
std::vector<std::int64_t> first_nodes(const MultiBlockMesh& mesh);

// Parts of the grid of node_count() x 1 x 1 cells, one a rank that gets blocks. Ranks beyond the
// number that makes the largest one smaller are left out, with a remark.
Shares share_blocks(const MultiBlockMesh& mesh, int ranks);

// Nodes of each of `ranks` ranks; none of those that are left out.
std::vector<std::int64_t> nodes_of_ranks(const Shares& shares, int ranks);

// Mean over largest share: 1 when all ranks have the same, and the part of the time that a rank
// works on average, as far as time goes with nodes.
double balance(const std::vector<std::int64_t>& nodes);

// The rank of each block under these parts.
std::vector<int> ranks_of_blocks(const MultiBlockMesh& mesh, const std::vector<Part>& parts);

// A node of all nodes by its number: its block and place.
struct NodePlace {
  int block = 0;
  Index3 node{};
  Real3 x{};
};
NodePlace place_of(const MultiBlockMesh& mesh, std::int64_t node);

// "block 2, node (3, 4, 0) of 33 x 17 x 1, (x, y, z) = (0.5, 0.25, 0)".
std::string place_text(const MultiBlockMesh& mesh, std::int64_t node);

// "4 blocks, 33410 nodes".
std::string size_text(const MultiBlockMesh& mesh);

}  // namespace watersmeet::mesh
