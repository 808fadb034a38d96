// Times of stages on the host.
#include "systems/stage_times.hpp"

#include <gtest/gtest.h>

using namespace watersmeet;

TEST(StageTimes, EndWhereTheNextStepBegins) {
  exec::Clock clock;
  clock.t = 0.1, clock.dt = 0.2, clock.t_end = 0.3;
  ASSERT_NE(clock.t + clock.dt, clock.t_end);
  systems::StageTimes times;
  clock.active = 1;
  times.begin_step(&clock, Queue{});
  EXPECT_EQ(times.at(1), 0.3);
  EXPECT_EQ(times.at(0.5), 0.2);
  // A step that is not carried out.
  clock.active = 0;
  times.begin_step(&clock, Queue{});
  EXPECT_EQ(times.at(1), 0.1);
  EXPECT_EQ(times.at(0.5), 0.1);
}
