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
// its own; boundaries are in the order of the families. Throws user_input for what a mesh here
// cannot be, naming zone and node of the file;
// unsupported without the library. `notes`: what was taken for something else, and the unit of
// lengths.
// Returns the names of the zones, by block.
std::vector<std::string> read_cgns(const std::string& path, MultiBlockMesh& mesh,
                                   std::vector<std::string>& notes);

// Writes blocks, links and patches, so that read_cgns() gives the same mesh. Throws user_input for
// names of boundaries that such a file cannot hold, io, unsupported without the library.
void write_cgns(const std::string& path, const MultiBlockMesh& mesh, const std::string& about);

}  // namespace watersmeet::mesh
