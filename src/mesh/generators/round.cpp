#include "mesh/generators/round.hpp"

#include <cmath>

#include "mesh/curvilinear/nodes.hpp"
#include "mesh/generators/finish.hpp"
#include "mesh/generators/spacing.hpp"

namespace watersmeet::mesh {

namespace {

// Radii of the nodes along lines that lead outward.
class Lines {
 public:
  template <class Round>
  Lines(const Round& o, const char* name)
      : n_(o.cells[1]), radius_(o.radius), far_(o.far), ahead_(o.ahead), first_cell_(o.first_cell) {
    demand(ahead_ == 0 || o.part == "front", name,
           "ahead is a key of part \"front\": the outer boundary of the whole is round");
    demand(nearest() > radius_, name,
           ahead_ > 0
               ? "the outer boundary must lie outside the radius " + short_text(radius_) +
                     ", and comes as near as " + short_text(nearest()) + ": more of ahead or far"
               : "far must be more than the radius " + short_text(radius_));
    demand(first_cell_ < nearest() - radius_, name, "first_cell is wider than the mesh");
  }

  // forward: how far a line leads along -x on each unit of its length.
  std::vector<double> radii(double forward) const {
    const double outer = outer_radius(forward), width = outer - radius_;
    std::vector<double> r = first_cell_ > 0 ? stretched(n_, first_cell_ / width) : uniform(n_);
    for (double& x : r) {
      x = first_cell_ > 0 ? radius_ + x * width : radius_ * std::pow(outer / radius_, x);
    }
    r.front() = radius_;
    r.back() = outer;
    return r;
  }

 private:
  // The positive root r of r forward = ahead (1 - (r sideways / far)^2).
  double outer_radius(double forward) const {
    if (ahead_ == 0) return far_;
    const double slope = 2 * ahead_ / far_, sideways2 = 1 - forward * forward;
    return 2 * ahead_ / (forward + std::sqrt(forward * forward + slope * slope * sideways2));
  }
  // Smallest radius of the outer boundary. A parabola more curved at its tip than the circle there
  // comes nearer beside it, where r^2 = ahead^2 (1 - s)^2 + far^2 s, s = (y / far)^2, is least.
  double nearest() const {
    if (ahead_ == 0) return far_;
    const double s = 1 - 0.5 * std::pow(far_ / ahead_, 2);
    return s > 0 ? std::sqrt(std::pow(ahead_ * (1 - s), 2) + far_ * far_ * s) : ahead_;
  }

  std::int64_t n_;
  double radius_, far_, ahead_, first_cell_;
};

}  // namespace

MultiBlockMesh make_cylinder(const Cylinder& o) {
  demand(o.cells[0] % 4 == 0, "cylinder",
         "the cells around must be a multiple of 4, one part for each block");
  const std::int64_t quarter = o.cells[0] / 4;
  const Lines lines(o, "cylinder");
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
    for (std::int64_t j = 0; j <= quarter; ++j) {
      Real3 d = directions[static_cast<std::size_t>(j)];
      for (int turn = 0; turn < b; ++turn) d = {0 - d[1], d[0], 0};
      const std::vector<double> r = lines.radii(-d[0]);
      for (std::int64_t i = 0; i <= o.cells[1]; ++i) {
        block.set({i, j, 0}, scaled(r[static_cast<std::size_t>(i)], d));
      }
    }
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
  const Lines lines(o, "sphere");
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
    Box feet = block.nodes();
    feet.upper[2] = 1;
    for_each_node(feet, [&](const Index3& node) {
      Real3 d{};
      d[panel / 2] = panel % 2 == 0 ? 1 : -1;
      d[(panel / 2 + 1) % 3] = tangent[static_cast<std::size_t>(node[0])];
      d[(panel / 2 + 2) % 3] = tangent[static_cast<std::size_t>(node[1])];
      // The squares add in the order of their size, which is the same on both sides of an edge.
      double a = d[0] * d[0], b = d[1] * d[1], c = d[2] * d[2];
      if (a > b) std::swap(a, b);
      if (b > c) std::swap(b, c);
      if (a > b) std::swap(a, b);
      const double length = std::sqrt(a + b + c);
      const std::vector<double> r = lines.radii(-d[0] / length);
      for (std::int64_t k = 0; k <= o.cells[1]; ++k) {
        block.set({node[0], node[1], k}, scaled(r[static_cast<std::size_t>(k)] / length, d));
      }
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
