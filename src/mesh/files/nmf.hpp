#pragma once
// Neutral map files (.nmf) of NASA's grid tools: which parts of the faces of a Plot3D mesh are
// joined and which are boundaries. After comments (#) come the number of blocks, a line "block ni
// nj nk" each, and lines
//
//   TYPE        B1 F1  S1 E1 S2 E2   [B2 F2  S1 E1 S2 E2  SWAP]
//
// Blocks and nodes count from 1. Faces 1 and 2 are k lower and upper, 3 and 4 i, 5 and 6 j; the
// ranges S1 E1 and S2 E2 run along the next two axes in cyclic order: (i, j), (j, k), (k, i). In a
// line ONE_TO_ONE, S1 to E1 of the first face runs along S1 to E1 of the second, or along its
// second range where SWAP is true.

#include <string>
#include <string_view>

#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::mesh {

// Adds the links and patches to a mesh that has the blocks. A patch has the name of its type in
// small letters. Throws user_input, "NAME:LINE: ...".
void read_nmf(std::string_view content, const std::string& name, MultiBlockMesh& mesh);

}  // namespace watersmeet::mesh
