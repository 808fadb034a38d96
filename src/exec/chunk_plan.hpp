#pragma once
// How marches on CUDA are cut into pieces, each of a thread block or a warp, in numbers alone, so that it can be tested without a device.
// Columns stand side by side: blocks of columns of a sweep (sweep_plan.hpp), strips of a plane (plane_plan.hpp), tiles along z
// (cell_ring_cuda.hpp, face_tile_launch_cuda.hpp). Pieces run in rounds of as many as the device holds at once:
//
//      column    0 1 2 3 4 5 6 | 7 8 9
//      cells     | | | | | | | | - - -      7 at once: the first 7 columns are whole, the others cut into two chunks,
//                | | | | | | | | - - -      so that the last round is nearly as full as the one before
//
// Behind whole columns the last chunks of the others may be shorter. They come after all of these, one after the other in the places that these
// leave:
//
//      column    7  8  9 10 11              7 at once: the 5 columns have a chunk each in 5 places, and what is left
//                |  |  |  |  |   :  :       of them, a third of that chunk, runs in the other 2 places, 3 and 2 of them
//                |  |  |  |  |   :  :
//                |  |  |  |  |   :

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/device.hpp"
#include "core/host_device.hpp"
#include "exec/tuning.hpp"

namespace watersmeet::exec {

struct ChunkPlan {
  int whole = 0;   // columns of one piece each, whole rounds of them
  int rest = 1;    // columns that are cut
  int chunk = 1;   // cells of their pieces
  int chunks = 1;  // one after the other along a column
  WM_HD constexpr std::int64_t pieces() const { return whole + std::int64_t(rest) * chunks; }

  struct Piece {
    int column, first, end;  // cells [first, end)
  };
  // cells: of a column.
  WM_HD constexpr Piece piece(int number, int cells) const {
    if (number < whole) return {number, 0, cells};
    const int first = (number - whole) / rest * chunk;
    return {whole + (number - whole) % rest, first, first + chunk < cells ? first + chunk : cells};
  }
};

// Pieces that run at once, of so many that fit, where messages under way take the place of thread blocks of so many pieces.
inline int pieces_at_once(int fitting, const Queue& queue, int of_block = 1) {
  const int displaced = queue.beside_messages ? blocks_displaced_by_messages * of_block : 0;
  return std::max({1, fitting / 2, fitting - displaced});
}

// Cells that beginning a march costs: two are reconstructed that it does not update, and the wait
// for its first loads is a guess of two more.
constexpr int march_overhead = 4;
// Shorter chunks than this are not worth their beginnings. Tiles are few on small grids, which would leave multiprocessors idle.
constexpr int shortest_march = 12, shortest_tile_march = 2;

// The time of a march in cells of one piece: a round takes as long as one of its pieces. Places that the last round of full chunks leaves
// take the shorter ones meanwhile.
inline double march_cost(const ChunkPlan& plan, int cells, std::int64_t resident,
                         double overhead = march_overhead) {
  const auto rounds = [&](std::int64_t pieces) {
    return double((pieces + resident - 1) / resident);
  };
  const double full = plan.chunk + overhead,
               last = cells - plan.chunk * (plan.chunks - 1) + overhead;
  const std::int64_t all_full = std::int64_t(plan.rest) * (plan.chunks - 1),
                     left = (resident - all_full % resident) % resident;
  const std::int64_t meanwhile = left * std::int64_t(full / last);
  return rounds(plan.whole) * (cells + overhead) + rounds(all_full) * full +
         rounds(std::max<std::int64_t>(0, plan.rest - meanwhile)) * last;
}

// `full` chunks of each column and a shorter one, of lengths for which the shorter ones take no longer in the places that the others leave; the columns
// whole where there are none.
inline ChunkPlan uneven_chunks(int whole, int rest, int full, int cells, int shortest,
                               std::int64_t resident, double overhead) {
  ChunkPlan plan{whole, rest, cells, 1};
  const std::int64_t left = resident - std::int64_t(rest) * full % resident;
  if (left == resident) return plan;
  const double turns = double((rest + left - 1) / left);
  // chunk + overhead = turns * (last + overhead), full * chunk + last = cells
  const int chunk = int(std::ceil((turns * (cells + overhead) - overhead) / (1 + turns * full)));
  const int last = cells - full * chunk;
  if (last >= shortest && last <= chunk) {
    plan.chunk = chunk;
    plan.chunks = full + 1;
  }
  return plan;
}

// The plan of the least cost, no chunk shorter than `shortest` but the last ones of columns in equal chunks; the fewest pieces where others gain less
// than a thousandth.
inline ChunkPlan chunk_plan(int columns, int cells, int shortest, std::int64_t resident,
                            double overhead = march_overhead) {
  ChunkPlan best{0, columns, cells, 1};
  double least = march_cost(best, cells, resident, overhead);
  const auto consider = [&](const ChunkPlan& plan) {
    const double cost = march_cost(plan, cells, resident, overhead);
    if (cost >= 0.999 * least) return;
    least = cost;
    best = plan;
  };
  constexpr int most_full = 8;
  const int filled = int(columns / resident * resident);
  for (const int whole : {0, filled, std::max(0, filled - int(resident))}) {
    if (columns == whole) continue;
    for (int n = 1; n <= std::max(1, cells / shortest); ++n) {
      const int chunk = (cells + n - 1) / n;
      consider({whole, columns - whole, chunk, (cells + chunk - 1) / chunk});
    }
    // Where no columns are whole uneven chunks took between 0.8 % less and 13 % more time (docs/performance.md).
    if (whole == 0) continue;
    for (int n = 1; n <= most_full; ++n)
      consider(uneven_chunks(whole, columns - whole, n, cells, shortest, resident, overhead));
  }
  return best;
}

}  // namespace watersmeet::exec
