#pragma once
// What a marching pass (march.hpp) is given: the level, how it is shared out, and pairs of cells.

#include "core/host_device.hpp"
#include "solve/multigrid/kernels.hpp"

namespace watersmeet::solve {

// How a level is shared out: tiles of cells without their halos, and planes of a chunk.
struct MarchShape {
  int tile[2] = {32, 16};
  int chunk = 64;
  int tiles[2] = {1, 1}, chunks = 1;
  int halo_x = 4;  // of the tile; even
  int halo_y = 3;
  int pairs = 1;    // or quads, of a row, halo included
  int threads = 1;  // pairs * rows
};

template <class R>
struct MarchArrays {
  LevelArrays<R> level;   // weights, f
  const R* in = nullptr;  // null: a guess of 0
  R* out = nullptr;       // not `in`: other blocks read that
  // The planes that are stored, [begin, end): the others are a halo, which is read alone. `begin` is even.
  int begin = 0, end = 0;
  FarSides<R> far_out, far_coarse;  // of `out` and of coarse.f, in the slabs below and above
  TransferArrays<R> transfer;
  LevelArrays<R> coarse;      // its u is interpolated, its f written
  R omega[4] = {1, 1, 1, 1};  // over-relaxation of the half sweeps
  MarchShape shape;
};

// Weights along z of a plane.
template <class R>
struct PlaneWeights {
  R lower, upper, diagonal, share;
};

// Longest chunk: the plane weights are in shared memory.
inline constexpr int march_longest_chunk = 256;

// Two neighbouring cells, one access of memory: rows begin on lines, and pairs at even cells.
template <class R>
struct alignas(2 * sizeof(R)) Pair {
  R even, odd;
};
template <class R>
WM_HD Pair<R> load_pair(const R* p) {
#if defined(__CUDA_ARCH__)
  return *reinterpret_cast<const Pair<R>*>(p);
#else
  return {p[0], p[1]};
#endif
}
template <class R>
WM_HD void store_pair(R* p, const Pair<R>& pair) {
#if defined(__CUDA_ARCH__)
  *reinterpret_cast<Pair<R>*>(p) = pair;
#else
  p[0] = pair.even;
  p[1] = pair.odd;
#endif
}

}  // namespace watersmeet::solve
