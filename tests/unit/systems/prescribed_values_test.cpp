// Expressions at more places than a thread takes at once, and their tables in both precisions.
#include "systems/prescribed_values.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "systems/timed_tables.hpp"

using namespace watersmeet;

TEST(PrescribedValues, EveryPlaceGetsItsOwnValue) {
  systems::Places places;
  for (int n = 0; n < 2500; ++n) places.add({0.01 * n, 1.0 / (n + 1), std::sin(n)});
  const config::Expression expression("x + 2*y - z*t + 0.5*r", systems::place_variables(), {});
  for (const int threads : {1, 2}) {
    std::vector<double> values(places.size(), -1);
    systems::evaluate_at(expression, places, 3, threads, values.data());
    for (int n = 0; n < 2500; ++n) {
      const double x = 0.01 * n, y = 1.0 / (n + 1), z = std::sin(n);
      const double r = std::sqrt(x * x + y * y + z * z);
      EXPECT_NEAR(values[static_cast<std::size_t>(n)], x + 2 * y - 3 * z + 0.5 * r, 1e-13) << n;
    }
  }
}

TEST(PrescribedValues, ATableHoldsWhatWasWrittenLast) {
  for (const bool rewritten : {false, true}) {
    systems::StagedTable table(3, Precision::single_, rewritten, Queue{});
    for (const double scale : {1.0, 0.1}) {
      const std::vector<double> numbers = {scale, 2 * scale, -scale / 3};
      table.fill(numbers, Queue{});
      for (std::size_t n = 0; n < 3; ++n) {
        EXPECT_EQ(static_cast<const float*>(table.start())[n], static_cast<float>(numbers[n]));
      }
    }
  }
}
