// Grids in host memory give the bits of those that stay on the device. Here both are the same memory; the copies, the window and the
// order of the stages are those of a GPU (tests/exact/gpu/stream_test.cpp).
#include <unistd.h>

#include <filesystem>
#include <string>

#include "core/error.hpp"
#include "support/stream_cases.hpp"

using namespace watersmeet;
using namespace watersmeet::test;

TEST(Stream, HasTheBitsOfResidentRunsInDouble) { expect_streams_like_resident("cpu", "double"); }
TEST(Stream, HasTheBitsOfResidentRunsInSingle) { expect_streams_like_resident("cpu", "single"); }

TEST(Stream, ACheckpointGoesOnTheOtherWay) {
  const std::string path =
      ::testing::TempDir() + "/watersmeet_stream_resume_" + std::to_string(getpid()) + ".h5";
  for (const StreamCase& c : stream_cases()) {
    SCOPED_TRACE(c.name);
    const std::vector<std::string> ways[2] = {{}, {"device.memory=stream", "stream.segments=3"}};
    Simulation whole = start_case(c, "cpu", "double", {});
    whole.step(6);
    for (const int first : {0, 1}) {
      Simulation half = start_case(c, "cpu", "double", ways[first]);
      half.step(2);
      half.save(path);
      Simulation rest = start_case(c, "cpu", "double", ways[1 - first]);
      rest.restore(path);
      std::filesystem::remove(path);
      rest.step(4);
      expect_equal(whole, rest, false);
    }
  }
}

// The first step of each visit knows the signal; later ones keep a margin, so that none is longer than the limit allows.
TEST(Stream, TheStepOfAVisitKeepsItsMargin) {
  StreamCase c = stream_cases()[0];
  c.text.erase(c.text.find("dt = 2e-3\n"), 10);
  Simulation resident = start_case(c, "cpu", "double", {});
  Simulation streamed =
      start_case(c, "cpu", "double", {"device.memory=stream", "stream.fused_steps=2"});
  for (int visit = 0; visit < 6; ++visit) {
    resident.step(2);
    streamed.step(2);
    EXPECT_LT(streamed.dt(), resident.dt());
    EXPECT_GT(streamed.dt(), 0.85 * resident.dt());
  }
}

// What the limiter changes would not be compared otherwise.
TEST(Stream, TheFluxLimiterActsInItsCases) {
  for (const StreamCase& c : torn_stream_cases()) {
    Simulation torn = start_case(c, "cpu", "double", {"device.memory=stream"});
    torn.step(7);
    EXPECT_GT(torn.diagnostics().at("limited_cells"), 0) << c.name;
  }
}

TEST(Stream, WhatCannotBeStreamedIsRefusedWithItsReason) {
  const auto refusal = [](const std::string& text,
                          const std::vector<std::string>& set) -> std::string {
    try {
      SimulationOptions options{"cpu", "", 1, set};
      options.set.push_back("device.memory=stream");
      Simulation::from_text(text, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const auto text_of = [](const std::string& name) {
    for (const StreamCase& c : stream_cases())
      if (c.name == name) return c.text;
    return std::string();
  };
  const std::string box = text_of("a box with conditions on all sides"),
                    flow = text_of("isothermal");
  const auto says = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  says(refusal(flow, {"physics.shock_viscosity=1", "stream.fused_steps=2"}),
       "61 planes are too few");
  says(refusal("[case]\nsystem = \"shallow_water\"\n[grid]\nkind = \"cubed_sphere\"\n"
               "cells = 24\n[[initial]]\nstate = \"williamson-2\"\n[time]\nsteps = 1\n",
               {}),
       "panels of a sphere");
  says(refusal(box, {"stream.fused_steps=8"}), "61 planes are too few");
  says(refusal(box, {"stream.scheme=stage", "stream.fused_steps=2"}), "one stage a visit");
  says(refusal(box, {"stream.segments=60"}), "segments at most");
}
