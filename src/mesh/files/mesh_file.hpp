#pragma once
// Mesh files: TOML texts that name a generator and its keys, or a file of coordinates with links
// and boundaries,
//
//   [mesh]
//   file = "wing.xyz"                  # Plot3D, beside this file
//   [[boundary]]
//   name = "wing"
//   kind = "slip_wall"
//   block = 1
//   face = "j_lower"
//   begin = [16, 0, 0]                 # nodes, both ends included; the whole face without them
//   end = [48, 0, 32]
//   [[link]]
//   block = 0
//   face = "i_upper"
//   neighbour = 1
//   neighbour_face = "i_lower"
//   axes = ["i", "j", "k"]             # where i, j and k of the block run in the neighbour: "-j"
//
// and Plot3D and CGNS files alone, whose missing links are found by coordinates.

#include <string>
#include <vector>

#include "config/input.hpp"
#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::mesh {

struct LoadedMesh {
  MultiBlockMesh mesh;             // valid
  std::string description;         // "naca4", "Plot3D: binary, several blocks, ..."
  std::vector<std::string> notes;  // what was changed on the way
  std::vector<std::string> zones;  // names of the blocks, where the file has some
};

// The keys of a mesh file.
const config::Schema& mesh_file_schema();

// By the ending of the name: .toml is a mesh file, .cgns CGNS, anything else Plot3D.
// `overrides` are --set options of a mesh file. Throws user_input with all faults, io when a file
// cannot be read, unsupported.
LoadedMesh load_mesh(const std::string& path, const std::vector<std::string>& overrides = {});

// Plot3D coordinates with the links and boundaries of a neutral map file; faces it leaves out are
// linked by coordinates.
LoadedMesh load_mesh_with_map(const std::string& path, const std::string& map);

// The mesh of a generator, with these --set options.
LoadedMesh generate_mesh(const std::string& kind, const std::vector<std::string>& overrides = {});

// A mesh file for these links and boundaries, its coordinates in `coordinates`.
std::string mesh_file_text(const MultiBlockMesh& mesh, const std::string& coordinates,
                           const std::string& about);

}  // namespace watersmeet::mesh
