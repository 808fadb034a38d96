#pragma once
// The last step of every generator.

#include <string>

#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::mesh {

// Makes left-handed blocks right-handed, links all faces that are not patches by their coordinates
// (`periods`: translations that map faces onto each other), and checks the mesh. Throws user_input,
// naming the generator, when its options do not give a valid mesh.
void finish(MultiBlockMesh& mesh, const std::string& generator,
            const std::vector<Real3>& periods = {});

// Throws user_input "mesh NAME: MESSAGE" unless the condition holds.
void demand(bool condition, const std::string& name, const std::string& message);

}  // namespace watersmeet::mesh
