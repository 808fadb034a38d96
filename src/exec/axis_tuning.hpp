#pragma once
// Shapes of the strategies of exec/strategy.hpp, in numbers alone, and how their threads stand on
// the cells, so that it can be tested without a device.
//
//   along x   a group is a row of cells; a block has several, one above the other in y
//   others    a group is `beside` cells wide in x, for contiguous access, and the rest of it lies
//             along the axis. Of shuffles it is a warp, and a block has several side by side in x:
//
//                  beside = 4:   28 29 30 31 | 60 61 62 63 | ...
//                                 .  .  .  .
//                                 4  5  6  7 |
//                                 0  1  2  3 | 32 33 34 35 | ...

#include "core/host_device.hpp"
#include "exec/strategy.hpp"

namespace watersmeet::exec {

// `axes` of the scheme: 2 on planes, 3 in boxes. `threads` of a block, `blocks` of it on a
// multiprocessor at least, which bounds the registers; `row` and `beside`: threads of a group along
// x where that is the axis, and where it is not. A shuffle's group has a warp, whatever `row` is.
// The base has square blocks; the others are the fastest of `bench_axis_shapes` on an H200, which
// gives tuned, shared and shuffle 14.1, 14.0 and 12.2 G cell-stages/s of water, with halo threads
// 13.9 and 12.8; of air 7.5, 6.4 and 5.5, with halo threads 7.1 and 6.5. Narrow groups waste what
// memory brings: shuffles 2 cells wide in place of 4 have 9.0 (water) and 4.0 (air).
template <int axes, NeighbourSource source, bool halo_threads, bool tuned>
struct AxisTuning {
  static constexpr int threads = 256, row = 32, beside = 32, blocks = 1;
};
template <>
struct AxisTuning<2, NeighbourSource::none, false, true> {
  static constexpr int threads = 128, row = 64, beside = 32, blocks = 5;
};
template <>
struct AxisTuning<3, NeighbourSource::none, false, true> {
  static constexpr int threads = 128, row = 128, beside = 16, blocks = 4;
};
template <bool halo_threads>
struct AxisTuning<2, NeighbourSource::shared, halo_threads, true> {
  static constexpr int threads = 256, row = 128, beside = 16, blocks = 3;
};
template <bool halo_threads>
struct AxisTuning<3, NeighbourSource::shared, halo_threads, true> {
  static constexpr int threads = 256, row = halo_threads ? 256 : 128,
                       beside = halo_threads ? 8 : 16, blocks = halo_threads ? 3 : 2;
};
template <int axes, bool halo_threads>
struct AxisTuning<axes, NeighbourSource::shuffle, halo_threads, true> {
  static constexpr int threads = 128, row = 32, beside = 4, blocks = axes == 2 ? 5 : 4;
};

template <class Tuning, NeighbourSource source_, bool halo_threads_, bool tuned_, int axis>
struct AxisShape {
  static constexpr NeighbourSource source = source_;
  static constexpr bool halo_threads = halo_threads_, tuned = tuned_;
  static constexpr int threads = Tuning::threads, blocks = Tuning::blocks;
  // Threads of a group across the axis, all of them, and along the axis.
  static constexpr int beside = axis == 0 ? 1 : Tuning::beside;
  static constexpr int group = source == NeighbourSource::shuffle ? 32
                               : axis == 0                        ? Tuning::row
                                                                  : threads;
  static constexpr int along = group / beside;
  static constexpr int groups = threads / group;  // side by side: in y where x is the axis, or in x
  static constexpr int halo = halo_threads ? 1 : 0;
  // Cells that a block updates along the axis and across it.
  static constexpr int cells_along = along - 2 * halo;
  static constexpr int cells_across = axis == 0 ? groups : beside * groups;
  // Edges in shared memory: one more at each end of a group.
  static constexpr int pitch = (along + 2) * beside, slots = pitch * groups;

  static_assert(source != NeighbourSource::none || !halo_threads,
                "halo threads need shared memory or shuffles");
  static_assert(group * groups == threads && along * beside == group, "whole groups");
  static_assert(cells_along > 0, "a group has cells");

  // Thread t of a block: how far along the axis from the first cell that the block updates, and
  // across it.
  static constexpr int along_of(int t) { return t % group / beside - halo; }
  static constexpr int across_of(int t) { return t / group * beside + t % beside; }
};

// How a launch covers a box. Across the axis lie x, or y where x is the axis; `layers` are cells of
// the axis that is left, each with blocks of its own.
struct AxisPlan {
  int blocks_along = 1, blocks_across = 1, layers = 1;
  long long blocks() const { return 1LL * blocks_along * blocks_across * layers; }
};

template <class Shape>
AxisPlan axis_plan(int axis, const int* lower, const int* upper) {
  const int across = axis == 0 ? 1 : 0, left = 3 - axis - across;
  const auto count = [&](int a) { return upper[a] - lower[a]; };
  return {(count(axis) + Shape::cells_along - 1) / Shape::cells_along,
          (count(across) + Shape::cells_across - 1) / Shape::cells_across, count(left)};
}

// The cell of a thread. Whoever is beyond the box along the axis stands for the ghost behind it,
// whose edge the last cell needs, or where the last cell has no other source.
struct AxisCell {
  int at[3];
  bool updates;
  bool at_lower_end, at_upper_end;  // of a group that has a cell there to update
};

template <class Shape, int axis>
WM_HD AxisCell axis_cell(const AxisPlan& plan, const int* lower, const int* upper, int block,
                         int thread) {
  constexpr int across = axis == 0 ? 1 : 0, left = 3 - axis - across;
  const int along = Shape::along_of(thread);
  AxisCell c;
  c.at[axis] = lower[axis] + block % plan.blocks_along * Shape::cells_along + along;
  block /= plan.blocks_along;
  c.at[across] =
      lower[across] + block % plan.blocks_across * Shape::cells_across + Shape::across_of(thread);
  c.at[left] = lower[left] + block / plan.blocks_across;
  c.updates = along >= 0 && along < Shape::cells_along && c.at[axis] < upper[axis] &&
              c.at[across] < upper[across];
  c.at_lower_end = c.updates && along == 0;
  c.at_upper_end = c.updates && along == Shape::cells_along - 1;
  const int beyond = Shape::source == NeighbourSource::none ? upper[axis] - 1 : upper[axis];
  c.at[axis] = c.at[axis] < beyond ? c.at[axis] : beyond;
  c.at[across] = c.at[across] < upper[across] ? c.at[across] : upper[across] - 1;
  return c;
}

}  // namespace watersmeet::exec
