// Where a run went wrong: values that are not finite go before values that are only inadmissible,
// the first cell of the whole grid is named, and every number of ranks says the same.
#include "run/failure.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <mutex>

#include "support/thread_team.hpp"

namespace watersmeet::run {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const Index3 cells{7, 5, 6};

struct Planted {
  Index3 cell;
  int variable;
  double value;
};

// A state of two variables, rho = 1 + cell number / 1000 and p = 2, with values planted in it.
void fill(memory::State& state, const Box& mine, const std::vector<Planted>& planted) {
  for (int v = 0; v < 2; ++v) {
    std::vector<double> values;
    for (std::int64_t k = mine.lower[2]; k < mine.upper[2]; ++k) {
      for (std::int64_t j = mine.lower[1]; j < mine.upper[1]; ++j) {
        for (std::int64_t i = mine.lower[0]; i < mine.upper[0]; ++i) {
          double value = v == 0 ? 1 + static_cast<double>((k * 5 + j) * 7 + i) / 1000 : 2;
          for (const Planted& p : planted) {
            if (p.variable == v && p.cell == Index3{i, j, k}) value = p.value;
          }
          values.push_back(value);
        }
      }
    }
    if (state.precision() == Precision::double_) {
      memory::copy_interior_from_host(state, 1, 0, v, values.data(), Queue{});
    } else {
      const std::vector<float> rounded(values.begin(), values.end());
      memory::copy_interior_from_host(state, 1, 0, v, rounded.data(), Queue{});
    }
  }
}

std::string negative(std::span<const double> values) {
  if (values[0] > 0 && values[1] > -3) return "";
  return values[0] <= 0 ? fmt::format("density {:g} not positive", values[0])
                        : fmt::format("pressure {:g} below -3; rho = {:g}", values[1], values[0]);
}

mesh::GridDescription box_of(const Index3& n, const Real3& spacing, double offset) {
  mesh::GridDescription grid;
  grid.cells = mesh::Mesh({{n}}, {}, {{0, 0, 0}, spacing, offset});
  return grid;
}

// The text that all of `ranks` give, each with a slab along `axis`.
std::string text_of(int ranks, std::size_t axis, const std::vector<Planted>& planted,
                    Precision precision = Precision::double_) {
  std::vector<std::string> texts;
  std::mutex mutex;
  test::ThreadTeam::run(ranks, [&](comm::Communicator& world) {
    Box mine{{0, 0, 0}, cells};
    mine.lower[axis] = cells[axis] * world.rank() / ranks;
    mine.upper[axis] = cells[axis] * (world.rank() + 1) / ranks;
    memory::State state({{{mine.size(0), mine.size(1), mine.size(2)}, {3, 3, 3}}}, 2, 2, precision,
                        Queue{});
    fill(state, mine, planted);
    const mesh::GridDescription grid = box_of(cells, {0.5, 0.25, 1}, 0.5);
    const StatePart part{state, 1, {{"rho", "", ""}, {"p", "", ""}}, mine, grid};
    const std::string text = describe_failure(part, 12, 0.75, negative, "nothing", world, Queue{});
    const std::lock_guard lock(mutex);
    texts.push_back(text);
  });
  for (const std::string& text : texts) EXPECT_EQ(text, texts[0]);
  return texts[0];
}

TEST(Failure, NamesTheFirstCellThatIsNotFiniteBeforeAnyOther) {
  const std::vector<Planted> planted = {{{0, 0, 0}, 0, -1.0},  // inadmissible, and the first of all
                                        {{3, 4, 4}, 1, nan},
                                        {{6, 2, 3}, 1, nan},
                                        {{6, 2, 3}, 0, std::numeric_limits<double>::infinity()}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const int ranks : {1, 2, 3, 5}) {
      EXPECT_EQ(text_of(ranks, axis, planted),
                "not a number in rho at step 12, t = 0.75\n  first at cell (6, 2, 3) of 7 x 5 x 6, "
                "x = 3.25, y = 0.625, z = 3.5; value inf");
    }
  }
}

TEST(Failure, NamesTheFirstInadmissibleCellInTheSystemsWords) {
  const std::vector<Planted> planted = {
      {{2, 1, 4}, 0, -0.5}, {{1, 1, 2}, 1, -4.0}, {{5, 1, 2}, 0, -7.0}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const int ranks : {1, 2, 3}) {
      EXPECT_EQ(text_of(ranks, axis, planted),
                "inadmissible values at step 12, t = 0.75: pressure -4 below -3; rho = 1.078\n  "
                "first at cell (1, 1, 2) of 7 x 5 x 6, x = 0.75, y = 0.375, z = 2.5");
    }
  }
}

TEST(Failure, SaysTheSameOfSinglePrecision) {
  EXPECT_EQ(text_of(2, 2, {{{4, 0, 5}, 1, -4.0}}, Precision::single_),
            "inadmissible values at step 12, t = 0.75: pressure -4 below -3; rho = 1.179\n  first "
            "at cell (4, 0, 5) of 7 x 5 x 6, x = 2.25, y = 0.125, z = 5.5");
}

// More planes than are read at a time.
TEST(Failure, IsFoundInTheLastPlaneOfALargeGrid) {
  const Index3 large{512, 1024, 5};
  memory::State state({{large, {0, 0, 0}}}, 1, 1, Precision::single_, Queue{});
  const BlockLayout& l = state.layout(0);
  static_cast<float*>(state.start(0))[l.first + l.at(10, 20, 4)] = -1;
  const mesh::GridDescription grid = box_of(large, {1, 1, 1}, 0.0);
  const StatePart part{state, 0, {{"rho", "", ""}}, {{0, 0, 0}, large}, grid};
  const auto negative_rho = [](std::span<const double> values) {
    return std::string(values[0] < 0 ? "negative" : "");
  };
  EXPECT_EQ(describe_failure(part, 1, 0, negative_rho, "nothing", *comm::make_self(), Queue{}),
            "inadmissible values at step 1, t = 0: negative\n  first at cell (10, 20, 4) of 512 x "
            "1024 x 5, x = 10, y = 20, z = 4");
}

TEST(Failure, OfASoundStateIsWhatTheCallerFound) { EXPECT_EQ(text_of(2, 0, {}), "nothing"); }

}  // namespace
}  // namespace watersmeet::run
