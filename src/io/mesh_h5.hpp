#pragma once
// mesh.h5: the coordinates of a run's curvilinear blocks, or of the corners of its cells on a
// sphere or over terrain, and the patches on their faces, written once. Layout:
// docs/reference/files.md.

#include <string>
#include <vector>

#include "io/provenance.hpp"
#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::io {

inline constexpr const char* mesh_file_name = "mesh.h5";

// The name of a block's group in mesh and snapshot files: "block_007".
std::string block_group(int block);

// Coordinates side by side, [k][j][i][3], as XDMF's geometry XYZ needs them.
std::vector<double> interlaced(const mesh::CurvilinearBlock& block);

// Writes DIRECTORY/mesh.h5. Where it exists, a run is being resumed: Error{user_input} when its blocks are
// not those of the mesh, because later snapshots would be shown in places where nothing was
// computed. Error{io}.
void write_mesh_file(const std::string& directory, const mesh::MultiBlockMesh& mesh,
                     const Provenance& provenance);

}  // namespace watersmeet::io
