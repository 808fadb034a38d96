#pragma once
// A hypersonic vehicle, half of it (y >= 0), in fifteen blocks: lengths in nose radii, x downstream
// from the nose, z up.
//
//        seen from the side                                seen from behind: three patches
//              ____-----------------+-----------+            +----___   top
//         ___--|      |             |  shells   |            | top   \___
//        / lat |ring 1|   ring 2    |----+------+            |-__ top    \   .
//       |c     |      |             |core|core 2|      core: |   |-_______|
//        \___  |      |             | 1  |      |            |   | side   |
//            --|______|_____________|____|______|            +---+--------+  (bottom below)
//
// Blocks: 0 the centre of the nose; 1 to 3 the rest of it (bottom, side, top), with 0 half of a
// cubed hemisphere, so that there is no axis; 4 to 6 and 7 to 9 two rings; 10 to 12 the shells
// around the wake, continuing the rings; 13 and 14 the wake core behind the flat base, with the
// topology of block 0. Each shell touches both cores: its inner face is two sub-faces.
//
// Shape: at x the section is |y/a|^m + |z/b|^m = 1 with a(x) and b(x) of a sphere and a tangent
// cone each. b goes over from the lower to the upper side as sin(phi), in the parametric angle phi,
// and m grows from 2 at the end of the nose to its value at the base: all is smooth where blocks
// are. Behind the base the section gets corners where bottom, side and top meet: there the wake
// core has corners, and on a smooth line those would be flat. The outer boundary is a hyperbola in
// each direction, r^2 = 2 R s + (s tan(angle))^2 for the distance s from a point ahead of the nose;
// stand-off and radius R follow Billig (1967) for a sphere.

#include <string>

#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::mesh {

// Patches vehicle, base (slip_wall), symmetry, inflow (supersonic_inflow), outflow
// (supersonic_outflow).
struct Glider15 {
  std::string size = "720k";  // small | medium | 720k | 1500k: nodes
  double mach = 6.0;          // of the correlation for the outer boundary
  double length = 20.0;
  double wake = 10.0;
  double side_angle_deg = 17.0;  // of the plan view: 90 less the sweep
  double upper_angle_deg = 9.0;  // of the upper side
  double lower_angle_deg = 4.0;  // of the lower side
  double margin_deg = 12.0;      // by which the outer boundary opens wider than the body
  double exponent = 2.5;         // m at the base
};
MultiBlockMesh make_glider15(const Glider15& options);

}  // namespace watersmeet::mesh
