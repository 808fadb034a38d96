#pragma once
// The ghost form's part for boundary conditions, common part: the ghost cells directly behind the
// faces of a block that have conditions, layer by layer, from the interior cells along the line
// through them. Links and edges are not its business (exec/ghost.hpp). The loops are in
// boundary_cpu.hpp and boundary_cuda.hpp.
//
//        ghost cells          |          interior
//        layer 2     1     0  |  depth 0     1     2
//
// A boundary functor gives the values of one ghost cell:
//   static constexpr int variables
//   static constexpr int radius      layers that are filled
//   bool has(int side) const         whether a side of the block, 2 axis + (upper), has conditions
//   Vec<R, variables> operator()(int side, std::int64_t cell, int layer,
//                                const InteriorLine<R>& line) const
// Cells of a side are numbered first along the lower of the two other axes. `line` may be read as
// deep as the block is thick.

#include <cstdint>

#include "core/block_layout.hpp"
#include "core/vec.hpp"

namespace watersmeet::exec {

// Stored values of the cells behind a cell of a side.
template <class R>
struct InteriorLine {
  const R* outermost;  // variable 0 of the cell at the boundary
  std::int64_t inward, stride_var;
  WM_HD R operator()(int var, int depth) const {
    return outermost[var * stride_var + depth * inward];
  }
};

// One side of a block in memory.
struct SideCells {
  std::int64_t first = 0;      // of the layer of cells at the boundary
  std::int64_t inward = 0;     // elements to the next cell inside
  std::int64_t n[2] = {0, 0};  // cells along the other axes, the lower one first
  std::int64_t stride[2] = {0, 0};
  std::int64_t begin = 0;  // cells of the sides before this one in a launch
  WM_HD std::int64_t cells() const { return n[0] * n[1]; }
  // Element of a cell of the side, for variable 0.
  WM_HD std::int64_t element(std::int64_t cell) const {
    const std::int64_t row = cell / n[0];
    return first + (cell - row * n[0]) * stride[0] + row * stride[1];
  }
};

// All six; those that a predicate refuses and those of axes without ghosts have no cells. Offsets
// count from the start of the register. With `around`, sides extend for as many cells behind their
// ends, among the ghosts of the other axes: so that edges of the block have ghosts too, where one
// axis is filled after the other, each line through ghosts of the one before or of a link.
struct BlockSides {
  SideCells side[6];
  std::int64_t cells = 0;  // of all
  std::int64_t stride_var = 0;
};

template <class Wanted>
BlockSides sides_of(const BlockLayout& layout, const Wanted& wanted, std::int64_t around = 0) {
  BlockSides all;
  all.stride_var = layout.stride_var;
  for (int s = 0; s < 6; ++s) {
    SideCells& side = all.side[s];
    side.begin = all.cells;
    const int axis = s / 2, a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    if (layout.ghosts[axis] == 0 || !wanted(s)) continue;
    const bool upper = s % 2 == 1;
    side.first = layout.first + (upper ? (layout.n[axis] - 1) * layout.stride[axis] : 0);
    side.inward = upper ? -layout.stride[axis] : layout.stride[axis];
    side.n[0] = layout.n[a];
    side.n[1] = layout.n[b];
    side.stride[0] = layout.stride[a];
    side.stride[1] = layout.stride[b];
    const int others[2] = {a, b};
    for (int n = 0; n < 2; ++n) {
      if (layout.ghosts[others[n]] < around) continue;
      side.first -= around * side.stride[n];
      side.n[n] += 2 * around;
    }
    all.cells += side.cells();
  }
  return all;
}

// Fills the ghost cells behind one cell of a side. `start` is that of the register.
template <class R, class Exterior>
WM_HD void fill_behind(R* start, const BlockSides& sides, const Exterior& exterior, int side,
                       std::int64_t cell) {
  const SideCells& s = sides.side[side];
  R* const outermost = start + s.element(cell);
  const InteriorLine<R> line{outermost, s.inward, sides.stride_var};
  for (int layer = 0; layer < Exterior::radius; ++layer) {
    const Vec<R, Exterior::variables> value = exterior(side, cell, layer, line);
    R* const ghost = outermost - (layer + 1) * s.inward;
    for (int v = 0; v < Exterior::variables; ++v) ghost[v * sides.stride_var] = value[v];
  }
}

}  // namespace watersmeet::exec
