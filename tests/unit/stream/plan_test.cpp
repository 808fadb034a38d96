// Plans of streamed grids: every plane in one segment, segments long enough for their stages, and the user's own numbers or a reason.
#include "stream/plan.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

using namespace watersmeet;
using namespace watersmeet::stream;

namespace {
Demand demand_of(std::int64_t planes, bool periodic) {
  Demand d;
  d.planes = planes;
  d.periodic = periodic;
  d.plane_bytes = 1 << 20;
  return d;
}
}  // namespace

TEST(StreamPlan, CutsAllPlanesIntoSegmentsThatHoldTheirStages) {
  for (const bool periodic : {false, true}) {
    for (const std::int64_t planes : {40, 61, 97, 512, 1031}) {
      for (const int fused : {1, 2, 3, 4}) {
        Demand d = demand_of(planes, periodic);
        d.fused_steps = fused;
        try {
          const Plan plan = make_plan(d, 1e12);
          EXPECT_EQ(plan.first.front(), 0);
          EXPECT_EQ(plan.first.back(), planes);
          EXPECT_EQ(plan.fused_steps, fused);
          EXPECT_EQ(plan.demand.planes, planes);
          for (int s = 0; s < plan.segments(); ++s) {
            const std::int64_t length = plan.first[std::size_t(s) + 1] - plan.first[std::size_t(s)];
            EXPECT_GE(length, d.reach);
            EXPECT_LE(2 * (lag(fused, d) + d.reach) + 4 * length, plan.window);
          }
          EXPECT_GE(plan.first[1], periodic ? d.reach : lag(fused, d) + d.reach);
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::user_input);
          EXPECT_LT(planes, lag(fused, d) + (periodic ? 0 : 2 * d.reach)) << error.what();
        }
      }
    }
  }
}

TEST(StreamPlan, TakesMoreSegmentsWhereTheWindowIsTooLarge) {
  const Demand d = demand_of(1024, false);
  const Plan roomy = make_plan(d, 1e12),
             tight = make_plan(d, 0.5 * static_cast<double>(roomy.window_bytes));
  EXPECT_GT(tight.segments(), roomy.segments());
  EXPECT_LE(static_cast<double>(tight.window_bytes), 0.5 * static_cast<double>(roomy.window_bytes));
  try {
    make_plan(d, 1e6);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::resource);
  }
}

// Stage m of the first segment ends 3 m planes before its end, of the last one 3 m behind it where the axis is periodic, else it begins as many
// before it. With 8 steps of 3 stages that are 37.5 planes on the mean, 75 where both ends move.
TEST(StreamPlan, GivesEachSegmentTheSamePlanesToCompute) {
  for (const bool periodic : {false, true}) {
    Demand d = demand_of(1024, periodic);
    d.segments = 8;
    const Plan plan = make_plan(d, 1e12);
    ASSERT_EQ(plan.fused_steps, 8);
    for (int s = 0; s < 8; ++s) {
      double computed = 0;
      for (int m = 1; m <= 24; ++m) {
        const bool first = s == 0, last = s == 7;
        computed +=
            static_cast<double>(plan.first[std::size_t(s) + 1] - plan.first[std::size_t(s)]);
        computed -= first ? (periodic ? 6 : 3) * m : 0;
        computed += last ? (periodic ? 6 : 3) * m : 0;
      }
      EXPECT_NEAR(computed / 24, 128, 1) << s;
    }
  }
}

TEST(StreamPlan, FusesAsManyStepsAsTheGridAllows) {
  EXPECT_EQ(make_plan(demand_of(512, true), 1e12).fused_steps, 8);
  EXPECT_EQ(make_plan(demand_of(100, true), 1e12).fused_steps, 8);
  EXPECT_EQ(make_plan(demand_of(24, true), 1e12).fused_steps, 2);   // which reach over 18 planes
  EXPECT_EQ(make_plan(demand_of(70, false), 1e12).fused_steps, 7);  // 63 and twice 3
  Demand four = demand_of(512, true);
  four.usual_fused_steps = 4;
  EXPECT_EQ(make_plan(four, 1e12).fused_steps, 4);
  // A window of at most 160 planes of 3 registers holds no more than two steps with segments of 16 planes.
  EXPECT_EQ(make_plan(demand_of(100, false), 160 * 3 * 1048576.0).fused_steps, 2);
  // So many segments leave room for the stages of 4 steps in the first one.
  Demand many = demand_of(100, false);
  many.segments = 20;
  EXPECT_EQ(make_plan(many, 1e12).fused_steps, 4);
}

// A step of 100 planes that takes 1 s where it is resident, of 1e9 bytes.
// A step of 3 stages of 3 planes each reaches over 9; with two passes before each stage over 27, with corrections after each over 18.
TEST(StreamPlan, CountsPassesAndCorrectionsAsStages) {
  Demand d = demand_of(200, true);
  EXPECT_EQ(lag(1, d), 9);
  d.passes = 2;
  EXPECT_EQ(lag(1, d), 27);
  EXPECT_EQ(lag(2, d), 54);
  EXPECT_EQ(make_plan(d, 1e12).fused_steps, 7);  // which reach over 189 planes
  d.planes = 100;
  EXPECT_EQ(make_plan(d, 1e12).fused_steps, 3);  // which reach over 81 planes
  d.by_stage = true;
  EXPECT_EQ(lag(1, d), 9);
  d.passes = 0;
  d.corrections = 3;
  EXPECT_EQ(lag(1, d), 6);
  d.by_stage = false;
  EXPECT_EQ(lag(1, d), 18);
  // Fields are held in the planes of the window and the ghosts at its ends, what is kept once.
  Demand more = d;
  more.field_bytes = 1000;
  more.kept_bytes = 77;
  const Plan plan = make_plan(d, 1e12), larger = make_plan(more, 1e12);
  EXPECT_EQ(larger.window_bytes - plan.window_bytes,
            static_cast<std::size_t>(plan.window + 2 * d.reach) * 1000 + 77);
}

TEST(StreamPlan, PredictsTheLongerOfStagesAndCopies) {
  Demand d = demand_of(100, false);
  d.host_bytes = 1000000000;
  d.fused_steps = 2;
  const Plan plan = make_plan(d, 1e12);
  // 0.15 of the shorter beside the longer: stages of 1 s and copies of 0.25 and of 5 s.
  EXPECT_DOUBLE_EQ(seconds_of_step(plan, 1, 2e9, true), 1 + 0.15 * 0.25);
  EXPECT_DOUBLE_EQ(seconds_of_step(plan, 1, 1e8, true), 5 + 0.15);
  EXPECT_DOUBLE_EQ(seconds_of_step(plan, 1, 1e9, false), 2);
  // Stages one by one: three arrays in and two out beside them, and the first segment in and the last one out alone.
  Demand single = d;
  single.by_stage = true;
  single.fused_steps = 1;
  single.segments = 4;
  EXPECT_DOUBLE_EQ(seconds_of_step(make_plan(single, 1e12), 1, 1e9, true), 5 + 2 * 5 / 4.0);
  // Updated on the host: an array each way a stage, 13 arrays of the host's memory a step, and rates of two segments of up to 28 + 3 planes there.
  single.host_updates = true;
  const Plan updated = make_plan(single, 1e12);
  EXPECT_EQ(updated.returned, updated.first[1] + 3);
  EXPECT_EQ(updated.flight_bytes, static_cast<std::size_t>(2 * updated.returned) * 10000000);
  EXPECT_EQ(updated.host_bytes, 2000000000 + updated.flight_bytes);
  EXPECT_DOUBLE_EQ(seconds_of_step(updated, 1, 1e9, true, 1e11), 3 + (2 * 3 + 0.13) / 4);
  EXPECT_DOUBLE_EQ(seconds_of_step(updated, 1, 1e9, true, 1e9), 13 + (2 * 3 + 13) / 4.0);
  EXPECT_DOUBLE_EQ(seconds_of_step(updated, 1, 1e9, false, 1e9), 1 + 2 * 3 + 13);
  single.signal_pass = true;
  EXPECT_DOUBLE_EQ(seconds_of_step(make_plan(single, 1e12), 1, 1e9, false, 1e9), 21);
  // A periodic grid takes as long, and keeps 3 x 3 planes for each of 6 stages, with corrections 2 x 6 + 3 x 3 of 3 stages.
  Demand around = d;
  around.periodic = true;
  around.plane_bytes = 1000;
  EXPECT_DOUBLE_EQ(seconds_of_step(make_plan(around, 1e12), 1, 1e8, true), 5 + 0.15);
  EXPECT_EQ(kept_planes(2, around), 54);
  const Plan kept = make_plan(around, 1e12);
  EXPECT_EQ(kept.window_bytes, static_cast<std::size_t>((kept.window + 6) * 3 + 54 + 6) * 1000);
  around.corrections = 2;
  EXPECT_EQ(kept_planes(1, around), 63);
  around.periodic = false;
  EXPECT_EQ(kept_planes(1, around), 0);
}
