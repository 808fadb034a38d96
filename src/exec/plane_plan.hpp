#pragma once
// How the march of the face form on a plane is cut on CUDA (plane_cuda.hpp), in numbers alone, so
// that it can be tested without a device. A warp takes a strip of columns and marches over a chunk
// of rows; neighbouring strips overlap by two cells on each side:
//
//        lanes     0 1 | 2 ............ 29 | 30 31        28 columns are updated
//        next strip                  0   1 | 2 ...

#include <cstdint>

#include "exec/chunk_plan.hpp"

namespace watersmeet::exec {

constexpr int plane_lanes = 32, plane_halo = 2, plane_columns = plane_lanes - 2 * plane_halo;

struct PlanePlan {
  int strips = 1;    // side by side
  ChunkPlan chunks;  // along y; its columns are the strips of all planes, its pieces warps
};

// resident: warps that the device holds at once. Shorter chunks than 6 rows are not worth their
// beginnings.
inline PlanePlan plane_plan(int cells, int rows, std::int64_t resident, int planes = 1) {
  const int strips = (cells + plane_columns - 1) / plane_columns;
  return {strips, chunk_plan(strips * planes, rows, 6, resident)};
}

}  // namespace watersmeet::exec
