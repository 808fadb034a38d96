#include "mesh/generators/naca4.hpp"

#include <algorithm>

#include "mesh/curvilinear/nodes.hpp"
#include "mesh/generators/finish.hpp"
#include "mesh/generators/naca_o.hpp"

namespace watersmeet::mesh {

MultiBlockMesh make_naca4(const Naca4& o) {
  demand(o.cells[0] % 2 == 0, "naca4", "the cells around must be even, half for each side");
  const NacaSection section = naca_section(o.digits, o.trailing_edge, "naca4");
  if (o.topology == "o") {
    demand(o.wake_cells == 0 && o.trailing_cell == 0 && o.first_cell == 0, "naca4",
           "wake_cells, trailing_cell and first_cell belong to topology \"c\"");
    return naca_o_mesh(section, o.cells[0], o.cells[1], o.far);
  }
  const CMesh c =
      c_mesh(o.cells[0], o.wake_cells, o.cells[1], o.far, o.trailing_cell, o.first_cell, "naca4");
  const auto surface = static_cast<std::int64_t>(c.surface);
  const auto end = static_cast<std::int64_t>(c.u.size()) - 1;
  const std::int64_t limits[] = {-end, -surface, 0, surface, end};
  MultiBlockMesh mesh;
  for (int b = 0; b < 4; ++b) {
    CurvilinearBlock block({limits[b + 1] - limits[b] + 1, o.cells[1] + 1, 1});
    for_each_node(block.nodes(), [&](const Index3& node) {
      block.set(node, c_mesh_point(c, section, 1, limits[b] + node[0],
                                   static_cast<std::size_t>(node[1])));
    });
    mesh.blocks.push_back(block);
    mesh.add_patch("farfield", "farfield", b, {1, Side::upper});
  }
  mesh.add_patch("airfoil", "slip_wall", 1, {1, Side::lower});
  mesh.add_patch("airfoil", "slip_wall", 2, {1, Side::lower});
  mesh.add_patch("farfield", "farfield", 0, {0, Side::lower});
  mesh.add_patch("farfield", "farfield", 3, {0, Side::upper});
  finish(mesh, "naca4");
  return mesh;
}

}  // namespace watersmeet::mesh
