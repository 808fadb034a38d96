// The threads of launches along one axis: every cell is updated once, and the thread that updates it finds the
// edges of both neighbours in its group or makes them itself.
#include <gtest/gtest.h>

#include <map>
#include <tuple>
#include <vector>

#include "exec/axis_tuning.hpp"

namespace watersmeet::exec {
namespace {

using Cell = std::tuple<int, int, int>;

template <class Shape, int axis>
void check(const std::vector<int>& lower, const std::vector<int>& upper) {
  const AxisPlan plan = axis_plan<Shape>(axis, lower.data(), upper.data());
  std::map<Cell, int> updates;
  for (int block = 0; block < int(plan.blocks()); ++block) {
    std::vector<AxisCell> cells;
    for (int t = 0; t < Shape::threads; ++t) {
      cells.push_back(axis_cell<Shape, axis>(plan, lower.data(), upper.data(), block, t));
    }
    for (int t = 0; t < Shape::threads; ++t) {
      const AxisCell& c = cells[std::size_t(t)];
      // Edges are made from one cell more on each side, and two ghosts are valid.
      ASSERT_GE(c.at[axis], lower[axis] - 1);
      ASSERT_LE(c.at[axis], upper[axis] - (Shape::source == NeighbourSource::none ? 1 : 0));
      for (int a = 0; a < 3; ++a) {
        if (a == axis) continue;
        ASSERT_GE(c.at[a], lower[a]);
        ASSERT_LT(c.at[a], upper[a]);
      }
      if (!c.updates) continue;
      ++updates[{c.at[0], c.at[1], c.at[2]}];
      if (Shape::source == NeighbourSource::none) continue;
      const int group = t / Shape::group;
      for (const int side : {-1, 1}) {
        const bool alone = !Shape::halo_threads && (side < 0 ? c.at_lower_end : c.at_upper_end);
        if (alone) continue;
        const int other = t + side * Shape::beside;
        ASSERT_GE(other, 0);
        ASSERT_LT(other, Shape::threads);
        ASSERT_EQ(other / Shape::group, group);
        for (int a = 0; a < 3; ++a) {
          ASSERT_EQ(cells[std::size_t(other)].at[a], c.at[a] + (a == axis ? side : 0));
        }
      }
    }
  }
  EXPECT_EQ(long(updates.size()),
            long(upper[0] - lower[0]) * (upper[1] - lower[1]) * (upper[2] - lower[2]));
  for (const auto& [cell, times] : updates) EXPECT_EQ(times, 1);
}

template <int axes, NeighbourSource source, bool halo_threads, bool tuned, int axis>
void check_axis() {
  using Shape =
      AxisShape<AxisTuning<axes, source, halo_threads, tuned>, source, halo_threads, tuned, axis>;
  check<Shape, axis>({0, 0, 0}, {1, 1, 1});
  check<Shape, axis>({0, 0, 0}, {61, 37, 3});
  check<Shape, axis>({4, 2, 1}, {133, 131, 4});
  check<Shape, axis>({0, 0, 0}, {5, 3, 67});
  check<Shape, axis>({0, 0, 0}, {2, 259, 2});
  check<Shape, axis>({0, 0, 0}, {517, 2, 1});
}

template <int axes, NeighbourSource source, bool halo_threads, bool tuned>
void check_axes() {
  check_axis<axes, source, halo_threads, tuned, 0>();
  check_axis<axes, source, halo_threads, tuned, 1>();
  if constexpr (axes == 3) check_axis<axes, source, halo_threads, tuned, 2>();
}

template <int axes>
void check_all() {
  check_axes<axes, NeighbourSource::none, false, false>();
  check_axes<axes, NeighbourSource::none, false, true>();
  check_axes<axes, NeighbourSource::shared, false, true>();
  check_axes<axes, NeighbourSource::shared, true, true>();
  check_axes<axes, NeighbourSource::shuffle, false, true>();
  check_axes<axes, NeighbourSource::shuffle, true, true>();
}

TEST(AxisTuning, UpdatesEveryCellOfAPlaneOnce) { check_all<2>(); }
TEST(AxisTuning, UpdatesEveryCellOfABoxOnce) { check_all<3>(); }

TEST(Strategy, HasTheNameOfItsChoices) {
  EXPECT_EQ(name_of({NeighbourSource::none, false, false}), "base");
  EXPECT_EQ(name_of({NeighbourSource::none, false, true}), "tuned");
  EXPECT_EQ(name_of({NeighbourSource::shared, false, true}), "shared");
  EXPECT_EQ(name_of({NeighbourSource::shuffle, true, true}), "shuffle-halo");
}

}  // namespace
}  // namespace watersmeet::exec
