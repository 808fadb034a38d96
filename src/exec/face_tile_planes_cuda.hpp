#pragma once
// What the marching tile of face_tile_cuda.hpp keeps in shared memory, and how planes get there;
// the latter also for the tile of face_compact_cuda.hpp, with a shape of its own.
//
// A plane holds the primitive states of a tile of 32 x `rows` columns with a halo of `reach`, there
// 3: [state][row][column], rows -3 .. rows + 2, columns -4 .. 35, so that every piece of 16 bytes
// is aligned. It arrives as stored variables by cp.async and becomes primitive in place: the thread
// that copied a piece of all variables converts it, so no barrier lies between, and what stays the
// same (density, Gamma, Pi) is not even written. The corners of the halo are never loaded.

#include <cuda_pipeline_primitives.h>

#include "exec/face.hpp"

namespace watersmeet::exec {

template <class R, class Scheme, class Tuning>
struct FaceTileShape {
  static constexpr int columns = 32, rows = Tuning::rows, blocks = Tuning::blocks;
  static constexpr int threads = columns * rows;
  static constexpr int reach = Scheme::radius, lead = 4;  // halo, and its columns on each side
  static constexpr int slots = 6;                         // planes k - 1 .. k + 3 and one to come
  static constexpr int pitch = columns + 2 * lead;
  static constexpr int state_words = pitch * (rows + 2 * reach);
  static constexpr int plane_words = state_words * Scheme::states;

  // Behind the planes: upper edges of rows -1 .. rows - 1 and records below rows 0 .. rows, lower
  // edges of row `rows`; and of each row, twice, the upper edges of column -1 and the records below
  // column 32.
  static constexpr int edge_words = columns * (rows + 1), record_words = columns * (rows + 1);
  static constexpr int y_edges = plane_words * slots;
  static constexpr int y_records = y_edges + edge_words * Scheme::states;
  static constexpr int top_edges = y_records + record_words * Scheme::records;
  static constexpr int x_edges = top_edges + columns * Scheme::states;
  static constexpr int x_records = x_edges + 2 * rows * Scheme::states;
  static constexpr int words = x_records + 2 * rows * Scheme::records;
  static constexpr std::size_t shared_bytes = sizeof(R) * std::size_t(words);

  // Pieces of 16 bytes of one variable of a plane: of the rows with their halo in x, then of the
  // halo in y.
  static constexpr int piece = 16 / int(sizeof(R));
  static constexpr int row_pieces = pitch / piece, inner_pieces = columns / piece;
  static constexpr bool corners = false;
  static constexpr int pieces = rows * row_pieces + 2 * reach * inner_pieces;
  static constexpr int pieces_per_thread = (pieces + threads - 1) / threads;
  static_assert(Scheme::states == Scheme::variables, "planes are converted in place");
  static_assert(Scheme::radius == 3, "edges from two cells on each side, records one cell further");
};

// Neighbours of a cell of a plane, `stride` words apart; `cell` is the word of its state 0.
template <class R, int state_words>
struct PlaneWindow {
  const R* shared;
  int cell, stride;
  WM_HD R operator()(int v, int m) const { return shared[cell + m * stride + v * state_words]; }
};

// Neighbours of a cell in the five planes around it.
template <class R, int state_words>
struct ColumnWindow {
  const R* shared;
  int plane[5];
  WM_HD R operator()(int v, int m) const { return shared[plane[m + 2] + v * state_words]; }
};

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
