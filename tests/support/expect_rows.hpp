#pragma once
// Runs a group of `watersmeet verify` at the extent of the test suite, or another, and expects every
// row to pass, so that the numbers have one source.

#include <gtest/gtest.h>

#include <string>

#include "verify/verification.hpp"

namespace watersmeet::verify {

inline SimulationOptions on_one_thread(const std::string& precision = "double",
                                       const std::string& device = "cpu") {
  SimulationOptions options;
  options.device = device;
  options.precision = precision;
  options.threads = 1;  // the grids are small, and tests run side by side
  return options;
}

inline void expect_rows(void (*group)(Verification&), const std::string& precision = "double",
                        const std::string& device = "cpu", Extent extent = Extent::brief) {
  Verification verification(on_one_thread(precision, device), extent);
  group(verification);
  int judged = 0;
  for (const VerifyRow& row : verification.rows()) {
    if (row.outcome == Outcome::reported) continue;
    ++judged;
    EXPECT_EQ(row.outcome, Outcome::pass)
        << row.name << " is " << row.measured << ", expected " << row.expected;
  }
  EXPECT_GT(judged, 0);
}

}  // namespace watersmeet::verify

// Two tests of a group: `name` in double precision, and `name`InSinglePrecision.
#define TEST_ROWS(suite, name, group)                                                          \
  TEST(suite, name) { ::watersmeet::verify::expect_rows(group); }                              \
  TEST(suite, name##InSinglePrecision) { ::watersmeet::verify::expect_rows(group, "single"); } \
  static_assert(true)
