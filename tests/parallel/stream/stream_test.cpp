// Streamed solutions cut over several ranks have the bits of one rank that keeps its solution on the device.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/stream_on_ranks.hpp"

using namespace watersmeet;
using namespace watersmeet::test;

// One rank has no messages; tests/exact/stream has its runs.
TEST(StreamOnRanks, HasTheBitsOfOneResidentRankInDouble) {
  if (world().size() == 1) return;
  expect_all_ranks_like_one("cpu", "double");
}
TEST(StreamOnRanks, HasTheBitsOfOneResidentRankInSingle) {
  if (world().size() != 2) return;
  expect_all_ranks_like_one("cpu", "single");
}

// Parts of different widths, and so windows of different sizes, have the same segments.
TEST(StreamOnRanks, PartsOfDifferentWidthsHaveTheSameSegments) {
  if (world().size() != 2) return;
  for (const StreamCase& c : stream_cases()) {
    if (c.name != "mhd" && c.name != "air over hills") continue;
    SCOPED_TRACE(c.name);
    expect_ranks_like_one(c, "cpu", "double", {"device.weights=[3,2]"});
  }
}

// Steps of a visit after the first follow from the largest signal of all ranks.
TEST(StreamOnRanks, TheStepsOfAVisitAreThoseOfOneStreamedRank) {
  for (StreamCase c : stream_cases()) {
    if (c.name != "a box with conditions on all sides" && c.name != "isothermal, forced") continue;
    SCOPED_TRACE(c.name);
    const std::size_t fixed = c.text.find("\ndt = ");
    c.text.erase(fixed, c.text.find('\n', fixed + 1) - fixed);
    expect_ranks_like_one(c, "cpu", "double", {"stream.fused_steps=2", "stream.segments=3"}, true);
  }
}

TEST(StreamOnRanks, CutsAcrossThePlanesAreRefused) {
  if (world().size() != 2) return;
  const StreamCase c = stream_cases()[0];
  SimulationOptions options{
      "cpu", "double", 1, {"device.memory=stream", "device.ranks_along=[1,1,2]"}};
  run::Case loaded = run::load_case_text(c.text, c.name, options);
  run::Placement placement = run::place_case(loaded, world());
  std::string message;
  try {
    run::Engine engine(std::move(loaded), std::move(placement));
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_NE(message.find("device.ranks_along needs 1 along z"), std::string::npos) << message;
}
