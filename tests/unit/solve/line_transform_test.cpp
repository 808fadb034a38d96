// The transforms of lines against sums over the modes they stand for, and there and back.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "core/math.hpp"
#include "solve/poisson/line_fft.hpp"
#include "solve/poisson/line_loops.hpp"
#include "solve/poisson/line_plan.hpp"
#include "support/poisson_case.hpp"

namespace watersmeet::solve {
namespace {

// Mode k at the centre of cell j, as line_transform.hpp lists them; whole turns are taken off
// before the cosine, which would lose figures.
long double mode(int pair, std::int64_t n, std::int64_t k, std::int64_t j) {
  const auto angle = [n](std::int64_t eighths) {  // 2 pi eighths / (8 n)
    return 2 * std::numbers::pi_v<long double> * static_cast<long double>(eighths % (8 * n)) /
           static_cast<long double>(8 * n);
  };
  switch (pair) {
    case 0:  // cosines, then sines from the highest downwards
      return 2 * k <= n ? std::cos(angle(8 * k * j)) : std::sin(angle(8 * (n - k) * j));
    case 1:
      return std::cos(angle(2 * k * (2 * j + 1)));
    case 2:
      return std::sin(angle(2 * (n - k) * (2 * j + 1)));
    case 3:
      return std::cos(angle((2 * k + 1) * (2 * j + 1)));
    default:
      return mode(3, n, k, n - 1 - j);
  }
}

template <class R>
double tolerance(std::int64_t n) {
  // Twenty times the error of one addition, times the growth of random sums.
  return (sizeof(R) == 8 ? 4.5e-15 : 2.4e-6) * std::sqrt(static_cast<double>(n));
}

template <class R>
class Lines : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Lines, Precisions);

TYPED_TEST(Lines, AreTheSumsOverTheirModes) {
  using R = TypeParam;
  std::mt19937_64 bits(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int pair = 0; pair < 5; ++pair) {
    const auto [lower, upper] = test::side_pairs()[static_cast<std::size_t>(pair)];
    // Every radix alone and together, primes, and lengths whose middle mode is its own partner.
    for (const std::int64_t n :
         {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,  13,  15,  16,  24,
          25, 30, 36, 42, 48, 49, 60, 64, 72, 77, 96, 101, 120, 128, 192, 384}) {
      SCOPED_TRACE(std::string(modes_between(lower, upper)) + " " + std::to_string(n));
      const LinePlan<R> plan(n, lower, upper, Queue{});
      const std::int64_t count = 37;  // lines: not a multiple of any pack
      std::vector<R> cells(static_cast<std::size_t>(n * count)), modes(cells.size(), R(9)),
          back(cells.size(), R(9));
      for (R& v : cells) v = static_cast<R>(number(bits));
      std::vector<char> memory(LinesCpu<R>::buffer_bytes(n) + 64);
      void* buffer = memory.data();
      std::size_t space = memory.size();
      std::align(64, LinesCpu<R>::buffer_bytes(n), buffer, space);
      // Lines side by side, and lines one after the other.
      const LineSet beside{count, 1, 1, 0, count}, after{count, 1, n, 0, 1};
      LinesCpu<R>::transform(plan.tables(), LineDirection::forward, cells.data(), beside,
                             modes.data(), after, buffer, 1);
      double error = 0;
      std::vector<long double> wave(static_cast<std::size_t>(n));
      for (std::int64_t k = 0; k < n; ++k) {
        for (std::int64_t j = 0; j < n; ++j)
          wave[static_cast<std::size_t>(j)] = mode(pair, n, k, j);
        for (std::int64_t l = 0; l < count; ++l) {
          long double sum = 0;
          for (std::int64_t j = 0; j < n; ++j)
            sum += static_cast<long double>(cells[static_cast<std::size_t>(j * count + l)]) *
                   wave[static_cast<std::size_t>(j)];
          const auto found = static_cast<long double>(modes[static_cast<std::size_t>(l * n + k)]);
          error = max_or_nan(error, static_cast<double>(std::fabs(found - sum)));
        }
      }
      EXPECT_LT(error, tolerance<R>(n));
      LinesCpu<R>::transform(plan.tables(), LineDirection::backward, modes.data(), after,
                             back.data(), beside, buffer, 1);
      double lost = 0;
      for (std::size_t c = 0; c < cells.size(); ++c)
        lost = max_or_nan(lost, static_cast<double>(std::fabs(back[c] - cells[c])));
      EXPECT_LT(lost, tolerance<R>(n));
    }
  }
}

TEST(LinePlans, Radices) {
  EXPECT_EQ(radices_of(384), (std::vector<int>{8, 8, 6}));
  EXPECT_EQ(radices_of(192), (std::vector<int>{8, 8, 3}));
  EXPECT_EQ(radices_of(100), (std::vector<int>{4, 5, 5}));
  EXPECT_EQ(radices_of(1), std::vector<int>{});
  for (std::int64_t n = 1; n < 3000; ++n) {
    std::int64_t product = 1;
    for (const int r : radices_of(n)) product *= r;
    ASSERT_EQ(product, n);
    std::int64_t largest = 1, rest = n;
    for (std::int64_t p = 2; p <= n; ++p)
      for (; rest % p == 0; rest /= p) largest = p;
    ASSERT_EQ(largest_prime_factor(n), largest);
  }
}

}  // namespace
}  // namespace watersmeet::solve
