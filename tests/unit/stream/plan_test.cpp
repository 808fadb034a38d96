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
  d.most_fused = 4;
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
          for (int s = 0; s < plan.segments(); ++s) {
            const std::int64_t length = plan.first[std::size_t(s) + 1] - plan.first[std::size_t(s)];
            EXPECT_GE(length, d.reach);
            EXPECT_LE(2 * (lag(fused, d) + d.reach) + 4 * length, plan.window);
          }
          EXPECT_GE(plan.first[1], periodic ? d.reach : lag(fused, d) + d.reach);
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::user_input);
          EXPECT_LT(planes, 2 * lag(fused, d) + 2 * d.reach) << error.what();
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

TEST(StreamPlan, FusesAsManyStepsAsTheGridAllows) {
  EXPECT_EQ(make_plan(demand_of(512, true), 1e12).fused_steps, 2);
  EXPECT_EQ(make_plan(demand_of(24, true), 1e12).fused_steps, 1);
  Demand forced = demand_of(512, true);
  forced.most_fused = 1;
  EXPECT_EQ(make_plan(forced, 1e12).fused_steps, 1);
}
