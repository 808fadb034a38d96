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

#include <algorithm>
#include <cstdint>

#include "core/host_device.hpp"

namespace watersmeet::exec {

struct SweepPlan {
  int row = 4;            // columns of a row, filling included
  int column_blocks = 1;  // blocks side by side
  int chunk = 1;          // cells along the axis that a warp marches over
  int chunks = 1;         // one after the other along a column
  std::int64_t blocks() const { return std::int64_t(column_blocks) * chunks; }
};

// Cells that beginning a march costs: two are reconstructed that it does not update, and the wait
// for its first loads is a guess of two more.
constexpr int march_overhead = 4;
// Shorter chunks than this are not worth their beginnings.
constexpr int shortest_march = 12;

// The time of a march in cells of one warp's: `plan` has so many pieces, which run in rounds of as
// many as the device holds at once, and a round takes as long as one of its pieces.
template <class Plan>
double march_cost(const Plan& plan, std::int64_t resident) {
  return double((plan.blocks() + resident - 1) / resident) * (plan.chunk + march_overhead);
}

// Cuts `cells` along the march into the number of chunks, none shorter than `shortest`, that has the
// least cost; the fewest where another gains less than a thousandth.
template <class Plan>
void cut_march(Plan& plan, int cells, int shortest, std::int64_t resident) {
  double least = 1e300;
  Plan best = plan;
  for (int n = 1; n <= std::max(1, cells / shortest); ++n) {
    plan.chunk = (cells + n - 1) / n;
    plan.chunks = (cells + plan.chunk - 1) / plan.chunk;
    const double cost = march_cost(plan, resident);
    if (cost < 0.999 * least) {
      least = cost;
      best = plan;
    }
  }
  plan = best;
}

// cells_x, across: of the box along x and along the other axis that is not marched along; cells:
// along the axis; warps: of a block; resident: blocks that the device holds at once.
inline SweepPlan sweep_plan(int cells_x, int across, int cells, int warps, int resident) {
  SweepPlan plan;
  plan.row = (cells_x + 3) / 4 * 4;
  const std::int64_t lanes = 32 * std::int64_t(warps);
  plan.column_blocks = int((std::int64_t(plan.row) * across + lanes - 1) / lanes);
  cut_march(plan, cells, shortest_march, resident);
  return plan;
}

// The column of a lane, as offsets from the lower corner of the box; `t` is along the other axis.
struct MarchColumn {
  int i, t;
};
WM_HD constexpr MarchColumn march_column(int column, int row) {
  return {column % row, column / row};
}

}  // namespace watersmeet::exec
