#pragma once
// The entries [[boundary]] and [[link]] of a mesh file: private to its reader.

#include "config/input.hpp"
#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::mesh {

// Adds the patches and links of a checked input to a mesh that has its blocks; what does not fit
// them are faults of the input.
void read_entries(config::Input& input, MultiBlockMesh& mesh);

// A generated mesh has its own: entries are faults.
void refuse_entries_of_generated(config::Input& input);

}  // namespace watersmeet::mesh
