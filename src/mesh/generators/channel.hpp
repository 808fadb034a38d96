#pragma once
// Channels in the plane: a smooth bump, and a wedge.
//
//        +-------------------------+            +---------------+
//        |          __             |            |            __/|
//        +---------/  \------------+            |       __--    |
//                                               +------/--------+

#include <cstdint>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::mesh {

// -length/2 <= x <= length/2, wall at y = amplitude exp(-25 x^2) (case C1.1 of the workshops on
// high-order methods), top at y = height. Patches bump, top (slip_wall), inflow (inflow_total),
// outflow (outflow_pressure).
struct Bump {
  std::vector<std::int64_t> cells{96, 32};
  std::vector<std::int64_t> blocks{1, 1};
  double length = 3.0;
  double height = 0.8;
  double amplitude = 0.0625;
};
MultiBlockMesh make_bump(const Bump& options);

// A ramp of constant slope from x = 0 to x = length behind a flat piece from x = -inlet, top at
// y = height; two blocks, because the corner is a kink. Patches inflow (supersonic_inflow), floor
// (symmetry), wedge (slip_wall), top (farfield), outflow (supersonic_outflow).
struct Wedge {
  std::vector<std::int64_t> cells{64, 64};
  double angle_deg = 10.0;
  double inlet = 0.25;
  double length = 1.0;
  double height = 1.0;
};
MultiBlockMesh make_wedge(const Wedge& options);

// Adds the block of one mesh cut into pieces of nearly equal numbers of cells, with the patches of
// its faces.
MultiBlockMesh cut_evenly(const MultiBlockMesh& mesh, const std::vector<std::int64_t>& blocks,
                          const std::string& generator);

}  // namespace watersmeet::mesh
