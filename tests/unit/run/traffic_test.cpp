// What the systems say that their ranks send each other in a step, against what they send: the messages of ranks that are threads are counted.
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "run/engine.hpp"
#include "run/rank_model.hpp"
#include "support/counting_communicator.hpp"
#include "support/temporary.hpp"
#include "support/thread_team.hpp"

namespace watersmeet::run {
namespace {

std::string example(const std::string& name) {
  return (std::filesystem::path(WATERSMEET_TEST_SOURCE) / ".." / "examples" / name).string();
}

struct Measured {
  test::Count largest;  // of a step, of the rank that sends most
  comm::Traffic predicted;
};

Measured measure(const std::string& path, std::vector<std::string> set, int ranks) {
  constexpr int steps = 3;
  set.insert(set.end(), {"device.kind=\"cpu\"", "device.threads=1"});
  SimulationOptions options;
  options.set = set;
  Measured result;
  std::mutex mutex;
  test::ThreadTeam::run(ranks, [&](comm::Communicator& world) {
    test::Count count;
    test::CountingCommunicator counting(world, count);
    Case loaded = load_case(path, options);
    Placement placement = place_case(loaded, counting);
    Engine engine(std::move(loaded), std::move(placement));
    engine.advance(1e300, 2);
    count = {};
    engine.advance(1e300, 2 + steps);
    const std::lock_guard lock(mutex);
    result.largest.exchanges = std::max(result.largest.exchanges, count.exchanges / steps);
    result.largest.bytes = std::max(result.largest.bytes, count.bytes / steps);
  });
  const Case loaded = load_case(path, options);
  result.predicted =
      forecast(loaded, recorded_step(*loaded.system), ranks, false, 0).several.traffic;
  return result;
}

void expect_as_counted(const std::string& name, const std::vector<std::string>& set, int ranks) {
  SCOPED_TRACE(name + " on " + std::to_string(ranks) + " ranks");
  const Measured m = measure(example(name), set, ranks);
  EXPECT_GT(m.largest.exchanges, 0);
  EXPECT_DOUBLE_EQ(m.predicted.count(), m.largest.exchanges);
  EXPECT_DOUBLE_EQ(m.predicted.bytes(), m.largest.bytes);
}

TEST(Traffic, OfStagesWithOneExchangeEach) {
  for (const int ranks : {2, 3, 4}) {
    expect_as_counted("taylor-green/quick.toml", {"grid.cells=[16,12,24]", "time.steps=9"}, ranks);
  }
  expect_as_counted("taylor-green/quick.toml",
                    {"grid.cells=[16,16,16]", "time.steps=9", "device.ranks_along=[2,2,1]"}, 4);
  expect_as_counted("taylor-green/quick.toml",
                    {"grid.cells=[16,12,24]", "time.steps=9", "numerics.method=\"19-point\""}, 2);
}

TEST(Traffic, OfFieldsThatPassesMakeBeforeAStage) {
  expect_as_counted("taylor-green/quick.toml",
                    {"grid.cells=[16,12,24]", "time.steps=9", "physics.shock_viscosity=2.0"}, 2);
}

TEST(Traffic, OfFluxesThroughFaces) {
  expect_as_counted("orszag-tang/quick.toml", {"grid.cells=[16,24,1]", "time.steps=9"}, 3);
  expect_as_counted("single-bubble/quick.toml", {"grid.cells=[48,16,1]", "time.steps=9"}, 2);
  expect_as_counted("gas-liquid-tube/quick.toml",
                    {"grid.cells=[24,1,1]", "time.steps=9", "numerics.positivity=\"strict\""}, 2);
  expect_as_counted("dam-break/quick.toml", {"grid.cells=[40,1,1]", "time.steps=9"}, 3);
  expect_as_counted("warm-bubble/quick.toml", {"grid.cells=[24,1,12]", "time.steps=9"}, 2);
}

TEST(Traffic, OfTheSidesOfPanels) {
  for (const int ranks : {2, 3, 6}) {
    expect_as_counted("williamson-6/quick.toml", {"grid.cells=12", "time.steps=9"}, ranks);
    expect_as_counted("dcmip31/quick.toml", {"grid.cells=[12,12,6]", "time.steps=9"}, ranks);
  }
}

TEST(Traffic, OfADirectSolve) {
  for (const int ranks : {2, 3}) {
    expect_as_counted("rayleigh-benard/quick.toml", {"grid.cells=[16,12,12]", "time.steps=9"},
                      ranks);
  }
}

// A limit that no residual reaches, so that the number of cycles ends each solve.
TEST(Traffic, OfCyclesOfMultigrid) {
  expect_as_counted("rayleigh-benard/quick.toml",
                    {"grid.cells=[64,64,32]", "time.steps=9", "numerics.pressure.solver=\"mg\"",
                     "numerics.pressure.tol_abs=1e-300", "numerics.pressure.cycles_max=6"},
                    2);
}

TEST(Traffic, OfBlocks) {
  const std::vector<std::string> always = {"time.steps_max=9", "time.residual_drop=0",
                                           "time.first_order_cycles=0",
                                           "numerics.multigrid.sequencing=false"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), always.begin(), always.end());
    return more;
  };
  expect_as_counted("naca0012/quick.toml", with({}), 2);
  expect_as_counted("naca0012/quick.toml", with({"numerics.multigrid.cycle=\"V\""}), 2);
  expect_as_counted("naca0012/quick.toml", with({"numerics.multigrid.levels=1"}), 2);
  expect_as_counted("naca0012/quick.toml", with({"numerics.multigrid.pre=0"}), 2);
}

}  // namespace
}  // namespace watersmeet::run
