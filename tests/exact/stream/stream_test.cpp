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

TEST(Stream, StagesThatTheHostUpdatesHaveTheBitsOfResidentRuns) {
  for (const char* const precision : {"double", "single"})
    expect_host_updates_like_resident("cpu", precision);
}

// The signal is that of the stage, but of mhd and shock viscosity, which measure it in the new state, not in that before the last stage.
TEST(Stream, TheTimeStepOfHostUpdatesIsThatOfResidentRuns) {
  for (StreamCase c : host_update_cases()) {
    if (c.text.find("\ndt = ") != std::string::npos) c.text = without_fixed_step(c.text);
    for (const char* const precision : {"double", "single"}) {
      SCOPED_TRACE(c.name + ", " + precision);
      Simulation resident = start_case(c, "cpu", precision, {});
      resident.step(5);
      Simulation streamed = start_case(c, "cpu", precision, updated_on_host(4));
      streamed.step(5);
      if (rounds_apart(c)) {
        const bool anew = is_of(c, "mhd") || c.text.find("shock") != std::string::npos;
        EXPECT_NEAR(resident.dt(), streamed.dt(), (anew ? 0.05 : 1e-6) * resident.dt());
      } else {
        expect_equal(resident, streamed, false);
      }
    }
  }
}

TEST(Stream, SourcesJoinTheRatesOfHostUpdates) {
  for (const char* const precision : {"double", "single"})
    expect_sources_of_host_updates("cpu", precision);
}

// A state that cannot go on ends the run in the step that made it.
TEST(Stream, AHostUpdateFindsWhatIsNotAdmissible) {
  StreamCase c = host_update_cases()[0];
  c.set = {"time.dt=0.3"};
  const auto steps_until_the_end = [&](const std::vector<std::string>& how) {
    Simulation run = start_case(c, "cpu", "double", how);
    EXPECT_THROW(run.step(50), Error);
    return run.steps();
  };
  EXPECT_EQ(steps_until_the_end({}), steps_until_the_end(updated_on_host(3)));
}

// A run that is streamed or updated `how`, continued resident after two steps, and the other way round: bits of `steps` resident ones.
void expect_checkpoints_go_on(const StreamCase& c, const std::vector<std::string>& how, int steps) {
  SCOPED_TRACE(c.name);
  const std::string path =
      ::testing::TempDir() + "/watersmeet_stream_resume_" + std::to_string(getpid()) + ".h5";
  const std::vector<std::string> ways[2] = {{}, how};
  Simulation whole = start_case(c, "cpu", "double", {});
  whole.step(steps);
  for (const int first : {0, 1}) {
    Simulation half = start_case(c, "cpu", "double", ways[first]);
    half.step(2);
    half.save(path);
    Simulation rest = start_case(c, "cpu", "double", ways[1 - first]);
    rest.restore(path);
    std::filesystem::remove(path);
    rest.step(steps - 2);
    expect_equal(whole, rest, false);
  }
}

TEST(Stream, ACheckpointOfHostUpdatesGoesOnTheOtherWay) {
  for (const StreamCase& c : host_update_cases())
    if (!rounds_apart(c)) expect_checkpoints_go_on(c, updated_on_host(3), 4);
}

// A visit of several steps has the step of a resident run where that is given alone.
TEST(Stream, ACheckpointGoesOnTheOtherWay) {
  for (const StreamCase& c : stream_cases()) {
    std::vector<std::string> how = {"device.memory=stream", "stream.segments=3"};
    if (c.text.find("\ndt = ") == std::string::npos) how.emplace_back("stream.fused_steps=1");
    expect_checkpoints_go_on(c, how, 6);
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
  says(refusal(flow, {"physics.shock_viscosity=1", "stream.fused_steps=3"}),
       "61 planes are too few");
  says(refusal("[case]\nsystem = \"shallow_water\"\n[grid]\nkind = \"cubed_sphere\"\n"
               "cells = 24\n[[initial]]\nstate = \"williamson-2\"\n[time]\nsteps = 1\n",
               {}),
       "panels of a sphere");
  says(refusal(box, {"stream.fused_steps=8"}), "61 planes are too few");
  says(refusal(box, {"stream.scheme=stage", "stream.fused_steps=2"}), "one stage a visit");
  says(refusal(box, {"stream.segments=60"}), "segments at most");
  const std::string host = "stream.update=host", stage = "stream.scheme=stage";
  for (const char* const part : {"stream.update", "\"host\"", "stream.scheme = \"stage\""})
    says(refusal(box, {host}), part);
  says(refusal(box, {host, stage, "numerics.positivity=strict"}), "corrects what a stage wrote");
  says(refusal(text_of("isothermal, forced"), {host, stage}), "kicks of the forcing");
  says(refusal(text_of("water with conditions on all sides"), {host, stage}), "friction");
  says(refusal(text_of("viscous air over hills"), {host, stage}), "after each stage");
}
