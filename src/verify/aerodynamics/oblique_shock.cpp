// The shock on a wedge of 10 degrees at Mach 2: beta = 39.314 degrees, p2/p1 = 1.7066, M2 = 1.6405
// from the relation of deflection and shock angle.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mesh/curvilinear/share_blocks.hpp"
#include "run/engine.hpp"
#include "verify/aerodynamics/groups.hpp"

namespace watersmeet::verify {

void verify_oblique_shock(Verification& v) {
  if (!v.at_least(Extent::quick)) return v.leave_out("oblique shock", "takes hundreds of cycles");
  FlowOnBlocks c;
  c.mesh = "kind = \"wedge\", cells = [100, 80], angle_deg = 10.0";
  c.stream = "mach = 2.0";
  c.order = 2;
  c.numerics = "dissipation = \"scalar\"\nshocks = { kind = \"pressure\", k2 = 2.0 }\n";
  c.steady = true;
  c.time = "residual_drop = 0\nforce_window = 0\n";
  Simulation s = start(v, c);
  s.step(v.at_least(Extent::full) ? 3000 : 1500);
  const mesh::MultiBlockMesh& mesh = *s.engine().system().grid().blocks;
  const std::vector<double> p = s.field("p"), mach = s.field("mach");
  const std::vector<std::int64_t> first = mesh::first_nodes(mesh);
  // On the ramp, away from its corner and its end; and the shock along columns over it.
  double lowest = 1e300, highest = 0, sum_mach = 0, nodes = 0;
  double sx = 0, sy = 0, sxx = 0, sxy = 0, columns = 0;
  const double middle = 0.5 * (1 + 1.7066) / 1.4;
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const mesh::CurvilinearBlock& block = mesh.blocks[b];
    for (std::int64_t i = 0; i < block.n[0]; ++i) {
      const double x = block.at({i, 0, 0})[0];
      if (x < 0.2 || x > 0.9) continue;
      const auto at = [&](std::int64_t j) {
        return static_cast<std::size_t>(first[b]) + block.offset({i, j, 0});
      };
      if (x > 0.4) {
        lowest = std::min(lowest, p[at(0)] * 1.4);
        highest = std::max(highest, p[at(0)] * 1.4);
        sum_mach += mach[at(0)];
        ++nodes;
      }
      for (std::int64_t j = block.n[1] - 1; j > 0; --j) {
        if (!(p[at(j - 1)] >= middle && p[at(j)] < middle)) continue;
        const double share = (p[at(j - 1)] - middle) / (p[at(j - 1)] - p[at(j)]);
        const Real3 low = block.at({i, j - 1, 0}), high = block.at({i, j, 0});
        const double px = low[0] + share * (high[0] - low[0]);
        const double py = low[1] + share * (high[1] - low[1]);
        sx += px, sy += py, sxx += px * px, sxy += px * py, ++columns;
        break;
      }
    }
  }
  v.near_relative("p2/p1 on the ramp, lowest", lowest, 1.7066, 0.01);
  v.near_relative("p2/p1 on the ramp, highest", highest, 1.7066, 0.01);
  v.near_relative("Mach number on the ramp", sum_mach / nodes, 1.6405, 0.01);
  const double slope = (columns * sxy - sx * sy) / (columns * sxx - sx * sx);
  v.near("angle of the shock, degrees", std::atan(slope) * 180 / std::numbers::pi, 39.314, 0.3);
}

}  // namespace watersmeet::verify
