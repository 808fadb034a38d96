#pragma once
// The mesh of a case, [grid] mesh = { kind = ... } or file = "...": generated or read, checked, and
// split until every link joins complete faces.

#include <string>
#include <vector>

#include "config/input.hpp"
#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::aerodynamics {

std::vector<config::Key> grid_keys();

struct CaseMesh {
  mesh::MultiBlockMesh mesh;  // empty after a fault
  std::string description;    // "naca4", "wing.toml (Plot3D: ...)"
  std::vector<std::string> notes;
};

// What is wrong with the mesh is a fault of the input at grid.mesh or grid.file. The path of a file
// is made absolute in the resolved case, so that the run can be resumed from another folder.
CaseMesh read_mesh(config::Input& input);

}  // namespace watersmeet::aerodynamics
