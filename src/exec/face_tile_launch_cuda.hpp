#pragma once
// The launch that schedules of tiles marching through planes share (face_tile_cuda.hpp,
// face_compact_cuda.hpp).

#include "core/error.hpp"
#include "exec/check_cuda.hpp"
#include "exec/chunk_plan.hpp"
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
  __device__ TileMarch(const CellArrays<R>& a, int tiles_x, const ChunkPlan& plan) {
    const ChunkPlan::Piece piece = plan.piece(int(blockIdx.x), a.upper[2] - a.lower[2]);
    i0 = a.lower[0] + piece.column % tiles_x * Shape::columns;
    j0 = a.lower[1] + piece.column / tiles_x * Shape::rows;
    k0 = a.lower[2] + piece.first;
    k1 = a.lower[2] + piece.end;
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
  // Beginning a march costs two planes of z and the wait for the first five: at a guess as much as three planes.
  const ChunkPlan plan = chunk_plan(tiles_x * tiles_y, a.upper[2] - a.lower[2], shortest_tile_march,
                                    pieces_at_once(resident, queue), 3);
  kernel<<<unsigned(plan.pieces()), Shape::threads, Shape::shared_bytes,
           static_cast<cudaStream_t>(queue.stream)>>>(a, update, scheme, finish, clock, tiles_x,
                                                      plan);
  check_cuda(cudaGetLastError(), "cannot launch a stage");
}

}  // namespace watersmeet::exec
