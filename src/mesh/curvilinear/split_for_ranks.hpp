#pragma once
// Cuts that give several ranks equal shares, as share_blocks() hands them out.
//
// Whole blocks only: every block has closures of its own, so that a cut changes the numbers of a
// run, if only by the error of the scheme. A run is the same on any number of ranks because nothing
// is cut for them; for more ranks than the blocks can use, cut the mesh once, beforehand.

#include <cstdint>

#include "mesh/curvilinear/multi_block_mesh.hpp"
#include "mesh/curvilinear/split.hpp"

namespace watersmeet::mesh {

// Cuts to complete faces, and on until the shares reach this balance (share_blocks.hpp): always the
// largest block of the busiest rank, about the middle of its longest direction, where the parts can
// be halved often, and on through its neighbours. Cuts leave `thinnest` nodes or more. Returns the
// best that was found, which may be the mesh itself; fewer blocks than ranks when nothing more can
// be cut.
SplitMesh split_for_ranks(const MultiBlockMesh& mesh, int ranks, double balance = 0.9,
                          std::int64_t thinnest = 9);

}  // namespace watersmeet::mesh
