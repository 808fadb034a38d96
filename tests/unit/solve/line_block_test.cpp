// The share of a thread block of the GPU's transforms, run thread after thread, against the loops
// of the CPU: every kind of modes, odd sizes, incomplete groups, aligned and unaligned arrays.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/math.hpp"
#include "solve/poisson/line_block.hpp"
#include "solve/poisson/line_plan.hpp"
#include "support/poisson_case.hpp"

namespace watersmeet::solve {
namespace {

struct LoopTeam {
  int pairs;
  template <class Body>
  void each(int count, const Body& body) const {
    for (int i = count; i-- > 0;)
      for (int l = 0; l < pairs; ++l) body(i, l);
  }
  template <class Body>
  void flat(int count, const Body& body) const {
    for (int c = count; c-- > 0;) body(c);
  }
  template <class R>
  void copy(R* to, const R* from, int valid) const {
    constexpr int wide = 16 / int(sizeof(R));
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(to) % 16, 0u);
    ASSERT_TRUE(valid == 0 || reinterpret_cast<std::uintptr_t>(from) % 16 == 0);
    for (int e = 0; e < wide; ++e) to[e] = e < valid ? from[e] : R(0);
  }
  template <class R>
  void copy_one(R* to, const R* from, bool valid) const {
    *to = valid ? *from : R(0);
  }
  void arrive() const {}
  void wait() const {}
};

template <class R>
class LineBlocks : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(LineBlocks, Precisions);

template <class R, bool side_by_side>
void compare(std::int64_t n, int pair, bool wide) {
  const auto [lower, upper] = test::side_pairs()[static_cast<std::size_t>(pair)];
  SCOPED_TRACE(std::string(modes_between(lower, upper)) + " " + std::to_string(n) +
               (side_by_side ? " side by side" : " along rows") + (wide ? " wide" : ""));
  const LinePlan<R> plan(n, lower, upper, Queue{});
  const std::int64_t inner = 21, outer = 2;
  // Rows of the array, with something behind them that nobody may read into a line.
  const std::int64_t length = side_by_side ? inner : n, rows = side_by_side ? n : inner;
  const std::int64_t pitch = (length + 3) / 4 * 4 + (wide ? 4 : 1);
  const LineSet lines = side_by_side ? LineSet{inner, outer, 1, pitch * rows, pitch}
                                     : LineSet{inner, outer, pitch, pitch * rows, 1};
  const auto size = static_cast<std::size_t>(pitch * rows * outer);
  const auto aligned = [](std::vector<R>& v, std::size_t count) {
    v.assign(count + 16, R(1e30));
    void* p = v.data();
    std::size_t space = v.size() * sizeof(R);
    return static_cast<R*>(std::align(64, count * sizeof(R), p, space));
  };
  std::vector<R> memory[4];
  R* const from = aligned(memory[0], size);
  R* const expected = aligned(memory[1], size);
  R* const found = aligned(memory[2], size);
  std::mt19937_64 bits(static_cast<std::uint64_t>(n));
  std::uniform_real_distribution<double> number(-1, 1);
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < length; ++c)
        from[(o * rows + r) * pitch + c] = static_cast<R>(number(bits));
  std::vector<char> room(LinesCpu<R>::buffer_bytes(n) + 64);
  void* buffer = room.data();
  std::size_t space = room.size();
  std::align(64, LinesCpu<R>::buffer_bytes(n), buffer, space);

  LineArguments<R> a;
  a.t = plan.tables();
  a.shape = make_line_shape(n, side_by_side, sizeof(R), 227 * 1024);
  a.from = from;
  a.to = found;
  a.in = a.out = lines;
  const std::int64_t group = std::int64_t{2} << a.shape.log2_pairs;
  a.groups = (inner + group - 1) / group;
  a.wide = a.wide_pairs = wide;
  R* const fast = aligned(memory[3], a.shape.shared_bytes / sizeof(R));
  for (const LineDirection direction : {LineDirection::forward, LineDirection::backward}) {
    LinesCpu<R>::transform(a.t, direction, from, lines, expected, lines, buffer, 1);
    std::fill_n(found, size, R(1e30));
    for (std::int64_t b = 0; b < a.groups * outer; ++b) {
      const LoopTeam team{1 << a.shape.log2_pairs};
      const ArraySource<R, side_by_side, LoopTeam> source{a, team};
      const LineBlock<R, side_by_side, LoopTeam> block(a, fast, b, team);
      if (direction == LineDirection::forward) {
        block.forward(source);
      } else {
        block.backward(source);
      }
    }
    double error = 0;
    bool beyond = false;
    for (std::size_t c = 0; c < size; ++c) {
      if (static_cast<std::int64_t>(c) % pitch < length) {
        error = max_or_nan(error, static_cast<double>(std::fabs(found[c] - expected[c])));
      } else {
        beyond = beyond || found[c] != R(1e30);
      }
    }
    // The same operations in the same order, except for what the compiler fuses.
    EXPECT_LT(error, (sizeof(R) == 8 ? 4e-15 : 2e-6) * std::sqrt(static_cast<double>(n)));
    EXPECT_FALSE(beyond);
  }
}

TYPED_TEST(LineBlocks, DoWhatTheLoopsDo) {
  using R = TypeParam;
  for (int pair = 0; pair < 5; ++pair) {
    for (const std::int64_t n : {1, 2, 3, 5, 8, 12, 13, 22, 30, 49, 64, 100, 192, 384, 1024}) {
      compare<R, true>(n, pair, true);
      compare<R, true>(n, pair, false);
      compare<R, false>(n, pair, true);
      compare<R, false>(n, pair, false);
    }
  }
}

TEST(LineShapes, FitThreadBlocks) {
  for (const bool side_by_side : {false, true}) {
    for (const std::size_t bytes : {4u, 8u}) {
      for (std::int64_t n = 1; n < 5000; ++n) {
        const LineShape s = make_line_shape(n, side_by_side, bytes, 227 * 1024);
        const std::int64_t pairs = std::int64_t{1} << s.log2_pairs;
        ASSERT_LE(s.threads, 256);
        ASSERT_EQ(s.threads % 32, 0);
        ASSERT_LE(pairs * s.threads_of_pair, s.threads);
        ASSERT_GE(s.pitch, n + (n - 1) / 8);
        ASSERT_GE(s.pitch, s.row);
        ASSERT_EQ(s.row * static_cast<std::int64_t>(bytes) % 16, 0);
        ASSERT_EQ(s.pitch % 2, 0);
        // Magic quotients are exact.
        const std::int64_t copies = s.row * static_cast<std::int64_t>(bytes) / 16;
        ASSERT_LT(2 * pairs * copies * copies, std::int64_t{1} << 32);
      }
    }
  }
}

}  // namespace
}  // namespace watersmeet::solve
