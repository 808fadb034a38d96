#pragma once
// The launch that schedules of tiles marching through planes share (face_tile_cuda.hpp,
// face_compact_cuda.hpp).
#include <algorithm>

#include "core/error.hpp"
#include "exec/check_cuda.hpp"
#include "exec/face.hpp"
#include "exec/tile_meeting_cuda.hpp"
#include "exec/tuning.hpp"

namespace watersmeet::exec {

// One stage over the box of `a` by thread blocks of Shape::columns x Shape::rows cells, as many at
// once as `resident` and messages on their way leave room for.
template <class Shape, class Kernel, class R, class Scheme, class Finish>
void launch_face_tiles(Kernel* kernel, int resident, const CellArrays<R>& a,
                       const StageUpdate<R>& update, const Scheme& scheme, const Finish& finish,
                       Clock* clock, const Queue& queue) {
  require(a.lower[0] % 4 == 0, "tile schedule: the box must start at a multiple of 4 in x");
  const int tiles_x = (a.upper[0] - a.lower[0] + Shape::columns - 1) / Shape::columns;
  const int tiles_y = (a.upper[1] - a.lower[1] + Shape::rows - 1) / Shape::rows;
  const int planes = a.upper[2] - a.lower[2];
  const int displaced = queue.beside_messages ? blocks_displaced_by_messages : 0;
  const int per_block = face_tile_planes_per_block(tiles_x * tiles_y, planes,
                                                   std::max(resident / 2, resident - displaced));
  const int chunks = (planes + per_block - 1) / per_block;
  kernel<<<unsigned(tiles_x * tiles_y * chunks), Shape::threads, Shape::shared_bytes,
           static_cast<cudaStream_t>(queue.stream)>>>(a, update, scheme, finish, clock, tiles_x,
                                                      tiles_y, per_block);
  check_cuda(cudaGetLastError(), "cannot launch a stage");
}

}  // namespace watersmeet::exec
