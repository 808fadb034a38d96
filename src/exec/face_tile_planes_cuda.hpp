#pragma once
// How planes get into the shared memory of the marching tile of face_compact_cuda.hpp, whose shape says how many columns and rows a plane
// has. A plane holds the states of a tile with its halo: [state][row][column], columns with so many in front that every piece of 16
// bytes is aligned. It arrives as stored variables by cp.async and becomes primitive in place: the thread that copied a piece of all
// variables converts it, so no barrier lies between.

#include <cuda_pipeline_primitives.h>

#include "exec/face.hpp"

namespace watersmeet::exec {

// This thread's pieces of every plane of the block's march.
template <class R, class Scheme, class Shape>
struct PlanePieces {
  const R* from[Shape::pieces_per_thread];
  int to[Shape::pieces_per_thread];                                    // word in a plane, -1: none
  int i_of[Shape::pieces_per_thread], j_of[Shape::pieces_per_thread];  // its first cell

  // The first plane to copy is plane k. Pieces beyond what a box's stencils reach are left out:
  // they may lie outside of the arrays.
  __device__ PlanePieces(const CellArrays<R>& a, const Scheme& scheme, int i0, int j0, int k) {
    const int reach_x = scheme.active(0) ? Shape::reach : 0;
    const int reach_y = scheme.active(1) ? Shape::reach : 0;
#pragma unroll
    for (int m = 0; m < Shape::pieces_per_thread; ++m) {
      // Warps with little else to do first: rims are done by the lowest.
      const int n = m * Shape::threads + Shape::threads - 1 - int(threadIdx.x);
      const int rim = n - Shape::rows * Shape::row_pieces;
      int row = n / Shape::row_pieces, column = n % Shape::row_pieces * Shape::piece - Shape::lead;
      if (rim >= 0) {
        constexpr int a_row = Shape::corners ? Shape::row_pieces : Shape::inner_pieces;
        row = rim / a_row - Shape::reach;
        if (row >= 0) row += Shape::rows;
        column = rim % a_row * Shape::piece - (Shape::corners ? Shape::lead : 0);
      }
      const int i = i0 + column, j = j0 + row;
      const bool wanted = n < Shape::pieces && i + Shape::piece > a.lower[0] - reach_x &&
                          i < a.upper[0] + reach_x && j >= a.lower[1] - reach_y &&
                          j < a.upper[1] + reach_y;
      from[m] = a.in + i + j * a.stride_j + k * a.stride_k;
      i_of[m] = i;
      j_of[m] = j;
      to[m] = wanted ? (row + Shape::reach) * Shape::pitch + column + Shape::lead : -1;
    }
  }

  // Starts the copy of the next plane into the slot whose first word is `plane`.
  __device__ void start(R* plane, const CellArrays<R>& a) {
#pragma unroll
    for (int m = 0; m < Shape::pieces_per_thread; ++m) {
      if (to[m] >= 0) {
#pragma unroll
        for (int v = 0; v < Scheme::variables; ++v) {
          __pipeline_memcpy_async(plane + to[m] + v * Shape::state_words,
                                  from[m] + v * a.stride_var, 16);
        }
      }
      from[m] += a.stride_k;
    }
  }

  // Leaves out the next plane.
  __device__ void skip(const CellArrays<R>& a) {
#pragma unroll
    for (int m = 0; m < Shape::pieces_per_thread; ++m) from[m] += a.stride_k;
  }

  // Plane k of the box, after the wait for its copies.
  __device__ void convert(R* plane, const Scheme& scheme, int k) const {
    struct alignas(16) Piece {
      R of[Shape::piece];
    };
#pragma unroll
    for (int m = 0; m < Shape::pieces_per_thread; ++m) {
      if (to[m] < 0) continue;
      Piece value[Scheme::variables];
#pragma unroll
      for (int v = 0; v < Scheme::variables; ++v)
        value[v] = *reinterpret_cast<const Piece*>(plane + to[m] + v * Shape::state_words);
#pragma unroll
      for (int c = 0; c < Shape::piece; ++c) {
        Vec<R, Scheme::variables> stored;
#pragma unroll
        for (int v = 0; v < Scheme::variables; ++v) stored[v] = value[v].of[c];
        const Vec<R, Scheme::states> state =
            state_at<R>(scheme, stored, Place{i_of[m] + c, j_of[m], k});
#pragma unroll
        for (int v = 0; v < Scheme::variables; ++v) value[v].of[c] = state[v];
      }
#pragma unroll
      for (int v = 0; v < Scheme::variables; ++v)
        *reinterpret_cast<Piece*>(plane + to[m] + v * Shape::state_words) = value[v];
    }
  }
};

}  // namespace watersmeet::exec
