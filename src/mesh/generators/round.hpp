#pragma once
// Meshes around round bodies: four blocks around a cylinder, six around a sphere (a cubed sphere,
// without an axis). The front of them alone, x <= 0, serves supersonic flow along x: it knows
// nothing of the wake, which is seldom steady. There the cylinder has two blocks, the sphere a
// whole panel and four halves, and where they end is a patch outflow (supersonic_outflow). Its
// outer boundary may follow a bow shock, which before both bodies is nearly a parabola, so that few
// nodes are spent on the stream ahead of it and lines of the mesh run along it:
//
//             far .|
//               .  |      x = -ahead (1 - (y / far)^2), in space turned about the x axis
//              .   |
//        ahead . ( | body
//              .   |
//               .  |
//                 .|
//                x = 0

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::mesh {

// In the plane. Angles are equal; radii grow so that cells keep their shape, or from first_cell on.
// Patches cylinder (slip_wall), farfield.
struct Cylinder {
  std::vector<std::int64_t> cells{128, 64};  // around the whole, outward
  double radius = 0.5;
  double far = 20.0;  // radius of the outer boundary
  double ahead = 0;   // of the front: distance of the outer boundary on the axis; 0: far
  double first_cell = 0;
  std::string part = "whole";  // whole | front
};
MultiBlockMesh make_cylinder(const Cylinder& options);

// Equiangular gnomonic panels (Ronchi, Iacono & Paolucci 1996). Patches sphere (slip_wall),
// farfield.
struct Sphere {
  std::vector<std::int64_t> cells{16, 32};  // along an edge of the cube, outward
  double radius = 0.5;
  double far = 20.0;
  double ahead = 0;
  double first_cell = 0;
  std::string part = "whole";  // whole | front
};
MultiBlockMesh make_sphere(const Sphere& options);

}  // namespace watersmeet::mesh
