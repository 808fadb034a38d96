#pragma once
// Meshes around a NACA four-digit section.
//
// C: the plane cut along the wake is unwrapped by zeta = sqrt(z - z0), z0 half a nose radius behind
// the nose. Section and wake become a smooth, nearly straight line; the mesh is sheared between it
// and the line Im zeta = sqrt(far), a parabola in the plane. Four blocks, cut at the leading and
// the trailing edge, where the line has its kink.
//
//          ________________________
//         /    |      |            |      block 0 lower wake, 1 lower surface, 2 upper surface,
//        |  2  |      |     3      |      3 upper wake; i runs from the lower wake around the nose
//        | ====+======+------------|      to the upper wake, j outward
//        |  1  |            0      |
//         \____|___________________|
//
// O: the Karman-Trefftz map of the section to a near-circle, polar coordinates about the middle of
// it, and its logarithm of radius blended to that of the far circle. Two blocks, cut at the leading
// edge. At a sharp trailing edge the two directions of the mesh are one: nodal schemes lose
// accuracy there, so C is the default.

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"
#include "mesh/generators/naca_section.hpp"

namespace watersmeet::mesh {

// Patches airfoil (slip_wall), farfield. Lengths in chords.
struct Naca4 {
  std::string digits = "0012";
  std::string topology = "c";                 // c | o
  std::string trailing_edge = "extended";     // extended | closed
  std::vector<std::int64_t> cells{256, 128};  // around the section, outward
  std::int64_t wake_cells = 0;                // C: along the wake; 0: a quarter of those around
  double far = 147.0;                         // distance of the far field upstream of the nose
  double trailing_cell = 0;  // C: length of the cells at the trailing edge; 0: half
                             // of the length that equal cells would have
  double first_cell = 0;     // C: height of the cells there; 0: their length
};
MultiBlockMesh make_naca4(const Naca4& options);

// The rows and columns of a C mesh around one section: also the sections of a wing are made of it.
struct CMesh {
  std::vector<double> u;  // along surface and wake from the nose: x = u^2; the last is the far end
  std::size_t surface = 0;   // u[surface] = 1 is the trailing edge
  std::vector<double> rows;  // heights in the unwrapped plane, from 0
};
// wake: 0 for a quarter of the cells around.
CMesh c_mesh(std::int64_t around, std::int64_t wake, std::int64_t outward, double far,
             double trailing_cell, double first_cell, const std::string& generator);

// The node of column i (from -n to n for the n + 1 values of u; negative: lower side) and row j.
// `thickness` scales that of the section, 0: a slit.
Real3 c_mesh_point(const CMesh& mesh, const NacaSection& section, double thickness,
                   std::int64_t column, std::size_t row);

}  // namespace watersmeet::mesh
