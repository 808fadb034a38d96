// Packs against scalars: every lane of a pack operation must hold the bits that the scalar function
// gives, so that a cell's value does not depend on its place in a pack.
#include "core/pack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <random>
#include <vector>

using namespace watersmeet;

namespace {
template <class R>
bool same_bits(R a, R b) {
  return std::memcmp(&a, &b, sizeof(R)) == 0;
}
template <class R>
bool same_value(R a, R b) {  // NaN payloads are not promised
  return (a != a && b != b) || same_bits(a, b);
}

template <class R>
std::vector<R> awkward_values() {
  using L = std::numeric_limits<R>;
  std::vector<R> values = {R(0),
                           R(-0.0),
                           R(1),
                           R(-1),
                           L::min(),
                           -L::min(),
                           L::max(),
                           L::lowest(),
                           L::infinity(),
                           -L::infinity(),
                           L::quiet_NaN(),
                           L::epsilon(),
                           L::denorm_min(),
                           R(0.1),
                           R(-2.5)};
  std::mt19937 generator(7);
  std::uniform_real_distribution<R> uniform(-10, 10);
  for (int i = 0; i < 33; ++i) values.push_back(uniform(generator));
  return values;
}

// Visits f(pack a, pack b, lanes of a, lanes of b) for all pairs of values.
template <class R, class Visit>
void for_all_pairs(Visit visit) {
  using T = Pack<R>;
  const std::vector<R> values = awkward_values<R>();
  const std::size_t n = values.size();
  for (std::size_t shift = 0; shift < n; ++shift) {
    for (std::size_t first = 0; first < n; first += T::size()) {
      R a[T::size()], b[T::size()];
      for (std::size_t l = 0; l < T::size(); ++l) {
        a[l] = values[(first + l) % n];
        b[l] = values[(first + l + shift) % n];
      }
      visit(load_as<T>(a), load_as<T>(b), a, b);
    }
  }
}
}  // namespace

template <class R>
class Packs : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Packs, Precisions);

TYPED_TEST(Packs, OperationsAgreeWithScalarsLaneByLane) {
  using R = TypeParam;
  using T = Pack<R>;
  for_all_pairs<R>([](const T& a, const T& b, const R* x, const R* y) {
    const T chosen = select(a < b, a, b), smaller = min_(a, b), larger = max_(a, b);
    const T magnitude = abs_(a), root = sqrt_(a), health = max_or_nan(a, b);
    const T sum = a + b, product = a * b;
    for (std::size_t l = 0; l < T::size(); ++l) {
      const R p = x[l], q = y[l];
      EXPECT_TRUE(same_value(R(chosen[l]), select(p < q, p, q))) << p << " " << q;
      EXPECT_TRUE(same_value(R(smaller[l]), min_(p, q)))
          << "min " << p << " " << q << " " << smaller[l];
      EXPECT_TRUE(same_value(R(larger[l]), max_(p, q)))
          << "max " << p << " " << q << " " << larger[l];
      EXPECT_TRUE(same_value(R(magnitude[l]), abs_(p))) << p;
      EXPECT_TRUE(same_value(R(root[l]), sqrt_(p))) << p;
      EXPECT_TRUE(same_value(R(health[l]), max_or_nan(p, q))) << "max_or_nan " << p << " " << q;
      EXPECT_TRUE(same_value(R(sum[l]), p + q)) << p << " " << q;
      EXPECT_TRUE(same_value(R(product[l]), p * q)) << p << " " << q;
    }
  });
}

TYPED_TEST(Packs, ExponentialIsThatOfScalars) {
  using R = TypeParam;
  using T = Pack<R>;
  R x[T::size()];
  for (std::size_t l = 0; l < T::size(); ++l) x[l] = R(-3) + R(0.71) * R(l);
  const T e = exp_(load_as<T>(x));
  for (std::size_t l = 0; l < T::size(); ++l) {
    EXPECT_NEAR(R(e[l]) / std::exp(x[l]), R(1), 4 * std::numeric_limits<R>::epsilon());
  }
}

TYPED_TEST(Packs, LogarithmAndPowerAreThoseOfScalars) {
  using R = TypeParam;
  using T = Pack<R>;
  R x[T::size()];
  for (std::size_t l = 0; l < T::size(); ++l) x[l] = R(0.1) + R(0.45) * R(l);
  const T logarithm = log_(load_as<T>(x)), power = pow_(load_as<T>(x), R(3.5));
  const R epsilon = std::numeric_limits<R>::epsilon();
  for (std::size_t l = 0; l < T::size(); ++l) {
    EXPECT_NEAR(R(logarithm[l]), std::log(x[l]), 4 * epsilon * (1 + std::abs(std::log(x[l]))));
    // The exponent of at most 3.5 ln 0.1 = 8.1 is rounded first.
    EXPECT_NEAR(R(power[l]) / std::pow(x[l], R(3.5)), R(1), 24 * epsilon);
  }
  EXPECT_EQ(R(pow_(T(R(1)), R(3.5))[0]), R(1));
}

TYPED_TEST(Packs, LoadsAreUnalignedAndStoresTouchOnlyTheirLanes) {
  using R = TypeParam;
  using T = Pack<R>;
  constexpr std::int64_t width = static_cast<std::int64_t>(T::size());
  std::vector<R> source(static_cast<std::size_t>(3 * width));
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = R(i) + R(0.5);
  for (std::int64_t start = 0; start < width; ++start) {
    const T pack = load_as<T>(source.data() + start);
    for (std::int64_t l = 0; l < width; ++l) {
      EXPECT_EQ(R(pack[static_cast<std::size_t>(l)]), R(start + l) + R(0.5));
    }
    for (std::int64_t lanes = 0; lanes <= 2 * width;
         ++lanes) {  // more lanes than a pack has: all of them
      std::vector<R> target(source.size(), R(-1));
      store_pack(target.data() + start, pack, lanes);
      for (std::int64_t i = 0; i < 3 * width; ++i) {
        const bool stored = i >= start && i < start + std::min(lanes, width);
        EXPECT_EQ(target[static_cast<std::size_t>(i)],
                  stored ? source[static_cast<std::size_t>(i)] : R(-1));
      }
    }
  }
}

TYPED_TEST(Packs, MasksStoreTheirLanesAlone) {
  using R = TypeParam;
  using T = Pack<R>;
  const T lane = Lanes<T>::number();
  EXPECT_TRUE(all_of(lane >= R(0)));
  EXPECT_TRUE(all_of(!(lane < R(0))));
  EXPECT_FALSE(all_of(lane > R(0)));
  const auto outer = lane < R(1) || lane > R(2);
  R stored[T::size()];
  std::fill(std::begin(stored), std::end(stored), R(-1));
  store_where(outer && lane != R(0), stored, -lane);
  for (std::size_t l = 0; l < T::size(); ++l) {
    EXPECT_EQ(outer[l], l < 1 || l > 2);
    EXPECT_EQ(stored[l], l > 2 ? -R(l) : R(-1));
  }
}

TYPED_TEST(Packs, ConstantsKeepTheirSign) {
  using R = TypeParam;
  using T = Pack<R>;
  const T zero = R(-0.0);
  for (std::size_t l = 0; l < T::size(); ++l) EXPECT_TRUE(same_bits(R(zero[l]), R(-0.0)));
}

TYPED_TEST(Packs, LanesAreClearedAndSummed) {
  using R = TypeParam;
  using T = Pack<R>;
  T number = Lanes<T>::number() + R(1);
  const int n = Lanes<T>::count;
  EXPECT_EQ(Lanes<T>::sum(number), R(n * (n + 1) / 2));
  Lanes<T>::clear_from(number, 1);
  EXPECT_EQ(Lanes<T>::sum(number), R(1));
}

TYPED_TEST(Packs, ARowFillsAnIntegerNumberOfPacksInALine) {
  using R = TypeParam;
  EXPECT_EQ(128 % (sizeof(R) * Pack<R>::size()), 0u);
  static_assert(std::is_same_v<RealOf<Pack<R>>, R>);
}
