#include "mesh/generators/channel.hpp"

#include <algorithm>
#include <cmath>

#include "mesh/curvilinear/nodes.hpp"
#include "mesh/curvilinear/split.hpp"
#include "mesh/generators/finish.hpp"
#include "mesh/generators/spacing.hpp"

namespace watersmeet::mesh {

namespace {

// Straight lines up from the wall y(x) at equal steps to the height.
CurvilinearBlock sheared(const std::vector<double>& x, const std::vector<double>& wall,
                         std::int64_t rows, double height) {
  CurvilinearBlock block({static_cast<std::int64_t>(x.size()), rows + 1, 1});
  const std::vector<double> up = uniform(rows);
  for_each_node(block.nodes(), [&](const Index3& node) {
    const auto i = static_cast<std::size_t>(node[0]), j = static_cast<std::size_t>(node[1]);
    block.set(node, {x[i], (1 - up[j]) * wall[i] + up[j] * height, 0});
  });
  return block;
}

}  // namespace

MultiBlockMesh cut_evenly(const MultiBlockMesh& mesh, const std::vector<std::int64_t>& blocks,
                          const std::string& generator) {
  Cuts cuts(1);
  for (std::size_t a = 0; a < blocks.size(); ++a) {
    const std::int64_t cells = mesh.blocks[0].n[a] - 1;
    demand(blocks[a] >= 1 && blocks[a] <= std::max<std::int64_t>(cells, 1), generator,
           std::to_string(blocks[a]) + " blocks along " + "ijk"[a] + " for " +
               std::to_string(cells) + " cells; each block needs one or more");
    for (std::int64_t b = 1; b < blocks[a]; ++b) cuts[0][a].insert(cells * b / blocks[a]);
  }
  return split_at(mesh, complete_face_cuts(mesh, cuts)).mesh;
}

MultiBlockMesh make_bump(const Bump& o) {
  demand(o.amplitude < o.height, "bump", "the amplitude must be less than the height");
  std::vector<double> x = uniform(o.cells[0]), wall(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = (x[i] - 0.5) * o.length;
    wall[i] = o.amplitude * std::exp(-25 * x[i] * x[i]);
  }
  MultiBlockMesh mesh;
  mesh.blocks = {sheared(x, wall, o.cells[1], o.height)};
  mesh.add_patch("inflow", "inflow_total", 0, {0, Side::lower});
  mesh.add_patch("outflow", "outflow_pressure", 0, {0, Side::upper});
  mesh.add_patch("bump", "slip_wall", 0, {1, Side::lower});
  mesh.add_patch("top", "slip_wall", 0, {1, Side::upper});
  mesh = cut_evenly(mesh, o.blocks, "bump");
  finish(mesh, "bump");
  return mesh;
}

MultiBlockMesh make_wedge(const Wedge& o) {
  demand(o.angle_deg < 90, "wedge", "angle_deg must be less than 90");
  const double slope = std::tan(o.angle_deg * M_PI / 180);
  demand(slope * o.length < o.height, "wedge",
         "the ramp rises to " + short_text(slope * o.length) + ", the height must be more");
  // Equal cells on both pieces, as nearly as whole numbers allow.
  const double share = o.inlet / (o.inlet + o.length) * static_cast<double>(o.cells[0]);
  const auto flat_cells = std::max<std::int64_t>(1, std::llround(share));
  const std::int64_t ramp_cells = o.cells[0] - flat_cells;
  demand(ramp_cells >= 1, "wedge", "the ramp has no cells; more cells along x are needed");
  std::vector<double> flat = uniform(flat_cells), ramp = uniform(ramp_cells);
  for (double& x : flat) x = (x - 1) * o.inlet;
  std::vector<double> zero(flat.size(), 0.0), wall;
  for (double& x : ramp) {
    x *= o.length;
    wall.push_back(slope * x);
  }
  MultiBlockMesh mesh;
  mesh.blocks = {sheared(flat, zero, o.cells[1], o.height),
                 sheared(ramp, wall, o.cells[1], o.height)};
  mesh.add_patch("inflow", "supersonic_inflow", 0, {0, Side::lower});
  mesh.add_patch("floor", "symmetry", 0, {1, Side::lower});
  mesh.add_patch("wedge", "slip_wall", 1, {1, Side::lower});
  for (const int b : {0, 1}) mesh.add_patch("top", "farfield", b, {1, Side::upper});
  mesh.add_patch("outflow", "supersonic_outflow", 1, {0, Side::upper});
  finish(mesh, "wedge");
  return mesh;
}

}  // namespace watersmeet::mesh
