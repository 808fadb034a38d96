#pragma once
// Surface files: the flow on a named boundary, one line for each node. In plane cases nodes are
// ordered by the arc length along the boundary; on a closed one it begins at the trailing edge and
// follows the lower side first.

#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "systems/aerodynamics/case/free_stream.hpp"
#include "systems/aerodynamics/solver/solver.hpp"

namespace watersmeet::aerodynamics {

// Names of the values that a file may have besides the positions of the nodes: "cp", "mach", ...
const std::vector<std::string>& surface_values();

// The nodes of all ranks on the first one, in the order of the ranks; nothing on the others.
// Collective.
std::vector<SurfaceNode> gather_surface(comm::Communicator& ranks,
                                        const std::vector<SurfaceNode>& mine);

// The nodes in their order along the curves that they form in the plane, with the arc length of
// each in units of length of the case, 0 where a curve begins.
struct ArcNode {
  SurfaceNode node;
  double arc = 0;
};
std::vector<ArcNode> along_curve(const std::vector<SurfaceNode>& nodes);

// Comma-separated columns: block, i, j, k, x, y, z, arc (if dimensions == 2), then `values`, names
// of surface_values(). The second line has the units.
std::string surface_text(const std::vector<SurfaceNode>& nodes,
                         const std::vector<std::string>& values, const FreeStream& stream,
                         int dimensions);

}  // namespace watersmeet::aerodynamics
