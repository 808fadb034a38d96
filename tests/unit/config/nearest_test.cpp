#include "config/nearest.hpp"

#include <gtest/gtest.h>

using namespace watersmeet::config;

TEST(Nearest, DistancesOfTheLiterature) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);  // Levenshtein's textbook pair
  EXPECT_EQ(edit_distance("ca", "abc"), 2u);          // a swap with a letter put between: not 3
  EXPECT_EQ(edit_distance("lenght", "length"), 1u);   // one swap
  EXPECT_EQ(edit_distance("a cat", "an act"), 2u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("same", "same"), 0u);
}

TEST(Nearest, DistanceIsAMetric) {
  const std::vector<std::string> words = {"",    "a",     "ab",    "ba",   "abc",
                                          "acb", "cells", "cesll", "lower"};
  for (const auto& a : words) {
    for (const auto& b : words) {
      EXPECT_EQ(edit_distance(a, b), edit_distance(b, a));
      EXPECT_EQ(edit_distance(a, b) == 0, a == b);
      for (const auto& c : words) {
        EXPECT_LE(edit_distance(a, c), edit_distance(a, b) + edit_distance(b, c));
      }
    }
  }
}

TEST(Nearest, LimitIsAThirdOfTheWord) {
  EXPECT_EQ(nearest("cel", {"cfl"}), "cfl");                     // 1 <= max(1, 3/3)
  EXPECT_EQ(nearest("cexl", {"cfl"}), std::nullopt);             // 2 > 1
  EXPECT_EQ(nearest("viscxxity", {"viscosity"}), "viscosity");   // 2 <= 3
  EXPECT_EQ(nearest("vixxxxity", {"viscosity"}), std::nullopt);  // 4 > 3
  EXPECT_EQ(nearest("x", {"y", "z"}), std::nullopt);             // nothing in common
  EXPECT_EQ(nearest("cfl", {}), std::nullopt);
}

TEST(Nearest, AnotherNumberIsNoSlip) {
  const std::vector<std::string> schemes = {"rk3-williamson", "rk3-cubism", "rk2"};
  EXPECT_EQ(nearest("rk4", schemes), std::nullopt);
  EXPECT_EQ(nearest("rk22", schemes), "rk2");
  EXPECT_EQ(nearest("quarter-33", {"quarter-32"}), "quarter-32");  // a slip in a long word
  EXPECT_EQ(nearest("rk3-wiliamson", schemes), "rk3-williamson");
}

TEST(Nearest, TheFirstWordOfOneNameStandsForIt) {
  EXPECT_EQ(nearest("rk4", {"rk2", "rk4-carpenter-kennedy"}), "rk4-carpenter-kennedy");
  EXPECT_EQ(nearest("rk3", {"rk3-williamson", "rk3-cubism"}), std::nullopt);  // which of them
  EXPECT_EQ(nearest("rk", {"rk4-carpenter-kennedy"}), std::nullopt);          // no whole word
}

TEST(Nearest, TiesGoToTheLongerCommonPrefix) {
  EXPECT_EQ(nearest("endx", {"bendx", "ends"}), "ends");
  EXPECT_EQ(nearest("CFL", {"cells", "cfl"}), "cfl");
}
