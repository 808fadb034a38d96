// The clock of a run: the time-step formula, hitting the limit exactly, and every way a step can be
// refused.
#include "exec/clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace watersmeet;
using exec::begin_step;
using exec::Clock;
using exec::ClockStatus;
using exec::StepRule;

namespace {
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
Clock with_signal(double signal) {
  Clock c;
  c.signal = signal;
  return c;
}
void finish_step(Clock& c, double signal) {
  c.signal_bits = std::max(c.signal_bits, exec::double_to_bits(signal));
}
}  // namespace

TEST(Clock, StepFollowsTheFormulaOfPencilCode) {
  Clock c = with_signal(10.0);
  begin_step(c, {.cfl = 0.4, .rate = 60.0, .fixed = 0}, 1e300, true);
  // 1 / sqrt((10 / 0.4)^2 + 60^2) = 1 / 65
  EXPECT_DOUBLE_EQ(c.dt, 1.0 / 65.0);
  EXPECT_EQ(c.active, 1);
  EXPECT_EQ(c.pending, 1);
  EXPECT_EQ(c.step, 0);
  EXPECT_EQ(c.signal_bits, 0u);
  EXPECT_EQ(c.status, ClockStatus::running);
}

TEST(Clock, NextStepUsesTheReducedSignalAndCountsTheOneBefore) {
  Clock c = with_signal(1.0);
  const StepRule rule{.cfl = 1.0, .rate = 0.0, .fixed = 0};
  begin_step(c, rule, 1e300, true);
  finish_step(c, 3.0);
  finish_step(c, 4.0);
  finish_step(c, 2.0);
  begin_step(c, rule, 1e300, true);
  EXPECT_EQ(c.step, 1);
  EXPECT_EQ(c.t, 1.0);
  EXPECT_EQ(c.signal, 4.0);
  EXPECT_EQ(c.dt, 0.25);
  EXPECT_EQ(c.t_end, 1.25);
}

TEST(Clock, LimitIsHitExactlyAndNothingRunsAfterIt) {
  for (const double limit : {0.7, 1.0, 3.0, 0.1 + 0.2}) {
    Clock c = with_signal(1.0);
    const StepRule rule{.cfl = 0.1, .rate = 0.0, .fixed = 0};
    int steps = 0;
    for (; steps < 100; ++steps) {
      begin_step(c, rule, limit, true);
      if (!c.active) break;
      EXPECT_GT(c.dt, 0.0);
      EXPECT_LE(c.dt, 0.1 * (1 + 1e-8));
      finish_step(c, 1.0);
    }
    EXPECT_EQ(c.t, limit);
    EXPECT_EQ(c.status, ClockStatus::limit_reached);
    // No sliver: 0.7 / 0.1 = 7 steps although 7 times 0.1 is not 0.7 in binary.
    EXPECT_EQ(steps, static_cast<int>(std::lround(limit / 0.1)));
    const Clock before = c;
    begin_step(c, rule, limit, true);
    EXPECT_EQ(c.active, 0);
    EXPECT_EQ(c.step, before.step);
    EXPECT_EQ(c.t, limit);
    begin_step(c, rule, limit + 1, true);  // a later limit continues
    EXPECT_EQ(c.active, 1);
  }
}

TEST(Clock, LastStepIsShortenedToTheRemainder) {
  Clock c = with_signal(1.0);
  begin_step(c, {.cfl = 1.0, .rate = 0.0, .fixed = 0}, 0.375, true);
  EXPECT_EQ(c.dt, 0.375);
  EXPECT_EQ(c.t_end, 0.375);
}

TEST(Clock, FixedStepOverridesTheRule) {
  Clock c = with_signal(1e6);
  begin_step(c, {.cfl = 0.4, .rate = 1e9, .fixed = 0.125}, 1e300, true);
  EXPECT_EQ(c.dt, 0.125);
}

TEST(Clock, AStateThatIsNotFiniteStopsTheRun) {
  for (const double bad : {not_a_number, -not_a_number, inf}) {
    Clock c = with_signal(1.0);
    const StepRule rule{.cfl = 1.0, .rate = 0.0, .fixed = 0.1};  // also with a fixed step
    begin_step(c, rule, 1e300, true);
    finish_step(c, 5.0);
    finish_step(c, bad);
    finish_step(c, 7.0);
    begin_step(c, rule, 1e300, true);
    EXPECT_EQ(c.status, ClockStatus::not_finite);
    EXPECT_EQ(c.active, 0);
    EXPECT_EQ(c.step, 1);
    begin_step(c, rule, 1e300, true);
    EXPECT_EQ(c.status, ClockStatus::not_finite);
    EXPECT_EQ(c.step, 1);
  }
}

TEST(Clock, AStepThatDoesNotMoveTimeIsTooSmall) {
  Clock c = with_signal(1e20);
  c.t = 1.0;
  begin_step(c, {.cfl = 0.4, .rate = 0.0, .fixed = 0}, 2.0, true);
  EXPECT_EQ(c.status, ClockStatus::step_too_small);
  EXPECT_EQ(c.active, 0);
}

TEST(Clock, AStepNotAllowedOnlyClosesTheOneBefore) {
  Clock c = with_signal(1.0);
  const StepRule rule{.cfl = 1.0, .rate = 0.0, .fixed = 0.5};
  begin_step(c, rule, 1e300, true);
  finish_step(c, 2.0);
  for (int repeat = 0; repeat < 2; ++repeat) {
    begin_step(c, rule, 1e300, false);
    EXPECT_EQ(c.step, 1);
    EXPECT_EQ(c.t, 0.5);
    EXPECT_EQ(c.signal, 2.0);
    EXPECT_EQ(c.active, 0);
    EXPECT_EQ(c.pending, 0);
    EXPECT_EQ(c.status, ClockStatus::running);
  }
}

TEST(Clock, AQuietStateWithoutAnySpeedStepsToTheLimit) {
  Clock c = with_signal(0.0);
  begin_step(c, {.cfl = 0.4, .rate = 0.0, .fixed = 0}, 2.5, true);
  EXPECT_EQ(c.active, 1);
  EXPECT_EQ(c.dt, 2.5);
}

TEST(Clock, BitPatternsAreOrderedLikeValuesWithNanAbove) {
  const double ordered[] = {0.0, 5e-324, 1e-300, 1.0, 1.0000001, 1e300, inf, not_a_number};
  for (std::size_t i = 0; i + 1 < std::size(ordered); ++i) {
    EXPECT_LT(exec::double_to_bits(ordered[i]), exec::double_to_bits(ordered[i + 1]));
  }
  EXPECT_EQ(exec::double_to_bits(-0.0), 0u);
  EXPECT_GT(exec::double_to_bits(-not_a_number), exec::double_to_bits(inf));
  EXPECT_EQ(exec::bits_to_double(exec::double_to_bits(0.1)), 0.1);
}
