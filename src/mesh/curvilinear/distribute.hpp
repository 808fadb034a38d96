#pragma once
// Which rank has which block, and cuts that give several ranks equal shares.
//
// Whole blocks only: every block has closures of its own, so that a cut changes the numbers of a
// run, if only by the error of the scheme. A run is the same on any number of ranks because nothing
// is cut for them; who wants more ranks than the blocks can feed cuts the mesh once, beforehand.

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"
#include "mesh/curvilinear/split.hpp"

namespace watersmeet::mesh {

struct Distribution {
  std::vector<int> rank;            // of each block
  std::vector<std::int64_t> nodes;  // of each rank

  // Mean over largest share: 1 when all ranks have the same, and the part of the time that a rank
  // works on average, as far as time goes with nodes.
  double balance() const;
};

// From the largest block down, each to the rank with the fewest nodes so far (Graham 1969: within
// 4/3 of the best); the least number where there is a choice. Interfaces need one layer of nodes,
// whatever the order, so nearness is not asked for. Throws user_input when there are more ranks
// than blocks, with the command that cuts `name`.
Distribution distribute(const MultiBlockMesh& mesh, int ranks, const std::string& name);

// Cuts to complete faces, and on until distribute() reaches this balance: always the largest block
// of the busiest rank, about the middle of its longest direction, where the parts can be halved
// often, and on through its neighbours. Cuts leave `thinnest` nodes or more. Returns the best that
// was found, which may be the mesh itself; fewer blocks than ranks when nothing more can be cut.
SplitMesh split_for_ranks(const MultiBlockMesh& mesh, int ranks, double balance = 0.9,
                          std::int64_t thinnest = 9);

}  // namespace watersmeet::mesh
