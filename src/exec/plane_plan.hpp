#pragma once
// How the march of the face form on a plane is cut on CUDA (plane_cuda.hpp), in numbers alone, so
// that it can be tested without a device. A warp takes a strip of columns and marches over a chunk
// of rows; neighbouring strips overlap by two cells on each side:
//
//        lanes     0 1 | 2 ............ 29 | 30 31        28 columns are updated
//        next strip                  0   1 | 2 ...

#include <algorithm>
#include <cstdint>

namespace watersmeet::exec {

constexpr int plane_lanes = 32, plane_halo = 2, plane_columns = plane_lanes - 2 * plane_halo;

struct PlanePlan {
  int strips = 1;  // side by side
  int chunk = 1;   // rows that a warp marches over
  int chunks = 1;  // one after the other along a column
  int planes = 1;  // above each other
  std::int64_t warps() const { return std::int64_t(strips) * chunks * planes; }
};

// Rows that beginning a march costs: two are reconstructed that it does not update, and the wait
// for its first loads is a guess of two more.
constexpr int plane_overhead = 4;
constexpr int shortest_plane_march = 6;

// The time of a stage in rows of one warp's march: warps run in rounds of as many as the device
// holds at once, and a round takes as long as one of its warps.
inline double plane_cost(const PlanePlan& plan, std::int64_t resident) {
  return double((plan.warps() + resident - 1) / resident) * (plan.chunk + plane_overhead);
}

// resident: warps that the device holds at once. Of all numbers of chunks the one with the least
// cost; the fewest where another gains less than a thousandth.
inline PlanePlan plane_plan(int cells, int rows, std::int64_t resident, int planes = 1) {
  PlanePlan best;
  best.planes = planes;
  best.strips = (cells + plane_columns - 1) / plane_columns;
  double least = 1e300;
  for (int n = 1; n <= std::max(1, rows / shortest_plane_march); ++n) {
    PlanePlan plan = best;
    plan.chunk = (rows + n - 1) / n;
    plan.chunks = (rows + plan.chunk - 1) / plan.chunk;
    const double cost = plane_cost(plan, resident);
    if (cost < 0.999 * least) {
      least = cost;
      best.chunk = plan.chunk;
      best.chunks = plan.chunks;
    }
  }
  return best;
}

}  // namespace watersmeet::exec
