#pragma once
// Surface files: what a run found on a named boundary, one line a node. In the plane the nodes
// stand in the order of the arc length along the boundary, from the trailing edge of a closed one
// over its lower side.

#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "systems/aerodynamics/case/free_stream.hpp"
#include "systems/aerodynamics/solver/solver.hpp"

namespace watersmeet::aerodynamics {

// What a file may hold beside the place of a node.
const std::vector<std::string>& surface_values();

// The nodes of all ranks on the first one, in the order of the ranks; nothing on the others.
// Collective.
std::vector<SurfaceNode> gather_surface(comm::Communicator& ranks,
                                        const std::vector<SurfaceNode>& mine);

// The nodes along the curves that they form in the plane, with the arc length of each.
struct ArcNode {
  SurfaceNode node;
  double arc = 0;
};
std::vector<ArcNode> along_curve(const std::vector<SurfaceNode>& nodes);

// Comma-separated columns: block, i, j, k, x, y, z, arc (in the plane), then the values.
std::string surface_text(const std::vector<SurfaceNode>& nodes,
                         const std::vector<std::string>& values, const FreeStream& stream,
                         int dimensions);

}  // namespace watersmeet::aerodynamics
