#include "mesh/generators/ringleb.hpp"

#include <algorithm>
#include <cmath>

#include "mesh/curvilinear/nodes.hpp"
#include "mesh/generators/channel.hpp"
#include "mesh/generators/finish.hpp"

namespace watersmeet::mesh {

Real3 ringleb_point(double q, double k) {
  const double c = std::sqrt(1 - 0.2 * q * q);
  const double c3 = c * c * c, rho = c3 * c * c;
  const double J = 1 / c + 1 / (3 * c3) + 1 / (5 * rho) - 0.5 * std::log((1 + c) / (1 - c));
  const double ratio = q / k;
  return {(1 / (q * q) - 2 / (k * k)) / (2 * rho) + J / 2,
          std::sqrt(std::fmax(0.0, 1 - ratio * ratio)) / (k * rho * q), 0};
}

MultiBlockMesh make_ringleb(const Ringleb& o) {
  demand(o.q_end < o.k_min && o.k_min < o.k_max, "ringleb",
         "speeds must ascend: q_end < k_min < k_max");
  demand(o.k_max < std::sqrt(5.0), "ringleb", "k_max must be less than sqrt(5), where c = 0");
  CurvilinearBlock block({o.cells[0] + 1, o.cells[1] + 1, 1});
  for_each_node(block.nodes(), [&](const Index3& node) {
    const double across = static_cast<double>(node[0]) / static_cast<double>(o.cells[0]);
    const double k = o.k_min + across * (o.k_max - o.k_min);
    // Symmetric in y to the last bit: the lower half is the mirror image of the upper one.
    const std::int64_t from_end = std::min(node[1], o.cells[1] - node[1]);
    const double start = std::asin(o.q_end / k);
    const double along = 2 * static_cast<double>(from_end) / static_cast<double>(o.cells[1]);
    const double phi = start + along * (M_PI / 2 - start);
    Real3 p = ringleb_point(2 * from_end == o.cells[1] ? k : k * std::sin(phi), k);
    if (node[1] < o.cells[1] - node[1]) p[1] = 0 - p[1];
    block.set(node, p);
  });
  MultiBlockMesh mesh;
  mesh.blocks = {block};
  mesh.add_patch("outer", "slip_wall", 0, {0, Side::lower});
  mesh.add_patch("inner", "slip_wall", 0, {0, Side::upper});
  mesh.add_patch("lower", "exact", 0, {1, Side::lower});
  mesh.add_patch("upper", "exact", 0, {1, Side::upper});
  make_right_handed(mesh);
  mesh = cut_evenly(mesh, o.blocks, "ringleb");
  finish(mesh, "ringleb");
  return mesh;
}

}  // namespace watersmeet::mesh
