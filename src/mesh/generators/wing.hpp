#pragma once
// A C-H mesh around a swept and tapered wing of one NACA section. x runs downstream, y along the
// span from the symmetry plane, z up.
//
//        y ^   ______                  Every section along y has the C mesh of naca4.hpp, scaled
//          |  |outer |_                with the chord near the wing; far away all are alike.
//          |   \.....| cap             In the cap the thickness falls to nothing as an ellipse,
//          |    \     |                beyond it the section is a slit whose sides are linked.
//          |     \ wing\               Along y the blocks are cut at the tip and at the end of the
//          +------\_____\---> x        cap: 3 x 4 blocks.
//
// At the nose of the slit the mesh is singular, as at every collapsed tip.

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::mesh {

// The default planform is like that of the ONERA M6 wing (Schmitt & Charpin 1979), in metres there;
// its section is not this one. Patches wing (slip_wall), symmetry, farfield.
struct Wing {
  std::string digits = "0010";
  std::string trailing_edge = "extended";
  std::vector<std::int64_t> cells{96, 32, 32};  // around the section, outward, along the span
  std::int64_t cap_cells = 6;                   // along the span in the cap
  std::int64_t outer_cells = 0;                 // beyond the cap; 0: half of those along the span
  std::int64_t wake_cells = 0;                  // 0: a quarter of those around
  double span = 1.1963;
  double root_chord = 0.8059;
  double taper = 0.562;
  double sweep_deg = 30.0;  // of the leading edge
  double far = 15.0;        // in root chords
  double trailing_cell = 0;
  double first_cell = 0;
};
MultiBlockMesh make_wing(const Wing& options);

}  // namespace watersmeet::mesh
