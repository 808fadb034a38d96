#include "mesh/generators/round.hpp"

#include <cmath>

#include "mesh/curvilinear/nodes.hpp"
#include "mesh/generators/finish.hpp"
#include "mesh/generators/spacing.hpp"

namespace watersmeet::mesh {

namespace {

std::vector<double> radii(std::int64_t n, double radius, double far, double first_cell,
                          const char* name) {
  demand(far > radius, name, "far must be more than the radius " + short_text(radius));
  demand(first_cell < far - radius, name, "first_cell is wider than the mesh");
  std::vector<double> r = first_cell > 0 ? stretched(n, first_cell / (far - radius)) : uniform(n);
  for (double& x : r) {
    x = first_cell > 0 ? radius + x * (far - radius) : radius * std::pow(far / radius, x);
  }
  r.front() = radius;
  r.back() = far;
  return r;
}

}  // namespace

MultiBlockMesh make_cylinder(const Cylinder& o) {
  demand(o.cells[0] % 4 == 0, "cylinder",
         "the cells around must be a multiple of 4, one part for each block");
  const std::int64_t quarter = o.cells[0] / 4;
  const std::vector<double> r = radii(o.cells[1], o.radius, o.far, o.first_cell, "cylinder");
  // One quarter, and the others by exact turns of it, so that neighbours share their nodes.
  std::vector<Real3> directions;
  for (std::int64_t i = 0; i <= quarter; ++i) {
    const double angle = M_PI / 2 * static_cast<double>(i) / static_cast<double>(quarter);
    directions.push_back({std::cos(angle), std::sin(angle), 0});
  }
  directions.front() = {1, 0, 0};
  directions.back() = {0, 1, 0};
  MultiBlockMesh mesh;
  const bool whole = o.part == "whole";
  for (int b = whole ? 0 : 1; b < (whole ? 4 : 3); ++b) {
    // i outward and j counter-clockwise are right-handed.
    CurvilinearBlock block({o.cells[1] + 1, quarter + 1, 1});
    for_each_node(block.nodes(), [&](const Index3& node) {
      Real3 d = directions[static_cast<std::size_t>(node[1])];
      for (int turn = 0; turn < b; ++turn) d = {0 - d[1], d[0], 0};
      block.set(node, scaled(r[static_cast<std::size_t>(node[0])], d));
    });
    const int number = static_cast<int>(mesh.blocks.size());
    mesh.blocks.push_back(block);
    mesh.add_patch("cylinder", "slip_wall", number, {0, Side::lower});
    mesh.add_patch("farfield", "farfield", number, {0, Side::upper});
    if (!whole) {
      mesh.add_patch("outflow", "supersonic_outflow", number,
                     {1, number == 0 ? Side::lower : Side::upper});
    }
  }
  finish(mesh, "cylinder");
  return mesh;
}

MultiBlockMesh make_sphere(const Sphere& o) {
  const std::int64_t n = o.cells[0];
  const bool whole = o.part == "whole";
  demand(whole || n % 2 == 0, "sphere",
         "the front has half panels: it needs an even first of cells");
  const std::vector<double> r = radii(o.cells[1], o.radius, o.far, o.first_cell, "sphere");
  std::vector<double> tangent;  // of equal angles from -45 to 45 degrees, odd in the index
  for (std::int64_t i = 0; i <= n; ++i) {
    tangent.push_back(std::tan(M_PI / 4 * static_cast<double>(2 * i - n) / static_cast<double>(n)));
  }
  tangent.front() = -1;
  tangent.back() = 1;
  MultiBlockMesh mesh;
  for (int panel = whole ? 0 : 1; panel < 6; ++panel) {
    Index3 nodes{n + 1, n + 1, o.cells[1] + 1};
    // The axis of the block that leads along x: of the front, the half with x <= 0.
    const std::size_t along_x = panel / 2 == 1 ? 1 : 0;
    const bool half = !whole && panel > 1;
    if (half) nodes[along_x] = n / 2 + 1;
    CurvilinearBlock block(nodes);
    for_each_node(block.nodes(), [&](const Index3& node) {
      Real3 d{};
      d[panel / 2] = panel % 2 == 0 ? 1 : -1;
      d[(panel / 2 + 1) % 3] = tangent[static_cast<std::size_t>(node[0])];
      d[(panel / 2 + 2) % 3] = tangent[static_cast<std::size_t>(node[1])];
      // The squares add in the order of their size, which is the same on both sides of an edge.
      double a = d[0] * d[0], b = d[1] * d[1], c = d[2] * d[2];
      if (a > b) std::swap(a, b);
      if (b > c) std::swap(b, c);
      if (a > b) std::swap(a, b);
      block.set(node, scaled(r[static_cast<std::size_t>(node[2])] / std::sqrt(a + b + c), d));
    });
    const int number = static_cast<int>(mesh.blocks.size());
    mesh.blocks.push_back(block);
    mesh.add_patch("sphere", "slip_wall", number, {2, Side::lower});
    mesh.add_patch("farfield", "farfield", number, {2, Side::upper});
    if (half) {
      mesh.add_patch("outflow", "supersonic_outflow", number,
                     {static_cast<int>(along_x), Side::upper});
    }
  }
  finish(mesh, "sphere");
  return mesh;
}

}  // namespace watersmeet::mesh
