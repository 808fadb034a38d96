// device.verify_every on the CPU.
#include "support/repeated_steps.hpp"

#include <gtest/gtest.h>

#include "support/thread_team.hpp"

namespace watersmeet::test {
namespace {

TEST(RepeatedSteps, LeaveTheBitsOfARun) {
  for (const SmallCase& c : small_cases()) {
    SCOPED_TRACE(c.example + " " + c.set.back());
    run::Engine plain(load_small(c, "cpu", 0));
    plain.advance(1e300, 7);
    for (const int every : {1, 3}) {
      run::Engine checked(load_small(c, "cpu", every));
      checked.advance(1e300, 2);  // an output between them
      checked.advance(1e300, 7);
      EXPECT_EQ(checked.clock().step, 7);
      EXPECT_EQ(checked.steps_done(), 7);
      EXPECT_EQ(checked.clock().t, plain.clock().t);
      EXPECT_EQ(all_variables(checked), all_variables(plain)) << every;
    }
  }
}

TEST(RepeatedSteps, EndWithTheTime) {
  const SmallCase c = small_cases().front();
  run::Engine plain(load_small(c, "cpu", 0)), checked(load_small(c, "cpu", 1));
  plain.advance(1e300, 2);
  const double end = plain.clock().t + 0.3 * plain.clock().dt;
  for (run::Engine* const engine : {&plain, &checked}) {
    EXPECT_EQ(engine->advance(end, 100), run::AdvanceEnd::time_reached);
    EXPECT_EQ(engine->clock().step, 3);
  }
  EXPECT_EQ(all_variables(checked), all_variables(plain));
}

TEST(RepeatedSteps, FindAFlippedBit) {
  for (const SmallCase& c : small_cases()) {
    SCOPED_TRACE(c.example + " " + c.set.back());
    run::Engine engine(load_small(c, "cpu", 3));
    BitFlip unseen(engine, 3), seen(engine, 5);  // the step that is carried out twice is the sixth
    engine.set_sampler(&unseen);
    engine.advance(1e300, 5);
    engine.set_sampler(&seen);
    try {
      engine.advance(1e300, 7);
      ADD_FAILURE() << "not found";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::device) << error.what();
      EXPECT_NE(std::string(error.what()).find("step 6 gave two results"), std::string::npos)
          << error.what();
    }
  }
}

TEST(RepeatedSteps, FindItOnAnyRank) {
  const SmallCase c = small_cases().front();
  ThreadTeam::run(2, [&](comm::Communicator& world) {
    run::Case loaded = load_small(c, "cpu", 2);
    run::Placement placement = run::place_case(loaded, world);
    run::Engine engine(std::move(loaded), std::move(placement));
    engine.advance(1e300, 3);
    BitFlip flip(engine, 3);
    if (world.rank() == 1) engine.set_sampler(&flip);
    EXPECT_THROW(engine.advance(1e300, 5), Error);
  });
}

}  // namespace
}  // namespace watersmeet::test
