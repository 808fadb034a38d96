#pragma once
// Finds the links of a mesh from coordinates alone: parts of faces whose nodes coincide, whole
// faces or rectangles of them, in any orientation.
//
// Cells of open faces are looked up by their centres in a table; where the corners of two coincide
// too, they are the same cell seen from two sides, and the order of the corners gives the map of
// indices. Neighbouring cells with the same map are joined to rectangles.

#include <string>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"
#include "mesh/curvilinear/validate.hpp"

namespace watersmeet::mesh {

struct ConnectOptions {
  double tolerance = coincidence;  // in parts of the local spacing
  // Faces that no others touch are looked up again at these distances, forwards and backwards:
  // periodic links.
  std::vector<Real3> periods = {};
};

// Links all parts of faces that are on no link or patch yet. Faces without area become patches
// `degenerate` of that kind. The blocks must be right-handed. Returns faults: places where more
// than two faces meet.
std::vector<std::string> connect(MultiBlockMesh& mesh, const ConnectOptions& options = {});

}  // namespace watersmeet::mesh
