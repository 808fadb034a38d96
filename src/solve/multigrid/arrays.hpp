#pragma once
// A level and the step to the next one as kernels see them: pointers and small numbers. Cell
// (0, 0, 0) is element 0 of `u`; rows lie as memory::make_layout() says, with one ghost layer along
// every axis of more than one cell.

#include <cstdint>

#include "core/host_device.hpp"

namespace watersmeet::solve {

// Number type R of the cycle, float or double.
template <class R>
struct LevelArrays {
  R* u = nullptr;  // solution
  R* f = nullptr;  // right-hand side
  R* v = nullptr;  // scratch of the same shape, where the smoother needs it: new values
  R* w = nullptr;  // and the ratios of an elimination
  std::int64_t stride[3] = {1, 0, 0};  // 0 along an axis of one cell (along x too)
  int n[3] = {1, 1, 1};
  int ghosts[3] = {0, 0, 0};  // layers on each side, 0 or 1
  // Index of the neighbour below cell 0 and above cell n - 1: of the other end where periodic, the
  // cell itself where there is none (its weight is 0), -1 and n where a ghost holds the value.
  int below[3] = {0, 0, 0}, above[3] = {0, 0, 0};
  int parity = 0;  // of the sum of the global indices of cell (0, 0, 0)
  R omega = 1;
  const R* lower[3] = {};  // weights of L along each axis, one a cell, padded with zeros
  const R* upper[3] = {};
  const R* diagonal[3] = {};  // padded with ones
};

template <class R>
struct TransferArrays {
  bool coarsened[3] = {false, false, false};
  const R* share[3] = {};
  const R* near[3] = {};
  const R* far[3] = {};
};

// Planes [begin, end) of an array that are planes of the halo of another slab, too: there they lie as if that array began at `start`.
template <class R>
struct FarPlanes {
  R* start = nullptr;
  int begin = 0, end = 0;
  // The same, with the planes counted from that one on.
  FarPlanes from_plane(int first, std::int64_t stride) const {
    if (start == nullptr) return {};
    return {start + first * stride, begin - first, end - first};
  }
};

// Those of the slabs below and above.
template <class R>
struct FarSides {
  FarPlanes<R> side[2];
  // Calls store(start) for each slab that has plane k.
  template <class Store>
  WM_HD void each(int k, Store&& store) const {
    WM_UNROLL
    for (const FarPlanes<R>& far : side) {
      if (k >= far.begin && k < far.end) store(far.start);
    }
  }
};

// Matrices [from * n + to] and eigenvalues of the bottom (bottom.hpp), and room for two packed
// arrays of its cells.
template <class R>
struct BottomArrays {
  int n[3] = {1, 1, 1};
  const R* forward[3] = {};
  const R* back[3] = {};
  const R* eigenvalue[3] = {};
  R* work[2] = {};
};

}  // namespace watersmeet::solve
