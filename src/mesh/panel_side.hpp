#pragma once
// What lies beyond a side of a panel of the cubed sphere, in numbers that loops can use.

#include <array>
#include <cstdint>

#include "core/vec.hpp"
#include "mesh/link.hpp"

namespace watersmeet::mesh {

// Vectors pass from panel to panel as three components along the triad (ea, eb, n) of a panel, and
// triads differ by a permutation and signs: nothing is rounded there.
struct BeyondSide {
  std::int8_t panel = 0, side = 0;  // side: 2 axis + upper
  std::int8_t reversed = 0;         // cells count the other way along it
  std::int8_t same_way = 1;  // +1: the axes across the side point the same way, -1: they do not
  std::int8_t turn[9] = {};  // its triad's components (ea, eb, n) -> this panel's, by rows

  template <class R>
  WM_HD Vec<R, 3> turned(const Vec<R, 3>& w) const {
    Vec<R, 3> r;
    for (int a = 0; a < 3; ++a) {
      r[a] = R(turn[3 * a]) * w[0] + (R(turn[3 * a + 1]) * w[1] + R(turn[3 * a + 2]) * w[2]);
    }
    return r;
  }
};

// What lies beyond each side, by 4 panel + side.
std::array<BeyondSide, 24> beyond_panels();

// Components of a vector along a panel's ea, eb and n.
Real3 along_panel(int panel, const Real3& w);

}  // namespace watersmeet::mesh
