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

// What a thread of a tile marches over: its column, and planes [k0, k1) of the box.
template <class Shape>
struct TileMarch {
  int i0, j0;     // first column of the tile
  int lane, row;  // of the thread's own in it
  int k0, k1;
  bool inside;  // of the box

  template <class R>
  __device__ TileMarch(const CellArrays<R>& a, int tiles_x, int tiles_y, int planes_per_block) {
    const int tile = int(blockIdx.x) % (tiles_x * tiles_y);
    i0 = a.lower[0] + tile % tiles_x * Shape::columns;
    j0 = a.lower[1] + tile / tiles_x * Shape::rows;
    k0 = a.lower[2] + int(blockIdx.x) / (tiles_x * tiles_y) * planes_per_block;
    k1 = min(k0 + planes_per_block, a.upper[2]);
    lane = int(threadIdx.x) % Shape::columns;
    row = int(threadIdx.x) / Shape::columns;
    inside = i0 + lane < a.upper[0] && j0 + row < a.upper[1];
  }
};

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
