// Rows of a benchmark that are measured in turn: which they are, the order of their samples, and
// what their ratio says on a machine whose speed changes. Times here are made up; nothing is timed.
#include <gtest/gtest.h>

#include "bench/in_turn.hpp"
#include "core/error.hpp"

namespace watersmeet::bench {
namespace {

systems::Bench sample_bench() {
  systems::Bench bench;
  bench.grids = {{8, 8, 8}, {16, 16, 16}};
  for (const char* precision : {"double", "single"}) {
    for (const char* order : {"1", "3"}) {
      for (const char* grids : {"1", "2V"}) {
        bench.variants.push_back({precision, {{"order", order}, {"grids", grids}}});
      }
    }
  }
  bench.in_turn = {"grids", "steps_per_cycle"};
  return bench;
}

TEST(RowsInTurn, DifferInTheirLabelAlone) {
  const systems::Bench bench = sample_bench();
  const auto groups = rows_in_turn(bench, rows_of(bench, {}));
  ASSERT_EQ(groups.size(), 8u);  // 2 grids, 2 precisions, 2 orders
  for (const std::vector<BenchRow>& group : groups) {
    ASSERT_EQ(group.size(), 2u);
    EXPECT_EQ(group[0].cells, group[1].cells);
    EXPECT_EQ(group[0].variant.precision, group[1].variant.precision);
    EXPECT_EQ(group[0].variant.label("order"), group[1].variant.label("order"));
    EXPECT_EQ(group[0].variant.label("grids"), "1");
    EXPECT_EQ(group[1].variant.label("grids"), "2V");
  }
}

TEST(RowsInTurn, AreAloneWhereTheOthersWereNotAskedFor) {
  systems::Bench bench = sample_bench();
  BenchOptions options;
  options.only = "2V";
  auto groups = rows_in_turn(bench, rows_of(bench, options));
  ASSERT_EQ(groups.size(), 8u);
  for (const std::vector<BenchRow>& group : groups) EXPECT_EQ(group.size(), 1u);
  // Twice the same row is not two rows in turn; and most systems have none at all.
  const std::vector<BenchRow> rows = rows_of(bench, options);
  EXPECT_EQ(rows_in_turn(bench, {rows[0], rows[0]}).size(), 2u);
  bench.in_turn = {};
  groups = rows_in_turn(bench, rows_of(bench, {}));
  EXPECT_EQ(groups.size(), 16u);
}

TEST(SamplesInTurn, GoBackAndForth) {
  std::string order;
  double next = 0;
  const auto take = [&](char name) {
    return [&order, &next, name] {
      order += name;
      return next++;
    };
  };
  const auto samples = samples_in_turn({take('A'), take('B'), take('C')}, 3);
  EXPECT_EQ(order, "ABCCBAABC");
  EXPECT_EQ(samples, (std::vector<std::vector<double>>{{0, 5, 6}, {1, 4, 7}, {2, 3, 8}}));
}

TEST(PairedRatio, IsTheMedianOfQuotientsAndTheirSpread) {
  const double base[] = {1, 2, 4, 1, 1}, samples[] = {2, 6, 10, 9, 1};  // 2, 3, 2.5, 9, 1
  const PairedRatio ratio = paired_ratio(samples, base);
  EXPECT_DOUBLE_EQ(ratio.median, 2.5);
  EXPECT_DOUBLE_EQ(ratio.spread, 8 / 2.5);
  EXPECT_THROW(paired_ratio({samples, 3}, base), Error);
  EXPECT_THROW(paired_ratio({}, {}), Error);
}

// A machine that becomes slower all the while, and one that a neighbour halves for some rounds: the
// quotient of the medians would be wrong by as much as the machine changed between two rows.
TEST(PairedRatio, HardlyNoticesAMachineThatChanges) {
  constexpr double truth = 2.7;
  double now = 0;
  const auto on = [&now](double work, const std::function<double(double)>& slowness) {
    return [&now, work, slowness] {
      const double begin = now;
      now += work * slowness(begin);
      return now - begin;
    };
  };
  const auto drifting = [](double t) { return 1 + 0.01 * t; };
  auto samples = samples_in_turn({on(1, drifting), on(truth, drifting)}, 5);
  PairedRatio ratio = paired_ratio(samples[1], samples[0]);
  EXPECT_NEAR(ratio.median / truth, 1, 0.03);
  EXPECT_GT(samples[0].back() / samples[0].front(), 1.1);  // it did drift

  now = 0;
  const auto disturbed = [](double t) { return t > 7 ? 2.0 : 1.0; };
  samples = samples_in_turn({on(1, disturbed), on(truth, disturbed)}, 5);
  ratio = paired_ratio(samples[1], samples[0]);
  EXPECT_NEAR(ratio.median, truth, 1e-12);
  EXPECT_DOUBLE_EQ(samples[0].back(), 2);
}

}  // namespace
}  // namespace watersmeet::bench
