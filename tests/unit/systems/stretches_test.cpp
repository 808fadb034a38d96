// What a look at a case takes of an axis: all of a short one, with an index in common from stretch to
// stretch, and a bounded part of a long one, both ends included.
#include <gtest/gtest.h>

#include "systems/tabulate.hpp"

using watersmeet::systems::stretches;

TEST(Stretches, ReachAllOfAShortAxisAndOverlap) {
  for (const std::int64_t n : {1, 2, 7, 8, 9, 15, 16, 22, 23, 29}) {
    const auto all = stretches(n, 8, 4);
    EXPECT_EQ(all.front().begin, 0);
    EXPECT_EQ(all.back().end, n);
    for (const auto& stretch : all) EXPECT_LE(stretch.end - stretch.begin, 8) << n;
    for (std::size_t s = 1; s < all.size(); ++s) EXPECT_LT(all[s].begin, all[s - 1].end) << n;
  }
}

TEST(Stretches, AreBoundedOnALongAxisAndHoldItsEnds) {
  const auto all = stretches(10'000'000, 256, 8);
  ASSERT_EQ(all.size(), 8u);
  EXPECT_EQ(all.front().begin, 0);
  EXPECT_EQ(all.back().end, 10'000'000);
  for (const auto& stretch : all) EXPECT_EQ(stretch.end - stretch.begin, 256);
}
