// Exact sums: the same bits for every cutting of the cells into boxes, ranks and threads and for
// every order of the values; right to the last bit where long double knows the sum; and what is not
// an ordinary number.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "comm/exact_reduction.hpp"
#include "exec/reduce_cpu.hpp"
#include "support/thread_team.hpp"

using namespace watersmeet;

namespace exact_sum_test {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(),
                 not_a_number = std::numeric_limits<double>::quiet_NaN();

struct Plain {
  static constexpr int sums = 1, maxima = 1, extra_index = -1;
  template <class S>
  exec::Sample<typename S::value_type, 1, 1> operator()(const S& s) const {
    const auto v = s(0, 0, 0, 0);
    return {{{v}}, {{v}}};
  }
};

// Cells of a box of n, with padding that spoils what looks at it.
template <class R>
struct Cells {
  int n[3];
  std::vector<R> memory;
  explicit Cells(int nx, int ny, int nz)
      : n{nx, ny, nz},
        memory(static_cast<std::size_t>((nx + 40) * ny * nz + 40),
               std::numeric_limits<R>::quiet_NaN()) {}
  R& at(int cell) {
    return memory[static_cast<std::size_t>(cell / n[0] * (n[0] + 40) + cell % n[0])];
  }
  int count() const { return n[0] * n[1] * n[2]; }
  exec::CellArrays<R> box(const int (&lower)[3], const int (&upper)[3]) const {
    exec::CellArrays<R> a;
    a.in = memory.data();
    a.stride_j = n[0] + 40;
    a.stride_k = a.stride_j * n[1];
    for (int i = 0; i < 3; ++i) {
      a.lower[i] = lower[i];
      a.upper[i] = upper[i];
    }
    return a;
  }
  // Part p of `parts` along each axis.
  std::vector<exec::CellArrays<R>> boxes(const int (&parts)[3]) const {
    std::vector<exec::CellArrays<R>> result;
    for (int p = 0; p < parts[0] * parts[1] * parts[2]; ++p) {
      const int place[3] = {p % parts[0], p / parts[0] % parts[1], p / (parts[0] * parts[1])};
      int lower[3], upper[3];
      for (int a = 0; a < 3; ++a) {
        lower[a] = n[a] * place[a] / parts[a];
        upper[a] = n[a] * (place[a] + 1) / parts[a];
      }
      result.push_back(box(lower, upper));
    }
    return result;
  }
};

struct Result {
  double sum = 0, maximum = 0;
};
bool same_bits(const Result& a, const Result& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

template <class R>
Result reduce(comm::Communicator& world, const std::vector<exec::CellArrays<R>>& boxes,
              std::int64_t cells, int threads) {
  double r[2];
  comm::reduce_exactly(
      world, 1, 1, cells,
      [&](double* largest) {
        for (const auto& b : boxes)
          exec::measure(exec::OnCpu{}, b, Plain{}, largest, Queue{.threads = threads});
      },
      [&](const exec::SumScale* scales, std::int64_t* high_low) {
        for (const auto& b : boxes)
          exec::count(exec::OnCpu{}, b, Plain{}, scales, high_low, Queue{.threads = threads});
      },
      r);
  return {r[0], r[1]};
}
template <class R>
Result reduce(const Cells<R>& cells, const int (&parts)[3] = {1, 1, 1}, int threads = 1) {
  return reduce(*comm::make_self(), cells.boxes(parts), cells.count(), threads);
}
template <class R>
Result reduce_row(const std::vector<R>& values) {
  Cells<R> cells(static_cast<int>(values.size()), 1, 1);
  for (std::size_t c = 0; c < values.size(); ++c) cells.at(static_cast<int>(c)) = values[c];
  return reduce(cells);
}

// Magnitudes over a factor of 2^60, both signs.
template <class R>
void scatter(Cells<R>& cells, std::mt19937& generator) {
  std::uniform_real_distribution<double> mantissa(-1, 1), power(-60, 0);
  for (int c = 0; c < cells.count(); ++c) {
    cells.at(c) = static_cast<R>(mantissa(generator) * std::exp2(power(generator)));
  }
}

}  // namespace

template <class R>
class ExactSum : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(ExactSum, Precisions);

TYPED_TEST(ExactSum, IsTheSameForAnyBoxesThreadsAndRanks) {
  std::mt19937 generator(3);
  Cells<TypeParam> cells(45, 8, 6);
  for (int repeat = 0; repeat < 3; ++repeat) {
    scatter(cells, generator);
    const Result whole = reduce(cells);
    for (const auto& parts : {std::array{2, 1, 1}, {7, 1, 1}, {1, 7, 1}, {3, 2, 5}, {45, 8, 6}}) {
      for (const int threads : {1, 2, 5}) {
        const int p[3] = {parts[0], parts[1], parts[2]};
        EXPECT_TRUE(same_bits(reduce(cells, p, threads), whole)) << p[0] << p[1] << p[2];
      }
    }
    for (const int ranks : {1, 2, 3, 8}) {
      // Six blocks, dealt out in turn: of eight ranks two have none.
      const int p[3] = {3, 2, 1};
      const auto boxes = cells.boxes(p);
      test::ThreadTeam::run(ranks, [&](comm::Communicator& world) {
        std::vector<exec::CellArrays<TypeParam>> mine;
        for (std::size_t b = 0; b < boxes.size(); ++b) {
          if (static_cast<int>(b) % ranks == world.rank()) mine.push_back(boxes[b]);
        }
        EXPECT_TRUE(same_bits(reduce(world, mine, cells.count(), 1), whole)) << ranks;
      });
    }
  }
}

TYPED_TEST(ExactSum, IsTheSameInAnyOrder) {
  std::mt19937 generator(4);
  std::vector<TypeParam> values(1000);
  Cells<TypeParam> cells(1000, 1, 1);
  scatter(cells, generator);
  for (int c = 0; c < 1000; ++c) values[static_cast<std::size_t>(c)] = cells.at(c);
  const Result whole = reduce_row(values);
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::shuffle(values.begin(), values.end(), generator);
    EXPECT_TRUE(same_bits(reduce_row(values), whole));
  }
}

// Numbers of 24 bits between 2^-30 and 1: 64 bits hold any sum of a thousand of them exactly.
TYPED_TEST(ExactSum, IsTheRoundedTrueSum) {
  using R = TypeParam;
  std::mt19937 generator(5);
  std::uniform_int_distribution<std::int64_t> whole(-(1 << 24), 1 << 24);
  std::uniform_int_distribution<int> power(-54, -24);
  for (const int n : {1, 2, 3, 17, 1000}) {
    for (int repeat = 0; repeat < 50; ++repeat) {
      std::vector<R> values;
      std::int64_t sum = 0;  // in units of 2^-54
      double largest = -inf;
      for (int c = 0; c < n; ++c) {
        const std::int64_t w = whole(generator);
        const int p = power(generator);
        values.push_back(static_cast<R>(std::ldexp(static_cast<double>(w), p)));
        sum += w * (std::int64_t{1} << (p + 54)) / 1;
        largest = std::max(largest, static_cast<double>(values.back()));
      }
      const Result r = reduce_row(values);
      EXPECT_EQ(r.sum, std::ldexp(static_cast<double>(sum), -54));
      EXPECT_EQ(r.maximum, largest);
    }
  }
}

// Any doubles: within the promised 2^-80 of the largest for each value, against long double.
TYPED_TEST(ExactSum, OfAnyNumbersIsRightToTheLastBitOrNearly) {
  std::mt19937 generator(6);
  Cells<TypeParam> cells(700, 3, 1);
  for (int repeat = 0; repeat < 20; ++repeat) {
    scatter(cells, generator);
    long double sum = 0, size = 0;
    for (int c = 0; c < cells.count(); ++c) {
      sum += cells.at(c);
      size += std::fabs(static_cast<long double>(cells.at(c)));
    }
    const long double error = std::fabs(static_cast<long double>(reduce(cells).sum) - sum);
    EXPECT_LE(error, std::fabs(sum) * 0x1p-53L + size * 0x1p-60L);
  }
}

TYPED_TEST(ExactSum, OpposedValuesCancelToNothing) {
  using R = TypeParam;
  std::mt19937 generator(7);
  Cells<R> some(500, 1, 1);
  scatter(some, generator);
  std::vector<R> values;
  for (int c = 0; c < 500; ++c) {
    values.push_back(some.at(c));
    values.push_back(-some.at(c));
  }
  std::shuffle(values.begin(), values.end(), generator);
  EXPECT_EQ(reduce_row(values).sum, 0.0);
  // A remainder far below the values survives.
  values.push_back(R(0x1p-62));
  EXPECT_EQ(reduce_row(values).sum, 0x1p-62);
}

TYPED_TEST(ExactSum, UnitsDoNotMatter) {
  using R = TypeParam;
  for (const double unit : {1e-30, 1e30}) {
    const R u = static_cast<R>(unit);
    EXPECT_EQ(reduce_row<R>({u, u, u, -u, u}).sum, 3.0 * double(u));
    EXPECT_EQ(reduce_row<R>({u}).sum, double(u));
  }
  // Powers of two change nothing but the exponent, from the smallest numbers to the largest.
  std::mt19937 generator(8);
  Cells<R> cells(333, 2, 1), scaled = cells;
  scatter(cells, generator);
  const double sum = reduce(cells).sum;
  constexpr int reach = sizeof(R) == 8 ? 900 : 40;
  for (const int power : {-reach, -7, 1, reach}) {
    for (int c = 0; c < cells.count(); ++c) scaled.at(c) = std::ldexp(cells.at(c), power);
    EXPECT_EQ(reduce(scaled).sum, std::ldexp(sum, power)) << power;
  }
}

TYPED_TEST(ExactSum, TheSmallestAndTheLargestNumbers) {
  using R = TypeParam;
  using limits = std::numeric_limits<R>;
  const R tiny = limits::denorm_min(), huge = limits::max();
  EXPECT_EQ(reduce_row<R>({tiny}).sum, double(tiny));
  EXPECT_EQ(reduce_row<R>({tiny, tiny, -tiny, tiny, limits::min()}).sum,
            2.0 * double(tiny) + double(limits::min()));
  EXPECT_EQ(reduce_row<R>({huge}).sum, double(huge));
  EXPECT_EQ(reduce_row<R>({huge, -huge, tiny, huge}).sum, double(huge));
  EXPECT_EQ(reduce_row<R>({huge, huge}).sum, sizeof(R) == 8 ? inf : 2.0 * double(huge));
  EXPECT_EQ(reduce_row<R>({huge, huge, -huge, -huge}).sum, 0.0);
}

TYPED_TEST(ExactSum, WhatIsNotFiniteMakesTheSumNan) {
  using R = TypeParam;
  for (const double bad : {not_a_number, inf, -inf}) {
    for (const int place : {0, 20, 44, 45, 89}) {
      Cells<R> cells(45, 2, 1);
      for (int c = 0; c < 90; ++c) cells.at(c) = R(1);
      cells.at(place) = static_cast<R>(bad);
      const Result r = reduce(cells);
      EXPECT_TRUE(std::isnan(r.sum));
      EXPECT_TRUE(std::isnan(bad) ? std::isnan(r.maximum) : r.maximum == std::max(bad, 1.0));
    }
  }
}

TYPED_TEST(ExactSum, ZerosAndASingleCell) {
  using R = TypeParam;
  EXPECT_EQ(reduce_row<R>({R(0), R(-0.0), R(0)}).sum, 0.0);
  EXPECT_EQ(reduce_row<R>({R(-0.0)}).maximum, 0.0);
  EXPECT_EQ(reduce_row<R>({R(-3)}).sum, -3.0);
  EXPECT_EQ(reduce_row<R>({R(-3)}).maximum, -3.0);
}

// 2^40 and more cells of the largest value fit the integers.
TEST(SumScale, HasRoomForAllCells) {
  for (int log2 = 0; log2 <= 52; ++log2) {
    for (const std::int64_t cells : {(std::int64_t{1} << log2) - 1, std::int64_t{1} << log2}) {
      if (cells == 0) continue;
      for (const double largest : {1.0, 2 - 0x1p-52, 5e-324, 1.7976931348623157e308}) {
        const exec::SumScale s = exec::make_sum_scale(largest, cells);
        EXPECT_GE(s.bits, 10);
        const exec::MagicCount c = exec::count_with_magic(s, largest);
        const auto high = static_cast<std::int64_t>(c.high - exec::round_magic_bits);
        const auto low = static_cast<std::int64_t>(c.low - exec::round_magic_bits);
        EXPECT_LE(static_cast<double>(high) * static_cast<double>(cells), 0x1p62);
        EXPECT_LE(std::fabs(static_cast<double>(low)) * static_cast<double>(cells), 0x1p62);
        const double sum = exec::sum_of(s, high * cells, low * cells);
        const double expected = largest * static_cast<double>(cells);
        EXPECT_TRUE(std::isinf(expected) ? std::isinf(sum)
                                         : std::fabs(sum - expected) <= 0x1p-18 * expected)
            << largest << " " << cells;
      }
    }
  }
}

TEST(SumScale, OrderedBitsAreOrderedLikeValues) {
  const double ordered[] = {-inf,   -1e300, -1.0,  -5e-324, 0.0,
                            5e-324, 1.0,    1e300, inf,     not_a_number};
  for (std::size_t i = 0; i + 1 < std::size(ordered); ++i) {
    EXPECT_LT(exec::ordered_bits(ordered[i]), exec::ordered_bits(ordered[i + 1]));
    EXPECT_EQ(exec::from_ordered_bits(exec::ordered_bits(ordered[i])), ordered[i]);
  }
  EXPECT_LT(0u, exec::ordered_bits(-inf));
  EXPECT_TRUE(std::isnan(exec::from_ordered_bits(exec::ordered_bits(-not_a_number))));
}

}  // namespace exact_sum_test
