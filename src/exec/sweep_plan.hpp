#pragma once
// How a sweep along y or z of the face form on CUDA is cut (face_sweep_cuda.hpp), in numbers alone,
// so that it can be tested without a device.
//
// The columns of a box along the axis are numbered, along x first; rows are filled up to multiples
// of four, so that a copy of 16 bytes never leaves its row. A warp takes 32 columns in a row,
// wherever their rows begin and end: no lane idles but in the last warp and in the filling, and
// what a warp reads of a plane is one piece of memory, or two.
//
//        row of 10 cells      0 1 2 3 4 5 6 7 8 9 . .        columns 0 .. 11
//        the next one         0 1 2 3 4 5 6 7 8 9 . .        columns 12 .. 23
//        lanes of warp 0      0 .......................  31 = column 31 of the third row

#include <cstdint>

#include "core/host_device.hpp"
#include "exec/chunk_plan.hpp"

namespace watersmeet::exec {

struct SweepPlan {
  int row = 4;  // columns of a row, filling included
  ChunkPlan chunks;
};

// cells_x, across: of the box along x and along the other axis that is not marched along; cells:
// along the axis; warps: of a block; resident: blocks that the device holds at once.
inline SweepPlan sweep_plan(int cells_x, int across, int cells, int warps, int resident) {
  const int row = (cells_x + 3) / 4 * 4;
  const std::int64_t lanes = 32 * std::int64_t(warps);
  const int blocks = int((std::int64_t(row) * across + lanes - 1) / lanes);
  return {row, chunk_plan(blocks, cells, shortest_march, resident)};
}

// The column of a lane, as offsets from the lower corner of the box; `t` is along the other axis.
struct MarchColumn {
  int i, t;
};
WM_HD constexpr MarchColumn march_column(int column, int row) {
  return {column % row, column / row};
}

}  // namespace watersmeet::exec
