// Parameters rounded member by member: every member arrives, whatever its kind.
#include "core/rounded.hpp"

#include <gtest/gtest.h>

#include "core/table_address.hpp"

namespace watersmeet::rounded_test {

namespace {
enum class Kind { first, second };

template <class R>
struct Inner {
  R value = 1;
  bool flag = false;
};
template <class R>
struct Parameters {
  R number = 0;
  Vec<R, 3> vector{};
  Kind kind = Kind::first;
  Inner<R> inner;
  Vec<Inner<R>, 2> many{};
  long whole = 3;
  TableAddress<R> table;
  ArrayAddress<R> array;
  const long* pointer = nullptr;
};
template <class R>
struct None {};
}  // namespace

TEST(Rounded, EveryMemberArrives) {
  static_assert(detail::members_of<Parameters<double>>() == 9);
  static_assert(detail::members_of<None<double>>() == 0);
  const long seven = 7;
  const float table[2] = {1, 2};
  float array[2] = {3, 4};
  const Parameters<double> given{
      1.1,      {{1.2, 2.3, 3.4}}, Kind::second, {0.1, true}, {{{0.2, true}, {0.3, false}}},
      1L << 40, {table},           {array},      &seven};
  const auto rounded = rounded_to<Parameters<float>>(given);
  EXPECT_EQ(rounded.number, 1.1f);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(rounded.vector[i], static_cast<float>(given.vector[i]));
  EXPECT_EQ(rounded.kind, Kind::second);
  EXPECT_EQ(rounded.inner.value, 0.1f);
  EXPECT_TRUE(rounded.inner.flag);
  EXPECT_EQ(rounded.many[1].value, 0.3f);
  EXPECT_TRUE(rounded.many[0].flag);
  EXPECT_EQ(rounded.whole, 1L << 40);
  EXPECT_EQ(rounded.table[1], 2.0f);
  rounded.array[1] = 5;
  EXPECT_EQ(array[1], 5.0f);
  const TableAddress<float> read = rounded.array;
  EXPECT_EQ(read[0], 3.0f);
  EXPECT_EQ(rounded.pointer, &seven);
}

TEST(Rounded, TheSamePrecisionChangesNothing) {
  const Parameters<double> given{
      1.1, {{1.2, 2.3, 3.4}}, Kind::second, {0.1, true}, {}, 5, {}, {}, nullptr};
  const auto same = rounded_to<Parameters<double>>(given);
  EXPECT_EQ(same.number, given.number);
  EXPECT_EQ(same.vector[2], given.vector[2]);
  EXPECT_EQ(same.inner.value, given.inner.value);
}

}  // namespace watersmeet::rounded_test
