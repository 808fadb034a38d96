#pragma once
// Structured zones of CGNS files, through the CGNS library (https://cgns.org), which is optional:
// without it nocgns.cpp refuses such files.

#include <string>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::mesh {

// Adds blocks, one-to-one links (also translated periodic ones) and boundary conditions on point
// ranges of the only base of the file. Blocks are in the order of the zones' names, whose digits
// count as numbers. A boundary has the name of its family, if it has one, else
// its own. Throws user_input for what a mesh here cannot be, naming zone and node of the file;
// unsupported without the library. `notes`: what was taken for something else.
void read_cgns(const std::string& path, MultiBlockMesh& mesh, std::vector<std::string>& notes);

}  // namespace watersmeet::mesh
