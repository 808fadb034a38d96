#pragma once
// A block: a box of n[0] x n[1] x n[2] cells with its own axes, the unit of storage, of links and
// of ownership.

#include <cstdint>

#include "core/types.hpp"

namespace watersmeet::mesh {

struct Block {
  Index3 n{1, 1, 1};
  Index3 origin{0, 0, 0};  // first cell in the global index space of the parent
  int owner_rank = 0;

  // Per axis: a link leads to a cell other than the one it leaves. Set by Mesh from the links.
  std::array<bool, 3> leads_on{false, false, false};

  Box interior() const { return {{0, 0, 0}, n}; }

  // One cell thick and every neighbour along the axis, if there is one, is the cell itself: a
  // direction along which nothing varies (the third axis of a 2-D case). Such an axis has no ghost
  // layers and stride 0 in memory, so that a shifted read returns the cell. A block of one cell
  // between two others is not degenerate.
  bool degenerate(int axis) const { return n[axis] == 1 && !leads_on[axis]; }

  // Ghost layers on both ends of each axis that a stencil of this radius needs.
  Index3 ghosts(std::int64_t radius) const {
    Index3 width{};
    for (int a = 0; a < 3; ++a) width[a] = degenerate(a) ? 0 : radius;
    return width;
  }
};

}  // namespace watersmeet::mesh
