#pragma once
// Cuts that give several ranks equal shares, as share_blocks() hands them out.
//
// Whole blocks only: every block has closures of its own, so that a cut changes the numbers of a
// run, if only by the error of the scheme. A run is the same on any number of ranks because nothing
// is cut for them; for more ranks than the blocks can use, cut the mesh once, beforehand.

#include "mesh/curvilinear/multi_block_mesh.hpp"
#include "mesh/curvilinear/split.hpp"

namespace watersmeet::mesh {

// Cuts to complete faces, and on until the shares reach a balance of 0.9 (share_blocks.hpp): always the
// largest block of the busiest rank, about the middle of its longest direction, where the parts can
// be halved often, and on through its neighbours. Cuts leave 9 nodes or more. Returns the
// best that was found, which may be the mesh itself; fewer blocks than ranks when nothing more can
// be cut.
SplitMesh split_for_ranks(const MultiBlockMesh& mesh, int ranks);

}  // namespace watersmeet::mesh
