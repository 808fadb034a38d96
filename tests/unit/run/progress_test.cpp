// The progress line fits the terminal, whatever is left.
#include "run/progress.hpp"

#include <gtest/gtest.h>

namespace watersmeet::run {
namespace {

TEST(Progress, TheTimeLeftIsNotCutOff) {
  const Progress progress({}, 4096, 25.0, 1e6, 1000000000, 79);
  exec::Clock clock;
  clock.step = 1990;
  clock.t = 496.073;
  clock.dt = 0.2521;
  for (const std::string left :
       {"  00:05", "14:10:42 (job ends first)", "1414:10:42 (job ends first)"}) {
    const std::string line = progress.line(clock, 1.0, 100, left);
    EXPECT_LE(line.size(), 79u) << line;
    EXPECT_EQ(line.substr(line.size() - left.size()), left);
    EXPECT_NE(line.find(" 1990  "), std::string::npos) << line;
  }
}

TEST(Progress, ClockTimesHaveHoursOnlyWhenThereAreAny) {
  EXPECT_EQ(clock_text(22.4), "00:22");
  EXPECT_EQ(clock_text(3599.6), "1:00:00");
  EXPECT_EQ(clock_text(3 * 3600 + 4 * 60 + 10), "3:04:10");
  EXPECT_EQ(clock_text(-1), "--:--");
}

}  // namespace
}  // namespace watersmeet::run
